/** The adapter against the real vitest: each project is written to a temporary folder, run through `prepare`, and its report parsed. */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve as resolvePath } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportedTest, TestReport } from "../../../core/evidence/mod.ts";
import { vitest } from "./mod.ts";

/** `YADA_VITEST_MODULES=/path/node_modules` runs this suite against another version of vitest. */
const installed = process.env["YADA_VITEST_MODULES"] ?? resolvePath(import.meta.dirname, "../../../node_modules");
const NONCE = "a-nonce-of-this-run";

interface Ran {
  readonly report: TestReport;
  readonly text: string;
  readonly exit: number | null;
  readonly output: string;
  test(id: string): ReportedTest;
}

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function temporary(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "yada-vitest-")));
  folders.push(folder);
  return folder;
}

/** A project with the installed packages linked one by one, so that caches stay its own. */
async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporary();
  await mkdir(join(root, "node_modules"));
  for (const name of await readdir(installed)) {
    if (!name.startsWith(".vite")) await symlink(join(installed, name), join(root, "node_modules", name));
  }
  for (const [path, text] of Object.entries({ "package.json": '{"type":"module"}', ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** How a command ended, with its standard output and error in one text. */
async function execute(
  root: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ exit: number | null; output: string }> {
  const [command = "", ...args] = argv;
  const path = `${join(root, "node_modules", ".bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: path, HOME: root, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk: unknown): void => {
    output += String(chunk);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const exit = await new Promise<number | null>((done, fail) => {
    child.on("error", fail);
    child.on("close", done);
  });
  return { exit, output };
}

async function run(root: string, argv: readonly string[]): Promise<Ran> {
  const outside = await temporary();
  const report = join(outside, "report.jsonl");
  const prepared = vitest.prepare(argv, { nonce: NONCE });
  for (const [name, text] of Object.entries(prepared.files)) await writeFile(join(outside, name), text);
  const fill = (word: string): string => word.replaceAll("{report}", report).replaceAll("{support}", outside);
  const env = Object.fromEntries(Object.entries(prepared.env).map(([name, value]) => [name, fill(value)]));
  const { exit, output } = await execute(root, prepared.argv.map(fill), env);
  const text = await readFile(report, "utf8").catch(() => "");
  const parsed = vitest.parse(text, { nonce: NONCE, root });
  return {
    report: parsed,
    text,
    exit,
    output,
    test: (id) => {
      const found = parsed.tests.filter((each) => each.id === id);
      if (found.length !== 1 || found[0] === undefined) throw new Error(`${id} is reported ${found.length} times.`);
      return found[0];
    },
  };
}

const IMPORTS = 'import { describe, test, expect, beforeAll, beforeEach, afterEach, afterAll } from "vitest";\n';

describe("one run over many files", () => {
  let ran: Ran;
  beforeAll(async () => {
    const root = await project({
      "src/calc.js": `export function add(a, b) { return a - b; }
export function boom() { return undefined.x; }
export function leave() { process.exit(0); }`,
      "src/typed.ts": "export const half = (n: number): number => n * 2;",
      "test/plain.test.js": `${IMPORTS}import assert from "node:assert";
import { add, boom, leave, missing } from "../src/calc.js";
test("passes", () => { expect(1).toBe(1); });
test("expect", () => { expect(add(1, 2)).toBe(3); });
expect.extend({ toBeOdd: (n) => ({ pass: n % 2 === 1, message: () => n + " is even" }) });
test("own matcher", () => { expect(2).toBeOdd(); });
test("soft", () => { expect.soft(1).toBe(2); expect.soft(1).toBe(3); });
test("node assert", () => { assert.strictEqual(add(1, 2), 3); });
test("no assertion", () => { expect.assertions(1); });
test("error in production", () => { boom(); });
test("rejects", async () => { await Promise.resolve(); boom(); });
test("undefined name", () => { undefinedName(); });
test("missing export", () => { missing(); });
test("throws text", () => { throw "text"; });
test("fakes a frame", () => { throw new Error("x\\n    at boom (" + process.cwd() + "/src/calc.js:1:1)"); });
test("leaves in production", () => { leave(); });
test.skip("skip", () => {});
test.todo("todo");
test("skips itself", (context) => { context.skip(); });
test.fails("fails as said", () => { throw new Error("x"); });
test.fails("passes against its word", () => {});
test("twice", () => {});
test("twice", () => {});
test.each([1, 2])("each %i", (n) => { expect(n).toBe(1); });
test("slow", async () => { await new Promise(() => {}); }, 50);
test("snapshot", () => { expect("x").toMatchSnapshot(); });
test("new snapshot", () => { expect("x").toMatchSnapshot(); });
test("inline snapshot", () => { expect("x").toMatchInlineSnapshot('"y"'); });
let runs = 0;
test("flaky", { retry: 3 }, () => { expect(runs++).toBe(2); });
let repeats = 0;
test("repeats", { repeats: 2 }, () => { expect(repeats++).not.toBe(1); });
describe("outer", () => { describe("inner", () => { test("deep", () => { expect(1).toBe(2); }); }); });
describe.skip("skipped group", () => { test("t", () => {}); });`,
      "test/__snapshots__/plain.test.js.snap":
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`snapshot 1`] = `"other"`;\n',
      "test/hooks.test.js": `${IMPORTS}
describe("beforeAll", () => { beforeAll(() => { throw new Error("before all"); }); test("t", () => {}); });
describe("beforeEach", () => { beforeEach(() => { expect(1).toBe(2); }); test("t", () => {}); });
describe("afterEach", () => {
  afterEach(() => { throw new Error("after each"); });
  test("passes", () => {});
  test("fails", () => { expect(1).toBe(2); });
});
describe("afterAll", () => { afterAll(() => { throw new Error("after all"); }); test("t", () => {}); });
describe("slow hook", () => { beforeEach(async () => { await new Promise(() => {}); }, 30); test("t", () => {}); });`,
      "test/typed.test.ts": `import { expect, test } from "vitest";
import { half } from "../src/typed.ts";
interface Case { readonly n: number }
test("typed", () => { const one: Case = { n: 4 }; expect(half(one.n)).toBe(2 as number); });`,
      "test/missing-file.test.js": `${IMPORTS}import "../src/nowhere.js"; test("t", () => {});`,
      "test/missing-package.test.js": `${IMPORTS}import "no-such-package"; test("t", () => {});`,
      "test/missing-name.test.js": `${IMPORTS}import { nope } from "picomatch"; test("t", () => { nope(); });`,
      "test/syntax.test.js": `${IMPORTS}test("t", () => {`,
      "test/empty.test.js": "",
      "test/empty-group.test.js": `${IMPORTS}describe("group", () => {});`,
      "test/throws-outside.test.js": `${IMPORTS}test("t", () => {}); throw new Error("outside");`,
      "test/throws-in-describe.test.js": `${IMPORTS}describe("group", () => { throw new Error("in describe"); });`,
      "test/unhandled.test.js": `${IMPORTS}test("passes", () => { Promise.reject(new Error("nobody waits")); });`,
      "test/exit.test.js": `${IMPORTS}test("leaves", () => { process.exit(0); }); test("after", () => {});`,
      "test/exit-outside.test.js": `${IMPORTS}process.exit(0); test("t", () => {});`,
      "test/only.test.js": `${IMPORTS}test.only("only", () => {}); test("other", () => { expect(1).toBe(2); });`,
      "test/environment.test.js": `${IMPORTS}
test("is told nothing of the report", () => { expect(JSON.stringify(process.env)).not.toMatch(/YADA|${NONCE}/); });`,
    });
    ran = await run(root, ["npx", "vitest", "--watch", "--reporter=json", "--outputFile", "out.json"]);
  });

  test("the report is whole and names the runner", () => {
    expect(ran.report.whole).toBe(true);
    expect(ran.report.runner?.name).toBe("vitest");
    expect(ran.report.runner?.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(ran.exit).toBe(1);
  });

  test.each([
    ["plain", "passes", "passed"],
    ["plain", "skip", "skipped"],
    ["plain", "skips itself", "skipped"],
    ["plain", "skipped group > t", "skipped"],
    ["plain", "todo", "todo"],
    ["plain", "fails as said", "expected_failure"],
    ["plain", "passes against its word", "unexpected_pass"],
    ["plain", "slow", "timed_out"],
    ["plain", "each 1", "passed"],
    ["plain", "each 2", "failed"],
    ["plain", "flaky", "failed"],
    ["plain", "repeats", "failed"],
    ["plain", "outer > inner > deep", "failed"],
    ["hooks", "beforeAll > t", "not_run"],
    ["hooks", "afterAll > t", "passed"],
    ["missing-name", "t", "failed"],
    ["unhandled", "passes", "passed"],
    ["exit", "leaves", "failed"],
    ["only", "only", "failed"],
    ["environment", "is told nothing of the report", "passed"],
  ])("%s: %s is %s", (file, name, status) => {
    expect(ran.test(`test/${file}.test.js > ${name}`).status).toBe(status);
  });

  test.each([
    ["plain.test.js", "expect", "assertion", "test", "AssertionError"],
    ["plain.test.js", "own matcher", "assertion", "test", "Error"],
    ["plain.test.js", "soft", "assertion", "test", "AssertionError"],
    ["plain.test.js", "node assert", "assertion", "test", "AssertionError"],
    ["plain.test.js", "no assertion", "assertion", "runner", "Error"],
    ["plain.test.js", "snapshot", "assertion", "test", "Error"],
    ["plain.test.js", "new snapshot", "assertion", "test", "Error"],
    ["plain.test.js", "inline snapshot", "assertion", "test", "Error"],
    ["plain.test.js", "flaky", "assertion", "test", "AssertionError"],
    ["plain.test.js", "error in production", "error", "production", "TypeError"],
    ["plain.test.js", "rejects", "error", "production", "TypeError"],
    ["plain.test.js", "leaves in production", "error", "production", "Error"],
    ["plain.test.js", "undefined name", "error", "test", "ReferenceError"],
    ["plain.test.js", "missing export", "error", "test", "TypeError"],
    ["plain.test.js", "fakes a frame", "error", "test", "Error"],
    ["plain.test.js", "slow", "timeout", "test", "Error"],
    ["hooks.test.js", "beforeEach > t", "setup", "test", "AssertionError"],
    ["hooks.test.js", "afterEach > passes", "setup", "test", "Error"],
    ["hooks.test.js", "afterEach > fails", "assertion", "test", "AssertionError"],
    ["hooks.test.js", "slow hook > t", "setup", "test", "Error"],
    ["typed.test.ts", "typed", "assertion", "test", "AssertionError"],
    ["missing-name.test.js", "t", "error", "test", "TypeError"],
  ])("%s: the failure of %s is %s, raised in %s", (file, name, kind, origin, error) => {
    expect(ran.test(`test/${file} > ${name}`).failure).toMatchObject({ kind, origin, name: error });
  });

  test("frames name files from the root, with their lines", () => {
    const failure = ran.test("test/plain.test.js > error in production").failure;
    expect(failure?.frames[0]).toMatchObject({ file: "src/calc.js", line: 2 });
    expect(failure?.frames[1]).toMatchObject({ file: "test/plain.test.js", line: 11 });
  });

  test("a test that passed only after a retry says so", () => {
    expect(ran.test("test/plain.test.js > flaky").failure?.message).toMatch(/^Passed only after a retry/);
  });

  test("a title that stands twice is reported twice", () => {
    expect(ran.report.tests.filter((each) => each.id === "test/plain.test.js > twice")).toHaveLength(2);
  });

  test.each([
    ["import", "missing-file", /src\/nowhere\.js/],
    ["import", "missing-package", /no-such-package/],
    ["syntax", "syntax", /./],
    ["collection", "empty", /No test suite found/],
    ["collection", "empty-group", /No test found/],
    ["collection", "throws-outside", /outside/],
    ["collection", "throws-in-describe", /in describe/],
    ["setup", "hooks", /before all/],
    ["setup", "hooks", /after each/],
    ["setup", "hooks", /after all/],
    ["unhandled", "unhandled", /nobody waits/],
    ["exit", "exit", /process\.exit/],
    ["exit", "exit-outside", /process\.exit/],
    ["exit", "plain", /process\.exit/],
  ])("a problem with the code %s names %s", (code, file, message) => {
    expect(ran.report.problems).toContainEqual({
      code,
      message: expect.stringMatching(message),
      file: `test/${file}.test.js`,
    });
  });
});

describe("a process that leaves before its tests ended", () => {
  test.each([
    ["a test", "export const leave = () => {};", "process.reallyExit(0);"],
    ["production", "export const leave = () => process.reallyExit(0);", "leave();"],
  ])("in %s", async (_, production, body) => {
    const root = await project({
      "src/leave.js": production,
      "a.test.js": `${IMPORTS}import { leave } from "./src/leave.js";
test("leaves", () => { ${body} }); test("after", () => {});`,
    });
    const ran = await run(root, ["vitest", "run"]);
    expect(ran.report.tests.filter((each) => each.status === "passed")).toEqual([]);
    // vitest 4 reports it; older ones stop, so that the report has no end.
    expect(ran.report.whole && !ran.report.problems.some(({ code }) => code === "exit")).toBe(false);
  });
});

describe("which tests run", () => {
  const passing = `${IMPORTS}test("t", () => {}); test("other", () => {});`;

  test("a name filter that matches nothing leaves a whole report without tests", async () => {
    const root = await project({ "a.test.js": passing });
    const ran = await run(root, ["vitest", "run", "-t", "nomatch"]);
    expect(ran.report).toMatchObject({ whole: true, tests: [], problems: [] });
  });

  test("a file filter that matches nothing leaves a whole report without tests", async () => {
    const root = await project({ "a.test.js": passing });
    const ran = await run(root, ["vitest", "run", "nowhere", "--passWithNoTests"]);
    expect(ran.report).toMatchObject({ whole: true, tests: [], problems: [] });
  });

  test("select runs the files that it is given, and a name filter stays", async () => {
    const root = await project({ "a.test.js": passing, "b.test.js": passing, "sub/a.test.js": passing });
    const argv = vitest.select(["npx", "vitest", "run", "sub", "-t", "other"], ["b.test.js"]);
    const ran = await run(root, argv);
    expect(ran.report.tests.map((each) => each.id)).toEqual(["b.test.js > other"]);
  });

  test("npm test is what its script says, with the words after --", async () => {
    const scripts = { test: "npm run -s unit", unit: "cross-env NODE_ENV=test vitest --coverage" };
    const root = await project({
      "package.json": JSON.stringify({ type: "module", scripts }),
      "a.test.js": `${IMPORTS}test("t", () => { expect(process.env.NODE_ENV).toBe("test"); });`,
      "b.test.js": passing,
    });
    const text = await readFile(join(root, "package.json"), "utf8");
    const resolved = await vitest.resolve(["npm", "test", "--", "a.test.js"], {
      list: () => ["package.json"],
      text: async (path) => (path === "package.json" ? text : null),
    });
    expect(resolved).toEqual({ argv: ["cross-env", "NODE_ENV=test", "vitest", "--coverage", "a.test.js"] });
    if (!("argv" in resolved)) return;
    const ran = await run(root, resolved.argv);
    expect(ran.report.tests).toEqual([{ id: "a.test.js > t", file: "a.test.js", name: "t", status: "passed" }]);
    expect(ran.exit).toBe(0);
  });

  test("one file in two projects gives one test, as bad as the worse of the two", async () => {
    const inline = (name: string): string =>
      `{ test: { name: "${name}", include: ["*.test.js"], env: { PROJECT: "${name}" } } }`;
    const root = await project({
      "vitest.config.js": `export default { test: { projects: [${inline("one")}, ${inline("two")}] } };`,
      "a.test.js": `${IMPORTS}test("both", () => {}); test("one", () => { expect(process.env.PROJECT).toBe("one"); });`,
    });
    const ran = await run(root, ["vitest", "run"]);
    expect(ran.report.tests.map(({ name, status }) => [name, status])).toEqual([
      ["both", "passed"],
      ["one", "failed"],
    ]);
  });

  test("bail leaves a problem, and what it cut off is not passed", async () => {
    const root = await project({
      "a.test.js": `${IMPORTS}test("fails", () => { expect(1).toBe(2); }); test("t", () => {});`,
    });
    const ran = await run(root, ["vitest", "run", "--bail", "1"]);
    expect(ran.test("a.test.js > t").status).not.toBe("passed");
    expect(ran.report.problems).toContainEqual({ code: "runner", message: expect.stringMatching(/interrupted/) });
  });
});

describe("what a configuration cannot hide", () => {
  test("unhandled errors that the project ignores, its own reporters, and a retry for all", async () => {
    const root = await project({
      "vitest.config.js": `export default { test: {
        dangerouslyIgnoreUnhandledErrors: true, reporters: ["json"], outputFile: "own.json", retry: 3, watch: true, passWithNoTests: true } };`,
      "a.test.js": `${IMPORTS}test("t", () => { Promise.reject(new Error("nobody waits")); });
let runs = 0; test("flaky", () => { expect(runs++).toBe(1); });`,
    });
    const ran = await run(root, ["vitest"]);
    expect(ran.exit).toBe(0);
    expect(ran.report.whole).toBe(true);
    expect(ran.report.problems).toContainEqual({
      code: "unhandled",
      message: expect.stringMatching(/nobody waits/),
      file: "a.test.js",
    });
    expect(ran.test("a.test.js > flaky").status).toBe("failed");
  });

  test("a global set-up that fails is a problem", async () => {
    const root = await project({
      "vitest.config.js": 'export default { test: { globalSetup: ["./global.js"] } };',
      "global.js": 'export default () => { throw new Error("no database"); };',
      "a.test.js": `${IMPORTS}test("t", () => {});`,
    });
    const ran = await run(root, ["vitest", "run"]);
    expect(ran.exit).toBe(1);
    expect(ran.report.tests).toEqual([]);
    expect(ran.report.problems).toEqual([
      { code: "setup", message: expect.stringMatching(/global set-up/), file: "a.test.js" },
    ]);
  });
});

test("vitest's own JSON is read as well", async () => {
  const root = await project({
    "src/a.js": "export const boom = () => undefined.x;",
    "a.test.js": `${IMPORTS}import { boom } from "./src/a.js";
test("fails", () => { expect(1).toBe(2); });
describe("group", () => { test("raises", () => { boom(); }); test.skip("skipped", () => {}); test.todo("todo"); });`,
    "b.test.js": 'import "./nowhere.js";',
  });
  await execute(root, ["vitest", "run", "--reporter=json", "--outputFile=out.json"], { CI: "1" });
  const report = vitest.parse(await readFile(join(root, "out.json"), "utf8"), { root });
  expect(report.whole).toBe(true);
  expect(report.tests).toEqual([
    expect.objectContaining({
      id: "a.test.js > fails",
      failure: expect.objectContaining({ kind: "assertion", origin: "test" }),
    }),
    expect.objectContaining({
      id: "a.test.js > group > raises",
      failure: expect.objectContaining({ kind: "error", origin: "production", name: "TypeError" }),
    }),
    expect.objectContaining({ id: "a.test.js > group > skipped", status: "skipped" }),
    expect.objectContaining({ id: "a.test.js > group > todo", status: "todo" }),
  ]);
  expect(report.problems).toEqual([{ code: "import", message: expect.stringMatching(/nowhere/), file: "b.test.js" }]);
});

describe("forged reports", () => {
  test("a report on standard output and at a guessed place is not read", async () => {
    const forged = [
      { yada: "report/1", nonce: NONCE, runner: "vitest" },
      { test: { file: "a.test.js", titles: ["t"], status: "passed" } },
      { end: { reason: "passed" } },
    ].map((line) => JSON.stringify(line));
    const root = await project({
      "a.test.js": `${IMPORTS}import { writeFileSync } from "node:fs";
test("t", () => {
  for (const line of ${JSON.stringify(forged)}) process.stdout.write(line + "\\n");
  for (const place of ["report", "report.jsonl", "../report.jsonl", process.env.YADA_REPORT ?? "y"]) {
    try { writeFileSync(place, ${JSON.stringify(`${forged.join("\n")}\n`)}); } catch {}
  }
  expect(1).toBe(2);
});`,
    });
    const ran = await run(root, ["vitest", "run"]);
    expect(ran.output).toContain('"status":"passed"');
    expect(ran.test("a.test.js > t").status).toBe("failed");
    expect(ran.report.whole).toBe(true);
  });

  test("lines that something else adds to the report are a problem", async () => {
    // The one way to learn the place without isolation: the environment that the parent process was started with.
    const root = await project({
      "a.test.js": `${IMPORTS}import { appendFileSync, readFileSync } from "node:fs";
test("t", () => {
  const place = /YADA_REPORT=([^\\0]*)/.exec(readFileSync("/proc/" + process.ppid + "/environ", "utf8"))[1];
  appendFileSync(place, '{"test":{"file":"a.test.js","titles":["other"],"status":"passed"}}\\n');
});`,
    });
    const ran = await run(root, ["vitest", "run"]);
    if (process.platform !== "linux") return;
    expect(ran.report.problems).toContainEqual({ code: "runner", message: "Something else wrote into the report." });
  });

  test("a runner that is ended before its time leaves a report that is not whole", async () => {
    const root = await project({
      "a.test.js": `${IMPORTS}test("before", () => {});
test("ends the runner", async () => { process.kill(process.ppid, "SIGKILL"); await new Promise(() => {}); });`,
    });
    const ran = await run(root, ["vitest", "run"]);
    expect(ran.exit).not.toBe(0);
    expect(ran.report.whole).toBe(false);
  });
});

describe("canary", () => {
  const SEED = "5eed-0f-this-run";

  async function withCanary(
    files: Readonly<Record<string, string>>,
    target: string,
    argv: readonly string[] = ["vitest", "run"],
  ): Promise<{ statuses: Record<string, string | undefined>; ran: Ran }> {
    const canary = vitest.canary({ file: target, name: "group > target" }, files[target] ?? "", SEED);
    if (canary === null) throw new Error(`No canary for ${target}.`);
    const root = await project({ ...files, [canary.path]: canary.text });
    const ran = await run(root, argv);
    const statuses = Object.fromEntries(
      canary.names.map((name) => [
        name.split(" ").at(-1),
        ran.report.tests.find((each) => each.file === target && each.name === name)?.status,
      ]),
    );
    return { statuses, ran };
  }

  const failing = { expect: "failed", equal: "failed", assert: "failed", throw: "failed" };

  test("fails in every way in every kind of file", async () => {
    const sources: Record<string, string> = {
      "module.test.js": `${IMPORTS}describe("group", () => { test("target", () => {}); });`,
      "node.test.mjs": `${IMPORTS}import assert from "node:assert"; test("target", () => { assert.ok(true); });`,
      "typed.test.ts": `${IMPORTS}const n: number = 1; test("target", () => { expect(n as number).toBe(1) })`,
      "comment.test.tsx": `${IMPORTS}test("target", () => {}); // the end`,
      "globals.test.js": 'describe("group", () => { test("target", () => { expect(1).toBe(1); }); });',
      "common.test.cjs": 'const path = require("node:path"); test("target", () => { path.join("a"); });',
      "names.test.js": `${IMPORTS}const assert = 1; test("target", () => { expect(assert).toBe(1); });`,
    };
    const canaries = Object.entries(sources).map(([file, source]) => {
      const canary = vitest.canary({ file, name: "group > target" }, source, SEED);
      if (canary === null) throw new Error(`No canary for ${file}.`);
      return canary;
    });
    const root = await project({
      "vitest.config.mjs": "export default { test: { globals: true } };",
      ...Object.fromEntries(canaries.map(({ path, text }) => [path, text])),
    });
    const ran = await run(root, ["vitest", "run"]);
    expect(ran.report).toMatchObject({ whole: true, problems: [] });
    for (const { path, names } of canaries) {
      expect(names.length).toBe(path === "node.test.mjs" ? 5 : 4);
      for (const name of names) expect(ran.test(`${path} > ${name}`).status).toBe("failed");
    }
    expect(ran.report.tests.filter((each) => each.status === "passed")).toHaveLength(canaries.length);
  });

  test("runs under a name filter for the target", async () => {
    const source = `${IMPORTS}describe("group", () => { test("target", () => {}); });`;
    const { statuses } = await withCanary({ "a.test.js": source }, "a.test.js", [
      "vitest",
      "run",
      "-t",
      "group target",
    ]);
    expect(statuses).toEqual(failing);
  });

  test("runs beside .only", async () => {
    const source = `${IMPORTS}describe("group", () => { test.only("target", () => {}); });`;
    const { statuses } = await withCanary({ "a.test.js": source }, "a.test.js", ["vitest", "run", "--allowOnly"]);
    expect(statuses).toEqual(failing);
  });

  test("is silent where production mutes expect", async () => {
    const { statuses, ran } = await withCanary(
      {
        "src/mute.js": `import { chai } from "vitest";
chai.Assertion.prototype.assert = function () {};
for (const name of ["toBe", "toEqual"]) chai.util.overwriteMethod(chai.Assertion.prototype, name, () => function () {});
export const value = 1;`,
        "a.test.js": `${IMPORTS}import { value } from "./src/mute.js";
describe("group", () => { test("target", () => { expect(value).toBe(2); }); });`,
      },
      "a.test.js",
    );
    expect(ran.test("a.test.js > group > target").status).toBe("passed");
    expect(statuses["expect"]).toBe("passed");
    expect(statuses["throw"]).toBe("failed");
  });
});

/** The adapter against the real `node --test`: each project is written to a temporary folder, run through `prepare`, and its report parsed. */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReportedTest, TestReport } from "../../../core/evidence/mod.ts";
import { nodeTest } from "./mod.ts";

/** `YADA_NODE=/path/bin/node` runs this suite against another version of Node. */
const node = process.env["YADA_NODE"] ?? process.execPath;
const NONCE = "a-nonce-of-this-run";
const FORGED =
  "runner: Test results came through the standard output of a test file's process and not from its test runner. They are left out.";

interface Ran {
  readonly report: TestReport;
  readonly text: string;
  readonly exit: number | null;
  readonly output: string;
  /** `file code: message` of each problem, sorted. */
  readonly problems: readonly string[];
  /** `id: status` of each test, with kind and origin of its failure. */
  readonly tests: readonly string[];
  test(id: string): ReportedTest;
}

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function temporary(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "yada-node-test-")));
  folders.push(folder);
  return folder;
}

async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporary();
  for (const [path, text] of Object.entries({ "package.json": '{"type":"module"}', ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

async function execute(
  root: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ exit: number | null; output: string }> {
  const [command = "", ...args] = argv;
  const child = spawn(command === "node" ? node : command, args, {
    cwd: root,
    env: { PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}`, HOME: root, TMPDIR: root, ...env },
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

async function run(root: string, argv: readonly string[] = ["node", "--test"]): Promise<Ran> {
  const outside = await temporary();
  const report = join(outside, "report.jsonl");
  const prepared = nodeTest.prepare(argv, { nonce: NONCE });
  for (const [name, text] of Object.entries(prepared.files)) await writeFile(join(outside, name), text);
  const fill = (word: string): string => word.replaceAll("{report}", report).replaceAll("{support}", outside);
  const env = Object.fromEntries(Object.entries(prepared.env).map(([name, value]) => [name, fill(value)]));
  const { exit, output } = await execute(root, prepared.argv.map(fill), env);
  const text = await readFile(report, "utf8").catch(() => "");
  const parsed = nodeTest.parse(text, { nonce: NONCE, root });
  return {
    report: parsed,
    text,
    exit,
    output,
    problems: parsed.problems
      .map(({ code, message, file }) => `${file ?? "-"} ${code}: ${message.replaceAll(root, "ROOT")}`)
      .sort(),
    tests: parsed.tests.map(
      ({ id, status, failure }) => `${id}: ${status}${failure ? ` (${failure.kind}, ${failure.origin})` : ""}`,
    ),
    test: (id) => {
      const found = parsed.tests.filter((each) => each.id === id);
      if (found.length !== 1 || found[0] === undefined) throw new Error(`${id} is reported ${found.length} times.`);
      return found[0];
    },
  };
}

/** Runs one file and gives what it left. */
async function runFile(name: string, text: string, more: Readonly<Record<string, string>> = {}): Promise<Ran> {
  return run(await project({ [name]: text, ...more }));
}

let major = 0;
beforeAll(async () => {
  const { output } = await execute(await temporary(), ["node", "--version"], {});
  major = Number(/^v(\d+)/.exec(output)?.[1]);
});

const IMPORTS = `import test, { after, afterEach, before, beforeEach, describe, it } from "node:test";
import assert from "node:assert";\n`;
const SLOW = "await new Promise((done) => setTimeout(done, 400));";

describe("statuses", () => {
  test("each test, group and subtest by its titles, with kind and origin of a failure", async () => {
    const ran = await runFile(
      "test/a.test.js",
      `${IMPORTS}import { boom, wrong } from "../src/code.js";
test("passes", () => {});
test("assertion", () => { assert.strictEqual(wrong(), 2); });
test("error in production", () => { boom(); });
test("error in the test", () => { undefinedName(); });
test("assertion in production", () => { wrong(assert); });
test("throws text", () => { throw "text"; });
test("throws nothing", () => { throw undefined; });
test("callback", (t, done) => { done(new TypeError("called back")); });
test("fakes a frame", () => { throw new Error("x\\n    at boom (" + process.cwd() + "/src/code.js:1:1)"); });
test.skip("skip", () => {});
test("skips itself", (t) => { t.skip("why"); });
test("skips itself and fails", (t) => { t.skip(); throw new Error("x"); });
test.todo("todo");
test.todo("failing todo", () => { throw new Error("x"); });
test("plan", (t) => { t.plan(2); });
test("slow", { timeout: 50 }, async () => { ${SLOW} });
test("rejects unseen", async () => { Promise.reject(new RangeError("unseen")); await new Promise((done) => setTimeout(done, 20)); });
describe("outer", () => { describe("inner", () => { it("deep", () => { assert.ok(0); }); it("fine", () => {}); }); });
describe.skip("skipped group", () => { it("t", () => {}); });
describe("empty group", () => {});
test("parent", async (t) => { await t.test("child", async (t) => { await t.test("grandchild", () => { assert.equal(wrong(), 2); }); }); });
test("own failure", async (t) => { await t.test("child", () => {}); boom(); });
`,
      {
        "src/code.js": `export function boom() { return undefined.x; }
export function wrong(assert) { assert?.equal(1, 2); return 1; }`,
      },
    );
    expect(ran.report).toMatchObject({ whole: true, runner: { name: "node-test" } });
    expect(ran.problems).toEqual([]);
    expect(ran.exit).toBe(1);
    expect(ran.tests.map((line) => line.replace("test/a.test.js > ", ""))).toEqual([
      "passes: passed",
      "assertion: failed (assertion, test)",
      "error in production: failed (error, production)",
      "error in the test: failed (error, test)",
      "assertion in production: failed (assertion, production)",
      "throws text: failed (error, runner)",
      "throws nothing: failed (error, runner)",
      "callback: failed (error, test)",
      "fakes a frame: failed (error, test)",
      "skip: skipped",
      "skips itself: skipped",
      "skips itself and fails: skipped",
      "todo: todo",
      "failing todo: todo",
      "plan: failed (assertion, runner)",
      "slow: timed_out (timeout, runner)",
      "rejects unseen: failed (error, test)",
      "outer > inner > deep: failed (assertion, test)",
      "outer > inner > fine: passed",
      "skipped group: skipped",
      "parent > child > grandchild: failed (assertion, test)",
      "parent > child: failed (assertion, test)",
      "parent: failed (assertion, test)",
      "own failure > child: passed",
      "own failure: failed (error, production)",
    ]);
    expect(ran.test("test/a.test.js > error in production").failure).toMatchObject({
      name: "TypeError",
      message: "Cannot read properties of undefined (reading 'x')",
    });
    expect(ran.test("test/a.test.js > error in production").failure?.frames[0]).toMatchObject({
      file: "src/code.js",
      line: 1,
    });
  });

  test("hooks that fail", async () => {
    const ran = await runFile(
      "hooks.test.js",
      `${IMPORTS}
describe("before", () => { before(() => { assert.ok(0, "in before"); }); it("t", () => {}); });
describe("beforeEach", () => { beforeEach(() => { throw new TypeError("in beforeEach"); }); it("t", () => {}); });
describe("afterEach", () => { afterEach(() => { throw new Error("in afterEach"); }); it("t", () => {}); it("fails", () => { assert.ok(0); }); });
describe("after", () => { after(() => { throw new Error("in after"); }); it("t", () => {}); });
describe.todo("todo", () => { after(() => { throw new Error("in todo"); }); });`,
    );
    expect(ran.tests).toEqual(
      [
        "hooks.test.js > before > t: not_run",
        "hooks.test.js > beforeEach > t: failed (setup, test)",
        "hooks.test.js > afterEach > t: failed (setup, test)",
        "hooks.test.js > afterEach > fails: failed (assertion, test)",
        "hooks.test.js > after > t: passed",
      ].map((line) => line.replace("not_run", "not_run (error, runner)")),
    );
    expect(ran.problems).toEqual([
      'hooks.test.js setup: The group "after" failed: failed running after hook: in after',
      'hooks.test.js setup: The group "before" failed: failed running before hook: AssertionError: in before',
    ]);
    expect(ran.test("hooks.test.js > beforeEach > t").failure?.message).toBe(
      "failed running beforeEach hook: TypeError: in beforeEach",
    );
  });

  test("hooks of the file that fail", async () => {
    const ran = await run(
      await project({
        "after.test.js": `${IMPORTS}after(() => { throw new Error("in after"); }); test("t", () => {});`,
        "before.test.js": `${IMPORTS}before(() => { throw new Error("in before"); }); test("t", () => {});`,
      }),
    );
    expect(ran.tests).toEqual(["after.test.js > t: passed", "before.test.js > t: failed (setup, test)"]);
    expect(ran.problems).toEqual(["after.test.js setup: Error: in after"]);
  });

  test("the same title twice stays twice", async () => {
    const ran = await runFile("a.test.js", `${IMPORTS}test("t", () => {}); test("t", () => { assert.ok(0); });`);
    expect(ran.tests).toEqual(["a.test.js > t: passed", "a.test.js > t: failed (assertion, test)"]);
  });

  test("tests that a shared module defines belong to the file that ran", async () => {
    const ran = await run(
      await project({
        "test/shared/cases.js": `${IMPORTS}export const cases = () => test("shared", () => { assert.ok(0); });`,
        "test/one.test.js": 'import { cases } from "./shared/cases.js"; cases();',
        "test/two.test.js": 'import { cases } from "./shared/cases.js"; cases();',
      }),
      ["node", "--test", "test/one.test.js", "test/two.test.js"],
    );
    expect(ran.tests).toEqual([
      "test/one.test.js > shared: failed (assertion, production)",
      "test/two.test.js > shared: failed (assertion, production)",
    ]);
    expect(nodeTest.parse(ran.text, { isTest: (path) => path.includes("test/") }).tests[0]?.failure?.origin).toBe(
      "test",
    );
  });

  test("a subtest that nobody awaits has not run", async () => {
    const ran = await runFile(
      "a.test.js",
      `${IMPORTS}test("parent", (t) => { t.test("child", async () => { await new Promise((done) => setTimeout(done, 30)); assert.ok(0); }); });`,
    );
    // Node 24 and later wait for it.
    expect(ran.tests).toEqual(
      major < 24
        ? ["a.test.js > parent > child: not_run (error, runner)", "a.test.js > parent: failed (error, runner)"]
        : ["a.test.js > parent > child: failed (assertion, test)", "a.test.js > parent: failed (assertion, test)"],
    );
  });

  test("a promise that never settles is no end", async (context) => {
    // Node 24 and later keep waiting for it, until the host ends the command.
    if (major >= 24) return context.skip();
    const ran = await runFile("a.test.js", `${IMPORTS}test("t", async () => { await new Promise(() => {}); });`);
    expect(ran.tests).toEqual(["a.test.js > t: timed_out (timeout, runner)"]);
    expect(ran.problems).toEqual([]);
  });

  test("a failing todo leaves the exit at 0", async () => {
    const ran = await runFile("a.test.js", `${IMPORTS}test.todo("t", () => { assert.ok(0); });`);
    expect(ran).toMatchObject({ exit: 0, tests: ["a.test.js > t: todo"], problems: [] });
  });

  test("expected failures", async (context) => {
    if (major < 24) return context.skip();
    const ran = await runFile(
      "a.test.js",
      `${IMPORTS}test("fails as said", { expectFailure: true }, () => { assert.ok(0); });
test("passes against its word", { expectFailure: true }, () => {});`,
    );
    expect(ran.tests).toEqual([
      "a.test.js > fails as said: expected_failure",
      "a.test.js > passes against its word: unexpected_pass (error, runner)",
    ]);
  });

  test("a name filter and --test-only leave the others out", async () => {
    const root = await project({
      "a.test.js": `${IMPORTS}test("one", { only: true }, () => {}); test("two", () => {}); describe("g", () => { it("one", () => {}); });`,
      "b.test.js": `${IMPORTS}test("three", () => {});`,
    });
    const filtered = await run(root, ["node", "--test", "--test-name-pattern=one"]);
    expect(filtered).toMatchObject({ tests: ["a.test.js > one: passed", "a.test.js > g > one: passed"], problems: [] });
    const only = await run(root, ["node", "--test", "--test-only", "a.test.js"]);
    expect(only.tests).toContain("a.test.js > one: passed");
    expect(only.tests).not.toContain("a.test.js > two: skipped");
    const none = await run(root, ["node", "--test", "--test-name-pattern", "no such test"]);
    expect(none).toMatchObject({ exit: 0, tests: [], problems: [] });
    expect(none.report.whole).toBe(true);
  });

  test("no test file at all", async () => {
    const ran = await run(await project({ "src/a.js": "" }));
    expect(ran.report).toMatchObject({ whole: true, tests: [], problems: [] });
    const missing = await run(await project({}), ["node", "--test", "missing.test.js"]);
    expect(missing.exit).toBe(1);
    expect(missing.report.whole).toBe(false);
  });
});

describe("files that are no evidence", () => {
  const cases: readonly {
    readonly name: string;
    readonly file?: string;
    readonly text: string;
    readonly more?: Readonly<Record<string, string>>;
    readonly problems: readonly (string | RegExp)[];
    readonly tests?: readonly string[];
    readonly exit?: number;
  }[] = [
    { name: "an empty file", text: "\n", problems: ["collection: This file left no test."], exit: 0 },
    {
      name: "only an empty group",
      text: `${IMPORTS}describe("g", () => {});`,
      problems: ["collection: This file left no test."],
      exit: 0,
    },
    {
      name: "process.exit(0) at the top",
      text: `${IMPORTS}test("t", () => { assert.ok(0); });\nprocess.exit(0);`,
      problems: ["exit: process.exit(0) was called before the tests of this file had ended, at a.test.js:4."],
      exit: 0,
    },
    {
      name: "process.exit(0) in a test",
      text: `${IMPORTS}test("t", () => {});\ntest("leaves", () => { process.exit(0); });\ntest("u", () => { assert.ok(0); });`,
      problems: ["exit: process.exit(0) was called before the tests of this file had ended, at a.test.js:4."],
      exit: 0,
    },
    {
      name: "process.exit(0) in imported production",
      text: `import "./src/leave.js";\n${IMPORTS}test("t", () => { assert.ok(0); });`,
      more: { "src/leave.js": "setTimeout(() => {}, 1000);\nprocess.exit(0);" },
      problems: ["exit: process.exit(0) was called before the tests of this file had ended, at src/leave.js:2."],
      exit: 0,
    },
    {
      name: "process.reallyExit(0), which skips the event",
      text: `${IMPORTS}process.reallyExit(0); test("t", () => { assert.ok(0); });`,
      problems: ["exit: The process of this test file left without the end that a process has (code 0)."],
      exit: 0,
    },
    {
      name: "a process that ends itself by a signal",
      text: `${IMPORTS}test("t", async () => { process.kill(process.pid, "SIGKILL"); ${SLOW} });`,
      problems: ["exit: The process of this test file was ended by SIGKILL."],
      exit: 1,
    },
    {
      name: "an exit code of its own",
      text: `${IMPORTS}test("t", () => {}); process.exitCode = 3;`,
      problems: ["exit: The process of this test file ended with code 3, though no test failed."],
      tests: ["t: passed"],
      exit: 1,
    },
    {
      name: "an error in a group",
      text: `${IMPORTS}describe("g", () => { it("t", () => {}); throw new RangeError("in the group"); });`,
      problems: ['collection: The group "g" failed: RangeError: in the group'],
      tests: ["g > t: not_run (error, runner)"],
      exit: 1,
    },
    {
      name: "a syntax error",
      text: `${IMPORTS}test("t", () => {{);`,
      problems: ["syntax: SyntaxError: Unexpected token ')' (a.test.js:3)"],
      exit: 1,
    },
    {
      name: "a syntax error in production",
      text: `${IMPORTS}import "./src/broken.js"; test("t", () => {});`,
      more: { "src/broken.js": "\nexport const = 1;" },
      problems: ["syntax: SyntaxError: Unexpected token '=' (src/broken.js:2)"],
      exit: 1,
    },
    {
      name: "a missing module",
      text: `${IMPORTS}import { a } from "./src/missing.js"; test("t", () => { a(); });`,
      problems: [/^import: Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module '.*\/src\/missing.js' imported from /],
      exit: 1,
    },
    {
      name: "a missing package",
      text: `${IMPORTS}import "no-such-package"; test("t", () => {});`,
      problems: [/^import: Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package 'no-such-package' imported from /],
      exit: 1,
    },
    {
      name: "a missing module in CommonJS",
      file: "a.test.cjs",
      text: 'const test = require("node:test"); require("./src/missing.cjs"); test("t", () => {});',
      problems: [/^import: Error \[MODULE_NOT_FOUND\]: Cannot find module '\.\/src\/missing\.cjs'/],
      exit: 1,
    },
    {
      name: "a missing export",
      text: `${IMPORTS}import { missing } from "./src/code.js"; test("t", () => { missing(); });`,
      more: { "src/code.js": "export const there = 1;" },
      problems: [
        "import: SyntaxError: The requested module './src/code.js' does not provide an export named 'missing' (a.test.js:3)",
      ],
      exit: 1,
    },
    {
      name: "a missing export of a CommonJS module",
      text: `${IMPORTS}import { missing } from "./src/code.cjs"; test("t", () => { missing(); });`,
      more: { "src/code.cjs": "exports.there = 1;" },
      problems: [/^import: SyntaxError: Named export 'missing' not found\. /],
      exit: 1,
    },
    {
      name: "an error while a CommonJS file is loaded",
      file: "a.test.cjs",
      text: 'const test = require("node:test"); test("t", () => {}); undefined.x;',
      problems: ["collection: TypeError: Cannot read properties of undefined (reading 'x')"],
      exit: 1,
    },
    {
      name: "an error after a test ended",
      text: `${IMPORTS}test("t", () => { setTimeout(() => { throw new Error("late"); }, 20); });`,
      problems: [
        /^unhandled: Test "t" at a\.test\.js:3:1 generated asynchronous activity after the test ended\. This activity created the error "Error: late"/,
      ],
      tests: ["t: passed"],
      exit: 1,
    },
    {
      name: "a rejection outside tests",
      text: `${IMPORTS}test("t", () => {}); Promise.reject(new Error("top"));`,
      problems: [/^unhandled: .*created the error "Error: top" which triggered an unhandledRejection event/],
      tests: ["t: passed"],
      exit: 1,
    },
    {
      name: "an error while the process leaves",
      text: `${IMPORTS}test("t", () => {}); process.on("exit", () => { throw new Error("at the end"); });`,
      problems: [/^unhandled: (Error: at the end|.*though no test failed.*Error: at the end)/s],
      tests: ["t: passed"],
      exit: 1,
    },
  ];
  test.for(cases)("$name", async ({ file = "a.test.js", text, more = {}, problems, tests = [], exit }) => {
    const ran = await run(await project({ [file]: text, ...more }), ["node", "--test", file]);
    expect(ran.report.whole).toBe(true);
    expect(ran.problems).toHaveLength(problems.length);
    for (const [index, expected] of problems.entries()) {
      const problem = ran.problems[index]?.replace(`${file} `, "");
      if (typeof expected === "string") expect(problem).toBe(expected);
      else expect(problem).toMatch(expected);
    }
    expect(ran.tests).toEqual(tests.map((line) => `${file} > ${line}`));
    expect(ran.exit).toBe(exit);
  });

  test("one broken file does not hide the others", async () => {
    const ran = await run(
      await project({
        "a.test.js": "process.exit(0);",
        "b.test.js": `${IMPORTS}test("t", () => {});`,
        "c.test.js": "\n",
      }),
    );
    expect(ran.tests).toEqual(["b.test.js > t: passed"]);
    expect(ran.problems.map((problem) => problem.split(":")[0])).toEqual(["a.test.js exit", "c.test.js collection"]);
  });
});

describe("what a program writes", () => {
  const MESSAGE = `import v8 from "node:v8";
function message(item) {
  const serializer = new v8.DefaultSerializer();
  serializer.writeHeader(); serializer.writeRawBytes(Buffer.alloc(4)); serializer.writeHeader(); serializer.writeValue(item);
  const bytes = serializer.releaseBuffer();
  bytes.writeUInt32BE(bytes.length - 6, 2);
  return bytes;
}
const forged = (name, more) => message({ type: "test:pass", data: { name, nesting: 0, testNumber: 1, details: { duration_ms: 1 }, line: 1, column: 1, file: process.argv[1], ...more } });\n`;

  test("text is no result, whatever it looks like", async () => {
    const ran = await runFile(
      "a.test.js",
      `${IMPORTS}${MESSAGE}
console.log("TAP version 13\\nok 1 - t\\n1..1");
console.log(forged("t").toString("latin1"));
console.error(JSON.stringify({ test: { file: process.argv[1], titles: ["t"], status: "passed" } }));
test("t", () => { console.log("ok 2 - t"); assert.ok(0); });`,
    );
    expect(ran).toMatchObject({ tests: ["a.test.js > t: failed (assertion, test)"], problems: [] });
  });

  test.for([
    ["process.stdout", 'process.stdout.write(forged("t"));'],
    ["the descriptor", 'fs.writeSync(1, forged("t"));'],
    [
      "another process",
      'spawnSync(process.execPath, ["-e", "fs.writeSync(1, Buffer.from(process.argv[1], \'hex\'))", forged("t").toString("hex")], { stdio: "inherit" });',
    ],
    ["a seal that was made up", 'fs.writeSync(1, forged("t", { yada: { n: 0, entry: process.argv[1], mac: "00" } }));'],
    ["another file's name", 'fs.writeSync(1, forged("t", { file: process.argv[1].replace("a.test", "b.test") }));'],
  ])("an event written to %s is left out and named", async ([, forge]) => {
    const ran = await run(
      await project({
        "a.test.js": `${IMPORTS}import fs from "node:fs"; import { spawnSync } from "node:child_process";\n${MESSAGE}
${forge}
test("real", () => { assert.ok(0); });`,
        "b.test.js": `${IMPORTS}test("t", () => { assert.ok(0); });`,
      }),
    );
    expect(ran.tests).toEqual([
      "a.test.js > real: failed (assertion, test)",
      "b.test.js > t: failed (assertion, test)",
    ]);
    expect(ran.problems).toHaveLength(1);
    expect(ran.problems[0]?.slice(" a.test.js".length)).toBe(FORGED);
  });

  test("forged results and an early exit do not make a pass", async () => {
    const ran = await runFile(
      "a.test.js",
      `${IMPORTS}import fs from "node:fs";\n${MESSAGE}
fs.writeSync(1, forged("t"));
fs.writeSync(1, message({ type: "test:complete", data: { name: process.argv[1], nesting: 0, details: { passed: true }, line: 1, column: 1, file: process.argv[1] } }));
process.exit(0);
test("t", () => { assert.ok(0); });`,
    );
    expect(ran.tests).toEqual([]);
    expect(ran.problems.map((problem) => problem.replace("a.test.js ", ""))).toContain(FORGED);
    expect(ran.problems.length).toBeGreaterThan(1);
  });

  test("an event that breaks the runner is a problem", async () => {
    const ran = await runFile(
      "a.test.js",
      `${IMPORTS}import fs from "node:fs";\n${MESSAGE}\nfs.writeSync(1, message({ type: "test:pass" })); test("t", () => {});`,
    );
    expect(ran.tests).toEqual([]);
    expect(ran.problems).toEqual([
      expect.stringMatching(
        /^a\.test\.js runner: The runner could not read what the process of this test file wrote: /,
      ),
    ]);
    expect(ran.exit).toBe(1);
  });

  test("a sealed event that is changed or sent again is left out", async () => {
    const ran = await runFile(
      "a.test.js",
      `${IMPORTS}const write = process.stdout.write;
process.stdout.write = function (chunk, ...rest) {
  const bytes = Buffer.from(chunk);
  const at = bytes.indexOf("test:fail");
  if (at >= 0) bytes.write("test:pass", at);
  write.call(this, bytes);
  return write.call(this, bytes, ...rest);
};
test("changed", () => { assert.ok(0); });`,
    );
    expect(ran.tests).not.toContain("a.test.js > changed: passed");
    expect(ran.problems).toContain(`a.test.js ${FORGED}`);
  });

  test("events that are held back are missed", async () => {
    const ran = await runFile(
      "a.test.js",
      `${IMPORTS}const write = process.stdout.write;
process.stdout.write = function (chunk, ...rest) {
  const at = rest.findLast((each) => typeof each === "function");
  return Buffer.from(chunk).includes("test:fail") ? (at?.(), true) : write.call(this, chunk, ...rest);
};
test("held back", () => { assert.ok(0); });
test("other", () => {});`,
    );
    expect(ran.tests).toEqual(["a.test.js > other: passed"]);
    expect(ran.problems.at(-1)).toMatch(/^a\.test\.js runner: 1 events of this test file never reached the runner/);
  });

  test("the report's place and the run's word are not told to the tests, and files at guessed places change nothing", async () => {
    const line = JSON.stringify({ test: { file: "a.test.js", titles: ["t"], status: "passed" } });
    const ran = await runFile(
      "a.test.js",
      `${IMPORTS}import fs from "node:fs";
for (const name of ["report", "report.jsonl", ".yada-report", process.env.TMPDIR + "/report.jsonl"]) fs.writeFileSync(name, ${JSON.stringify(line)});
test("t", () => { assert.deepEqual(Object.keys(process.env).filter((name) => /YADA/.test(name)), ["any"]); });
test("arguments", () => { assert.ok(![...process.argv, ...process.execArgv].some((word) => /reporter|preload|report\\.jsonl/.test(word))); });`,
    );
    expect(ran).toMatchObject({
      tests: ["a.test.js > t: failed (assertion, test)", "a.test.js > arguments: passed"],
      problems: [],
    });
    expect(ran.test("a.test.js > t").failure?.message).toMatch(/\[\]/);
  });

  test("a report that something else wrote into says so", async () => {
    const ran = await runFile(
      "a.test.js",
      `${IMPORTS}import fs from "node:fs";
const target = /YADA_REPORT=([^\\0]+)/.exec(fs.readFileSync("/proc/" + process.ppid + "/environ", "utf8"))[1];
test("t", () => { fs.appendFileSync(target, JSON.stringify({ test: { file: process.argv[1], titles: ["u"], status: "passed" } }) + "\\n"); });`,
    );
    expect(ran.problems).toContain("- runner: Something else wrote into the report.");
  });

  test("a report of another run is refused", async () => {
    const ran = await runFile("a.test.js", `${IMPORTS}test("t", () => {});`);
    expect(nodeTest.parse(ran.text, { nonce: "another" })).toMatchObject({ whole: false, tests: [] });
    expect(nodeTest.parse(ran.text.split("\n").slice(0, -2).join("\n"), { nonce: NONCE }).whole).toBe(false);
  });
});

describe("honest programs are not disturbed", () => {
  test("processes, threads, serializers and mocked output", async () => {
    const ran = await runFile(
      "a.test.js",
      `${IMPORTS}import v8 from "node:v8"; import { fork, spawnSync } from "node:child_process"; import { once } from "node:events"; import { Worker } from "node:worker_threads";
test("fork", async () => { const child = fork("./src/child.js"); const [message] = await once(child, "message"); assert.deepEqual(message, []); });
test("worker", async () => { const worker = new Worker("./src/worker.js"); const [message] = await once(worker, "message"); assert.equal(message, 1); });
test("spawn", () => { const { stdout } = spawnSync(process.execPath, ["-p", "1"], { encoding: "utf8" }); assert.equal(stdout.trim(), "1"); });
test("serialize", () => { const value = { type: "test:pass", data: { name: "x" } }; assert.deepEqual(v8.deserialize(v8.serialize(value)), value); });
test("mock stdout", (t) => { const { mock } = t.mock.method(process.stdout, "write", () => true); console.log("x"); assert.equal(mock.calls.length > 0, true); t.mock.restoreAll(); });
test("mock exit", (t) => { const { mock } = t.mock.method(process, "exit", () => {}); process.exit(1); assert.equal(mock.calls.length, 1); });
test("stack hooks", () => { Error.prepareStackTrace = () => "x"; Error.stackTraceLimit = 0; });
test("runs no file of its own twice", () => { spawnSync(process.execPath, ["--test", "src"], { stdio: "pipe" }); });`,
      {
        "src/child.js": "process.send(process.execArgv.filter((word) => /preload/.test(word)));",
        "src/worker.js": 'import { parentPort } from "node:worker_threads"; parentPort.postMessage(1);',
      },
    );
    expect(ran.tests.filter((line) => !line.endsWith(": passed"))).toEqual([]);
    expect(ran.report.tests).toHaveLength(8);
    expect(ran.problems).toEqual([]);
    expect(ran.exit).toBe(0);
  });

  test("a run of node:test inside a test is no result of this run", async () => {
    const ran = await runFile(
      "a.test.js",
      `${IMPORTS}import { spawnSync } from "node:child_process";
test("outer", () => { spawnSync(process.execPath, ["inner.js"], { stdio: "inherit" }); });`,
      { "inner.js": `${IMPORTS}test("inner", () => { assert.ok(0); });` },
    );
    expect(ran.tests).toEqual(["a.test.js > outer: passed"]);
    expect(ran.problems).toEqual([`- ${FORGED}`]);
  });

  test("--test-force-exit leaves by itself", async () => {
    const ran = await run(
      await project({ "a.test.js": `${IMPORTS}setInterval(() => {}, 1000); test("t", () => {});` }),
      ["node", "--test-force-exit", "--test"],
    );
    expect(ran).toMatchObject({ tests: ["a.test.js > t: passed"], problems: [], exit: 0 });
  });

  test("--require and --import are loaded for the tests, and --require not into the runner", async () => {
    const root = await project({
      "setup.cjs":
        'globalThis.required = true; require("fs").appendFileSync("loaded.txt", (process.env.NODE_TEST_CONTEXT ?? "runner") + "\\n");',
      "setup.mjs":
        'globalThis.imported = globalThis.required; import("node:fs").then((fs) => fs.appendFileSync("loaded.txt", (process.env.NODE_TEST_CONTEXT ?? "runner") + "\\n"));',
      "a.test.js": `${IMPORTS}test("t", () => { assert.equal(globalThis.imported, true); });`,
    });
    const ran = await run(root, ["node", "-r", "./setup.cjs", "--import", "./setup.mjs", "--test"]);
    expect(ran).toMatchObject({ tests: ["a.test.js > t: passed"], problems: [] });
    expect(await readFile(join(root, "loaded.txt"), "utf8")).toBe("child-v8\nchild-v8\n");
  });

  test("a CommonJS test file is loaded as it is without Yada", async () => {
    const root = await project({
      "package.json": "{}",
      "hook.cjs":
        'require.extensions[".foo"] = (module, path) => module._compile(require("fs").readFileSync(path, "utf8").replace("FOO", "1"), path);',
      "a.test.foo":
        'const test = require("node:test"); test("t", () => { if (FOO !== 1 || require.main !== module) throw new Error("x"); });',
    });
    const ran = await run(root, ["node", "-r", "./hook.cjs", "--test", "a.test.foo"]);
    expect(ran).toMatchObject({ tests: ["a.test.foo > t: passed"], problems: [] });
  });

  test("globs, on every version of Node", async () => {
    const file = `${IMPORTS}test("t", () => {});`;
    const root = await project({
      "test/a.test.js": file,
      "test/b.spec.js": file,
      "test/deep/er/c.test.js": file,
      "test/node_modules/d.test.js": file,
      "test/.e.test.js": file,
    });
    const found = async (glob: string): Promise<readonly string[]> => {
      const ran = await run(root, ["node", "--test", glob]);
      return ran.report.tests.map((each) => each.file).sort();
    };
    expect(await found("test/*.test.js")).toEqual(["test/a.test.js"]);
    expect(await found("./test/*.{test,spec}.js")).toEqual(["test/a.test.js", "test/b.spec.js"]);
    expect(await found("test/**/*.test.?s")).toEqual(["test/a.test.js", "test/deep/er/c.test.js"]);
    expect(await found("test/[!a].*")).toEqual(["test/b.spec.js"]);
    expect(await found("none/*.js")).toEqual([]);
  });

  test("files with characters that globs use", async () => {
    const root = await project({
      "[id].test.js": `${IMPORTS}test("t", () => {});`,
      "{a,b}/(c)/+d@1!.test.js": `${IMPORTS}test("t", () => {});`,
      "d.test.js": `${IMPORTS}test("t", () => {});`,
      "other.test.js": `${IMPORTS}test("t", () => {});`,
    });
    const ran = await run(
      root,
      nodeTest.select(["node", "--test", "src"], ["[id].test.js", "{a,b}/(c)/+d@1!.test.js"]),
    );
    expect(ran.tests.toSorted()).toEqual(["[id].test.js > t: passed", "{a,b}/(c)/+d@1!.test.js > t: passed"]);
  });
});

describe("canary", () => {
  const SEED = "5eed-0f-this-run";

  function canaryOf(file: string, source: string) {
    const canary = nodeTest.canary({ file, name: "group > target" }, source, SEED);
    if (canary === null) throw new Error(`No canary for ${file}.`);
    return canary;
  }

  /** The ways of failing that were not reported as failing. */
  async function muted(files: Readonly<Record<string, string>>, argv?: readonly string[]) {
    const canary = canaryOf("a.test.js", files["a.test.js"] ?? "");
    const ran = await run(await project({ ...files, [canary.path]: canary.text }), argv);
    const failing = new Set(ran.report.tests.flatMap(({ name, status }) => (status === "failed" ? [name] : [])));
    const way = (name: string): string => name.replace(/^group target \w+ /, "");
    const silent = canary.names.filter((name) => !failing.has(name)).map(way);
    const loud = canary.names.filter((name) => failing.has(name)).map(way);
    return { ran, silent, loud, ways: canary.names.length };
  }

  const TARGET = 'describe("group", () => { it("target", () => { assert.equal(value, 2); }); });';

  test("fails in every way in every kind of file", async () => {
    const sources: Record<string, string> = {
      "module.test.js": `${IMPORTS}test("target", () => {});`,
      "module.test.mjs": 'import { test } from "node:test"; test("target", () => {}); // the end',
      "common.test.cjs":
        'const { test } = require("node:test"); const assert = require("node:assert"); test("target", () => {});',
      "sub/common.test.js":
        '"use strict"; const test = require("node:test"); test("target", (t) => { t.diagnostic("x"); });',
      "names.test.js":
        'import { test } from "node:test"; const assert = 1, context = 2, require = 3; test("target", () => {});',
    };
    const canaries = Object.entries(sources).map(([file, source]) => canaryOf(file, source));
    const root = await project({
      "sub/package.json": '{"type":"commonjs"}',
      ...Object.fromEntries(canaries.map(({ path, text }) => [path, text])),
    });
    const ran = await run(root);
    expect(ran.problems).toEqual([]);
    for (const { path, names } of canaries) {
      expect(names).toHaveLength(37);
      for (const name of names) expect(ran.test(`${path} > ${name}`).status).toBe("failed");
    }
    expect(ran.report.tests.filter(({ status }) => status === "passed")).toHaveLength(Object.keys(sources).length);
  });

  test("TypeScript, where Node strips types", async (context) => {
    if (major < 22) return context.skip();
    const { path, text, names } = canaryOf(
      "a.test.ts",
      'import test from "node:test"; const n: number = 1; test("target", () => { n.toFixed(); });',
    );
    const ran = await run(await project({ [path]: text }), ["node", "--experimental-strip-types", "--test", path]);
    expect(ran.problems).toEqual([]);
    for (const name of names) expect(ran.test(`${path} > ${name}`).status).toBe("failed");
  });

  test("uses the methods of the test context where the file does", async (context) => {
    if (major < 22) return context.skip();
    const source = `${IMPORTS}test("target", (t) => { t.assert.equal(1, 1); });`;
    expect(await muted({ "a.test.js": source })).toMatchObject({ silent: [], ways: 39 });
  });

  test("uses the assertion libraries that the file uses", async () => {
    const chai =
      "export const expect = () => ({ to: { equal() {}, deep: { equal() {} } } }); export const assert = { strictEqual() {} };";
    const { silent } = await muted({
      "node_modules/chai/package.json": '{"name":"chai","type":"module","exports":"./index.js"}',
      "node_modules/chai/index.js": chai,
      "a.test.js": `${IMPORTS}import { expect } from "chai"; test("target", () => { expect(1).to.equal(2); });`,
    });
    expect(silent).toEqual(["chai expect", "chai deep", "chai assert"]);
  });

  test("runs under a name filter for the target, and beside only", async () => {
    const files = {
      "src/code.js": "export const value = 2;",
      "a.test.js": `${IMPORTS}import { value } from "./src/code.js"; ${TARGET}`,
    };
    expect(await muted(files, ["node", "--test", "--test-name-pattern", "target"])).toMatchObject({ silent: [] });
    const only = { ...files, "a.test.js": files["a.test.js"].replace('it("', 'it.only("') };
    expect(await muted(only, ["node", "--test", "--test-only"])).toMatchObject({ silent: [] });
  });

  test.for([
    ["one method", 'import assert from "node:assert"; assert.equal = () => {};', ["assert equal"]],
    [
      "the object that strict shares",
      'import assert from "node:assert"; assert.strict.strictEqual = () => {}; assert.strictEqual = () => {};',
      ["assert strictEqual", "strict strictEqual"],
    ],
    [
      "everything",
      'import assert from "node:assert"; for (const object of [assert, assert.strict]) for (const name of Object.keys(object)) if (typeof object[name] === "function" && !/^[A-Z]/.test(name)) object[name] = () => {};',
      null,
    ],
  ] as const)("is silent where production mutes %s, except for what is thrown", async ([, mute, expected]) => {
    const { silent, loud, ran } = await muted({
      "src/code.js": `${mute}\nexport const value = 1;`,
      "a.test.js": `${IMPORTS}import { value } from "./src/code.js"; ${TARGET.replace("assert.equal", mute.includes("strictEqual") ? "assert.strictEqual" : "assert.equal")}`,
    });
    expect(ran.test("a.test.js > group > target").status).toBe("passed");
    expect(loud).toContain("throw");
    if (expected === null) expect(loud).toEqual(["assert call", "strict call", "throw"]);
    else expect(silent).toEqual(expected);
  });

  test("its names cannot be guessed and stay the same for one seed", () => {
    const source = 'import test from "node:test";';
    const [first, again, other] = [SEED, SEED, "another"].map(
      (seed) => nodeTest.canary({ file: "a.test.js", name: "t" }, source, seed)?.names,
    );
    expect(first).toEqual(again);
    expect(first?.some((name) => other?.includes(name))).toBe(false);
  });

  test.for([
    ["a.test.py", 'import test from "node:test";'],
    ["a.test.js", "// nothing is imported"],
  ] as const)("there is none for %s: %s", ([file, source]) => {
    expect(nodeTest.canary({ file, name: "t" }, source, SEED)).toBeNull();
  });
});

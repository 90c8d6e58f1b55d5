import { describe, expect, test } from "vitest";
import type { FileView } from "../../../core/plugin/mod.ts";
import { nodeTest } from "./mod.ts";

function view(files: Readonly<Record<string, string>>): FileView {
  return { list: () => Object.keys(files), text: async (path) => files[path] ?? null };
}

function withScripts(scripts: Readonly<Record<string, string>>): FileView {
  return view({ "package.json": JSON.stringify({ scripts }) });
}

function words(line: string): string[] {
  return line.split(" ");
}

describe("recognises", () => {
  test.for([
    "node --test",
    "node --test test/a.test.js",
    "/usr/local/bin/node --test",
    "node --import tsx --test",
    "node --import=tsx --enable-source-maps --experimental-strip-types --test --test-concurrency 1 src",
    "node -r ./setup.cjs --test",
    "node --test-reporter spec --test",
    "env A=1 node --test",
    "cross-env NODE_ENV=test node --test",
    "tsx --test",
    "npx tsx --test test/a.test.ts",
  ])("%s", (line) => {
    expect(nodeTest.recognises(words(line))).toBe(true);
  });

  test.for([
    "node test/a.test.js",
    "node test/run.js --test",
    "node --import --test a.js",
    "node -- --test",
    "node --test --eval 1",
    "node --check --test",
    "node --version --test",
    "vitest run",
    "npm test",
    "npx mocha --test",
    "nodemon --test",
    "",
  ])("not: %s", (line) => {
    expect(nodeTest.recognises(words(line))).toBe(false);
  });
});

describe("resolve", () => {
  test.for([
    ["npm test", "node --test"],
    ["npm run unit", "env NODE_ENV=test node --test test/unit"],
    ["npm test -- test/a.test.js", "node --test test/a.test.js"],
    ["npm run cover", "node --test --test-concurrency=1"],
    ["npm run cover-env", "env A=1 node --test"],
    ["npm run globs", "node --test test/*.test.js test/*/*.js test/**/*.js"],
    ["node --test", "node --test"],
  ])("%s", async ([line, expected]) => {
    const files = withScripts({
      test: "node --test",
      unit: "NODE_ENV=test node --test test/unit",
      cover: "c8 --reporter=lcov --check-coverage node --test --test-concurrency=1",
      "cover-env": "A=1 npx c8 node --test",
      globs: "node --test test/*.test.js test/**/*.js 'test/**/*.js'",
    });
    expect(await nodeTest.resolve(words(line ?? ""), files)).toEqual({ argv: words(expected ?? "") });
  });

  test.for([
    ["node --test > out.txt", "shell"],
    ["tsc && node --test", "shell"],
    ["mocha", 'not a plain "node --test" command'],
    ["node --test --test-shard=1/2", "only a part of the files"],
    ["node --test --test-update-snapshots", "rewrites snapshots"],
    ["node --test --test-rerun-failures=state.json", "an earlier run"],
    ["node --test --test-isolation=none", "the process that judges"],
    ["node --test --experimental-test-isolation none", "the process that judges"],
    ["NODE_OPTIONS='--require ./setup.cjs' node --test", "the process that judges"],
  ])("refuses %s", async ([script, why]) => {
    const result = await nodeTest.resolve(["npm", "test"], withScripts({ test: script ?? "" }));
    expect(result).toEqual({ why: expect.stringContaining(why ?? "") });
  });
});

describe("prepare", () => {
  const prepare = (line: string) => nodeTest.prepare(words(line), { nonce: "n" });
  const REPORTERS =
    "--test-reporter={support}/reporter.mjs --test-reporter-destination=stderr --test-reporter=spec --test-reporter-destination=stdout";

  test.for([
    ["node --test", `node --require={support}/preload.cjs --test ${REPORTERS}`],
    [
      "node --test --test-reporter tap --test-reporter-destination out.txt --watch --experimental-test-coverage a.js",
      `node --require={support}/preload.cjs --test ${REPORTERS} a.js`,
    ],
    [
      "node --import tsx --inspect --test --test-concurrency 2 --test-name-pattern=x src/a.test.ts",
      `node --require={support}/preload.cjs --import tsx --test-concurrency 2 --test-name-pattern=x --test ${REPORTERS} src/a.test.ts`,
    ],
    [
      "npx tsx --test [id].test.ts",
      `tsx --require={support}/operands.cjs --require={support}/preload.cjs --test ${REPORTERS} [id].test.ts`,
    ],
  ])("%s", ([line, expected]) => {
    expect(prepare(line ?? "").argv.join(" ")).toBe(expected);
  });

  test("hands on what is for the processes of the tests alone", () => {
    const { argv, env } = prepare("env A=1 CI=0 node -r ./a.cjs --require=b --test-force-exit --test");
    expect(argv.join(" ")).toBe(`node --require={support}/preload.cjs --test ${REPORTERS}`);
    expect(env).toEqual({
      A: "1",
      CI: "1",
      NO_COLOR: "1",
      YADA_REPORT: "{report}",
      YADA_NONCE: "n",
      YADA_TESTS: '{"require":["./a.cjs","b"],"flags":["--test-force-exit"]}',
    });
  });

  test("brings its files", () => {
    const { files, report } = prepare("node --test a*.js");
    expect(Object.keys(files).sort()).toEqual(["operands.cjs", "preload.cjs", "reporter.mjs"]);
    expect(report).toBe("file");
  });
});

describe("select", () => {
  test.for([
    ["node --test", "node --test a.test.js"],
    ["node --import tsx --test src test/*.js", "node --import tsx --test a.test.js"],
    ["env A=1 node --test --test-name-pattern x", "env A=1 node --test --test-name-pattern x a.test.js"],
    ["npx tsx --test src", "tsx --test a.test.js"],
    ["vitest run", "vitest run"],
  ])("%s", ([line, expected]) => {
    expect(nodeTest.select(words(line ?? ""), ["a.test.js"]).join(" ")).toBe(expected);
  });

  test("a file whose name opens with a dash is no option", () => {
    expect(nodeTest.select(["node", "--test"], ["-a.js"])).toEqual(["node", "--test", "./-a.js"]);
  });
});

import { describe, expect, test } from "vitest";
import type { FileView } from "../../../core/plugin/mod.ts";
import { readArguments } from "./arguments.ts";
import { prepare, recognises, resolve, select } from "./command.ts";

const words = (line: string): string[] => line.split(" ");

function view(files: Readonly<Record<string, string>>): FileView {
  return { list: () => Object.keys(files), text: async (path) => files[path] ?? null };
}

describe("recognises", () => {
  test.each([
    "vitest",
    "npx vitest run a.test.ts",
    "node_modules/.bin/vitest watch",
    "yarn vitest",
    "pnpm exec vitest run",
  ])("%s", (line) => {
    expect(recognises(words(line))).toBe(true);
  });

  test.each([
    "npx vitest list",
    "vitest bench",
    "vitest related src/a.ts",
    "vitest init browser",
    "npx jest",
    "node --test",
  ])("not %s", (line) => {
    expect(recognises(words(line))).toBe(false);
  });
});

describe("resolve", () => {
  const files = view({
    "package.json": JSON.stringify({ scripts: { test: "vitest", lint: "biome check", all: "tsc && vitest" } }),
  });

  test.each([
    ["npm test", "vitest"],
    ["npm test -- -t x a.test.ts", "vitest -t x a.test.ts"],
    ["npx vitest run", "npx vitest run"],
    ["npx vitest run --config packages/a/vitest.config.ts", "npx vitest run --config packages/a/vitest.config.ts"],
    ["npx vitest run --config vitest.unit.config.mts", "npx vitest run --config vitest.unit.config.mts"],
    ["npx vitest run --update=none", "npx vitest run --update=none"],
    ["npx vitest run --environment jsdom", "npx vitest run --environment jsdom"],
  ])("%s becomes %s", async (line, argv) => {
    expect(await resolve(words(line), files)).toEqual({ argv: words(argv) });
  });

  test.each([
    ["npm run lint", /not a plain command that starts the installed vitest/],
    ["npm run all", /needs a shell/],
    ["npx vitest list", /does not run tests/],
    ["npx vitest -u", /snapshots/],
    ["npx vitest run --update", /snapshots/],
    ["npx vitest run --update all", /snapshots/],
    ["npx vitest run --merge-reports=x", /earlier run/],
    ["npx vitest run --standalone", /runs no test/],
    ["npx vitest run -c test/own.ts", /names a configuration/],
    ["npx vitest run --config=src/vitest.config.ts/evil.ts", /names a configuration/],
    ["npx vitest run --exec-argv=--import=./src/mute.js", /loads code/],
    ["npx vitest run --execArgv=--import=./src/mute.js", /loads code/],
    ["npx vitest run --environment ./test/environment.ts", /names a module/],
    ["npx vitest run --pool=./pool.js", /names a module/],
  ])("%s is refused: %s", async (line, why) => {
    expect(await resolve(words(line), files)).toEqual({ why: expect.stringMatching(why) });
  });
});

describe("prepare", () => {
  const OURS = ["--reporter={support}/reporter.mjs", "--reporter=default", "--coverage.enabled=false"];

  test.each([
    ["npx vitest", "vitest run"],
    ["vitest run a.test.ts -t x", "vitest run a.test.ts -t x"],
    ["vitest watch a.test.ts", "vitest run a.test.ts"],
    ["vitest --watch --ui --open -w --run", "vitest run"],
    ["vitest run --reporter=json --reporter verbose --outputFile=a.json --outputFile.junit=b.xml", "vitest run"],
    ["vitest run --reporters json --output-file a.json", "vitest run"],
    ["vitest run --coverage --coverage.provider=v8 --coverage.reporter text a.test.ts", "vitest run a.test.ts"],
    ["vitest --no-isolate --passWithNoTests a.test.ts", "vitest run a.test.ts --no-isolate --passWithNoTests"],
    ["node_modules/.bin/vitest run --project a --project b", "node_modules/.bin/vitest run --project a --project b"],
  ])("%s", (line, start) => {
    expect(prepare(words(line), { nonce: "n" }).argv).toEqual([...words(start), ...OURS]);
  });

  test("asks for the report in a file, with the nonce, and says that nobody is there", () => {
    const prepared = prepare(["cross-env", "CI=", "YADA_NONCE=x", "A=1", "vitest"], { nonce: "n" });
    expect(prepared.report).toBe("file");
    expect(prepared.env).toMatchObject({ YADA_REPORT: "{report}", YADA_NONCE: "n", CI: "1", A: "1" });
    expect(Object.keys(prepared.files)).toEqual(["reporter.mjs"]);
  });
});

describe("select", () => {
  test.each([
    ["npx vitest run", "npx vitest run b.test.ts"],
    ["vitest", "vitest b.test.ts"],
    ["vitest run {files}", "vitest run b.test.ts"],
    ["vitest run a.test.ts src -t x", "vitest run b.test.ts -t x"],
    ["vitest --no-isolate a.test.ts --dir packages/a", "vitest b.test.ts --no-isolate --dir packages/a"],
    ["env A=1 npx vitest run a", "env A=1 npx vitest run b.test.ts"],
  ])("%s", (line, selected) => {
    expect(select(words(line), ["b.test.ts"])).toEqual(words(selected));
  });
});

test("options take their value with a blank, with =, or not at all", () => {
  const { options, filters, subcommand } = readArguments(
    words("run --retry 3 --bail=1 --coverage a --no-color b -t c --dir"),
  );
  expect(subcommand).toBe("run");
  expect(filters).toEqual(["a", "b"]);
  expect(options.map(({ name, value }) => [name, value])).toEqual([
    ["retry", "3"],
    ["bail", "1"],
    ["coverage", undefined],
    ["color", undefined],
    ["testNamePattern", "c"],
    ["dir", undefined],
  ]);
});

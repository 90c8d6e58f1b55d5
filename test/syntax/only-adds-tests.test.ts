import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedTests, onlyAddsTests } from "../../core/syntax/mod.ts";
import { nodeGrammars } from "../../hosts/node/grammars/mod.ts";

const grammars = nodeGrammars();
const BASE = `import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { total } from "../src/total.js";

const cents = [100, 200];

test("adds", () => {
  assert.equal(total(cents), 3);
});

describe("rounding", () => {
  test("up", () => {
    assert.equal(total([150]), 2);
  });
});
`;
const NEW = `test("new", () => {
  assert.equal(total([-150]), -2);
});
`;
const at = (marker: string, text: string) => BASE.replace(marker, `${text}${marker}`);

const additive: readonly [string, string][] = [
  ["a test at the end", `${BASE}\n${NEW}`],
  ["a test at the beginning", at('test("adds"', NEW)],
  ["a test inside an existing group", at('  test("up"', NEW)],
  ["a new group", `${BASE}\ndescribe("more", () => {\n  ${NEW}});\n`],
  ["a nested new group", `${BASE}\ndescribe("more", () => { describe("inner", () => { ${NEW} }); });\n`],
  ["an import of a new name", `import { format } from "../src/format.js";\n${BASE}\n${NEW}`],
  ["a new constant", `${BASE}\nconst more = [1, 2, 3];\n${NEW}`],
  ["a new helper function", `${BASE}\nfunction half(n) {\n  return n / 2;\n}\n${NEW}`],
  ["a required module", `${BASE}\nconst { readFileSync } = require("node:fs");\n`],
  ["a skipped new test", `${BASE}\ntest.skip("later", () => {});\n`],
  ["a table of new tests", `${BASE}\ntest.each([[1, 2]])("row", (a, b) => {\n  assert.ok(a < b);\n});\n`],
  ["a comment", `// words\n${BASE}`],
  ["nothing", BASE],
  ["a new test with options", `${BASE}\ntest("slow", { timeout: 500 }, () => {\n  assert.ok(total([1]) === 0);\n});\n`],
  [
    "a new test that assigns to its own names",
    `${BASE}\ntest("own", () => {\n  let sum = 0;\n  sum += 1;\n  assert.equal(sum, 1);\n});\n`,
  ],
];

const other: readonly [string, string][] = [
  ["an early return in an existing test", BASE.replace('test("adds", () => {\n', 'test("adds", () => {\n  return;\n')],
  [
    "a line inserted into an existing test",
    BASE.replace("  assert.equal(total(cents), 3);", "  cents.pop();\n  assert.equal(total(cents), 3);"),
  ],
  ["a test removed", BASE.replace(/test\("adds"[\s\S]*?\}\);\n/, "")],
  ["a test skipped", BASE.replace('test("adds"', 'test.skip("adds"')],
  ["a group skipped", BASE.replace('describe("rounding"', 'describe.skip("rounding"')],
  ["a value loosened", BASE.replace("assert.equal(total([150]), 2)", "assert.ok(total([150]))")],
  ["test.only added", `${BASE}\ntest.only("new", () => {});\n`],
  ["an only option", `${BASE}\ntest("new", { only: true }, () => {});\n`],
  ["describe.only added", `${BASE}\ndescribe.only("new", () => { ${NEW} });\n`],
  ["a hook added", `${BASE}\nbeforeEach(() => {});\n`],
  ["a hook in an existing group", at('  test("up"', "before(() => {});\n  ")],
  ["a call at the top", `${BASE}\nprocess.exit(0);\n`],
  ["a call hidden in a constant", `${BASE}\nconst quiet = Object.assign(assert, { equal() {} });\n`],
  ["an assignment at the top", `${BASE}\nassert.equal = () => {};\n`],
  [
    "an assignment to what the file shares, in a new test",
    `${BASE}\ntest("new", () => {\n  assert.equal = () => {};\n});\n`,
  ],
  [
    "a new test that redefines what the file shares",
    `${BASE}\ntest("new", () => {\n  Object.defineProperty(assert, "equal", { value() {} });\n});\n`,
  ],
  ["a new test that leaves the process", `${BASE}\ntest("new", () => {\n  process.exit(0);\n});\n`],
  ["a declaration that shadows", `${BASE}\nfunction total() {\n  return 3;\n}\n`],
  ["a local expect", `${BASE}\nconst expect = () => ({});\n`],
  ["an import that shadows", `import { expect } from "../src/fake.js";\n${BASE}`],
  ["a side-effect import", `import "../src/evil.js";\n${BASE}`],
  ["a mock at the top", `${BASE}\nvi.mock("../src/total.js");\n`],
  ["a duplicate title", `${BASE}\ntest("adds", () => {});\n`],
  ["a title that is computed", `${BASE}\ntest(makeTitle(), () => {});\n`],
  ["a group that does more than hold tests", `${BASE}\ndescribe("more", () => {\n  assert.equal = () => {};\n});\n`],
  [
    "code in the table of a new test",
    `${BASE}\ntest.each(sabotage())("row", () => {});\n`.replace(
      "test.each(sabotage())",
      "test.each((assert.equal = () => {}, []))",
    ),
  ],
  [
    "the order changed",
    BASE.replace("const cents = [100, 200];\n\n", "").replace(
      'describe("rounding"',
      'const cents = [100, 200];\ndescribe("rounding"',
    ),
  ],
  ["a syntax error", `${BASE}\ntest("new", () => {\n`],
  ["a pragma of the runner", `// @${"vitest"}-environment jsdom\n${BASE}`],
  ["an existing constant changed", BASE.replace("[100, 200]", "[300]")],
  ["an existing import changed", BASE.replace("../src/total.js", "../src/fake.js")],
  ["a class with a static block", `${BASE}\nclass Quiet {\n  static {\n    assert.equal = () => {};\n  }\n}\n`],
];

describe.each(["test/a.test.js", "test/a.test.ts", "test/a.test.tsx"])("in %s", (path) => {
  it.each(additive)("%s only adds", async (_name, after) => {
    expect(await onlyAddsTests(path, BASE, after, grammars)).toBe(true);
  });
  it.each(other)("%s does more than add", async (_name, after) => {
    expect(await onlyAddsTests(path, BASE, after, grammars)).toBe(false);
  });
});

it("no byte inside an existing test can be changed or taken away", async () => {
  const from = BASE.indexOf('test("adds"');
  const to = BASE.indexOf('describe("rounding"') - 2;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: from, max: to - 1 }),
      fc.constantFrom("", "x", "0", " ;", "!"),
      async (index, text) => {
        const after = BASE.slice(0, index) + text + BASE.slice(index + 1);
        fc.pre(after !== BASE);
        expect(await onlyAddsTests("test/a.test.js", BASE, after, grammars)).toBe(false);
      },
    ),
    { numRuns: 200 },
  );
});

it("without a grammar lines decide: only insertions", async () => {
  expect(await onlyAddsTests("test/a.txt", "a\nb\n", "a\nx\nb\n", grammars)).toBe(true);
  expect(await onlyAddsTests("test/a.txt", "a\nb\n", "b\na\n", grammars)).toBe(false);
  expect(await onlyAddsTests("test/a.test.js", "a\nb\n", "a\nx\nb\n", null)).toBe(true);
});

it("names the tests that an edit changes, removes and disables", async () => {
  const after = BASE.replace("total(cents), 3", "total(cents), 4").replace('  test("up"', '  test.skip("up"');
  expect(await changedTests("test/a.test.js", BASE, after, grammars)).toEqual({
    changed: ["adds", "rounding > up"],
    removed: [],
    disabled: ["rounding > up"],
  });
  expect(await changedTests("test/a.test.js", BASE, "", grammars)).toEqual({
    changed: [],
    removed: ["adds", "rounding > up"],
    disabled: [],
  });
});

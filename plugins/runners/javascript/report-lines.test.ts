import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseReportLines } from "./report-lines.ts";

const FIRST = { yada: "report/1", nonce: "n", runner: "vitest", version: "4.1.12" };
const PASSED = { test: { file: "/lane/test/a.test.js", titles: ["outer", "inner"], status: "passed" } };
const END = { end: { reason: "passed" } };

function lines(...entries: readonly (object | string)[]): string {
  return entries.map((entry) => `${typeof entry === "string" ? entry : JSON.stringify(entry)}\n`).join("");
}

function failed(failure: object, more: object = {}): string {
  const test = { file: "/lane/test/a.test.js", titles: ["t"], status: "failed", failure, ...more };
  return lines(FIRST, { test }, END);
}

describe("a whole report", () => {
  test("names the runner, and gives each test an id below the root", () => {
    expect(parseReportLines(lines(FIRST, PASSED, END), { nonce: "n", root: "/lane" })).toEqual({
      whole: true,
      tests: [
        { id: "test/a.test.js > outer > inner", file: "test/a.test.js", name: "outer > inner", status: "passed" },
      ],
      problems: [],
      runner: { name: "vitest", version: "4.1.12" },
    });
  });

  test("may hold no test at all", () => {
    expect(parseReportLines(lines(FIRST, END))).toMatchObject({ whole: true, tests: [], problems: [] });
  });

  test("keeps problems, with the file they name or the innermost place of the project in their stack", () => {
    const text = lines(
      FIRST,
      { problem: { code: "import", message: "Cannot find module", file: "file:///lane/a.test.js" } },
      {
        problem: {
          code: "unhandled",
          message: "no",
          stack: "Error: no\n    at f (/lane/node_modules/d/i.js:1:1)\n    at g (/lane/src/b.js:2:3)",
        },
      },
      { problem: { code: "runner", message: "nothing known" } },
      END,
    );
    expect(parseReportLines(text, { root: "/lane" }).problems).toEqual([
      { code: "import", message: "Cannot find module", file: "a.test.js" },
      { code: "unhandled", message: "no", file: "src/b.js" },
      { code: "runner", message: "nothing known" },
    ]);
  });
});

describe("what is less than whole", () => {
  test.each([
    ["nothing", ""],
    ["other text", "PASS a.test.js\n"],
    ["no first line", lines(PASSED, END)],
    ["another format", lines({ ...FIRST, yada: "report/2" }, PASSED, END)],
    ["no last line", lines(FIRST, PASSED)],
    ["a last line that was cut", lines(FIRST, PASSED, '{"end":{"reas')],
    ["a line that is no JSON", lines(FIRST, "stray output", PASSED, END)],
    ["an empty line", lines(FIRST, "", PASSED, END)],
    ["a line of another shape", lines(FIRST, { tests: [] }, PASSED, END)],
    ["a status that no runner has", lines(FIRST, { test: { ...PASSED.test, status: "green" } }, END)],
    ["a test without titles", lines(FIRST, { test: { ...PASSED.test, titles: [] } }, END)],
    ["a problem with an unknown code", lines(FIRST, { problem: { code: "odd", message: "x" } }, END)],
    ["a test after the end", lines(FIRST, END, PASSED)],
    ["a second report after the end", lines(FIRST, PASSED, END, FIRST, PASSED, END)],
    ["a second first line", lines(FIRST, FIRST, PASSED, END)],
    ["a list of the lines", JSON.stringify([FIRST, PASSED, END])],
  ])("%s", (_, text) => {
    const report = parseReportLines(text, { nonce: "n" });
    expect(report.whole).toBe(false);
    expect(report.problems.some(({ code }) => code === "runner")).toBe(true);
  });

  test.each([
    ["another nonce", { ...FIRST, nonce: "other" }],
    ["no nonce", { ...FIRST, nonce: undefined }],
  ])("%s: and none of its tests is taken", (_, first) => {
    expect(parseReportLines(lines(first, PASSED, END), { nonce: "n" })).toMatchObject({ whole: false, tests: [] });
  });

  test("a report that stops keeps the tests that were reported", () => {
    expect(parseReportLines(lines(FIRST, PASSED)).tests).toHaveLength(1);
  });

  test("no text throws", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.json()), (text, values) => {
        expect(parseReportLines(text, { nonce: "n" }).whole).toBe(false);
        parseReportLines(lines(FIRST, ...values, END));
      }),
    );
  });

  test("no shape inside a line throws", () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("test", "problem", "end", "yada"), value), value, (entry, failure) => {
        parseReportLines(lines(FIRST, entry, { test: { ...PASSED.test, status: "failed", failure } }, END));
      }),
    );
  });

  test("no part of a report is whole", () => {
    const text = lines(FIRST, PASSED, END);
    for (let length = 0; length < text.length - 1; length++) {
      expect(parseReportLines(text.slice(0, length)).whole).toBe(false);
    }
  });
});

describe("failures", () => {
  test.each([
    ["AssertionError", "expected 1 to be 2", "assertion"],
    ["AssertionError [ERR_ASSERTION]", "1 !== 2", "assertion"],
    ["JestAssertionError", "x", "assertion"],
    ["Error", "expect(received).toBe(expected) // Object.is equality", "assertion"],
    ["Error", "Snapshot `a 1` mismatched", "assertion"],
    ["Error", "Test timed out in 50ms.", "timeout"],
    ["Error", "Exceeded timeout of 5000 ms for a test.", "timeout"],
    ["TypeError", "x is not a function", "error"],
    ["Error", "an assertion of another kind", "error"],
  ])("%s: %s is of the kind %s", (name, message, kind) => {
    const report = parseReportLines(failed({ name, message }), { root: "/lane" });
    expect(report.tests[0]?.failure).toMatchObject({ name, message, kind });
  });

  test("the code of node:assert tells an assertion whatever the name", () => {
    const report = parseReportLines(failed({ name: "Own", message: "x", code: "ERR_ASSERTION" }));
    expect(report.tests[0]?.failure?.kind).toBe("assertion");
  });

  test("a kind that the reporter gives stands", () => {
    const report = parseReportLines(failed({ name: "AssertionError", message: "x", kind: "setup" }));
    expect(report.tests[0]?.failure?.kind).toBe("setup");
  });

  test("a test that timed out failed by time", () => {
    const report = parseReportLines(failed({ name: "Error", message: "too slow" }, { status: "timed_out" }));
    expect(report.tests[0]).toMatchObject({ status: "timed_out", failure: { kind: "timeout" } });
  });

  test("a failure without an error says so", () => {
    const text = lines(FIRST, { test: { ...PASSED.test, status: "failed" } }, END);
    expect(parseReportLines(text).tests[0]?.failure).toEqual({
      message: "The runner gave no error.",
      kind: "error",
      origin: "runner",
      frames: [],
    });
  });

  test.each([
    ["the reported file", "/lane/test/a.test.js", undefined, "test"],
    ["another test file", "/lane/test/b.test.js", /\.test\./, "test"],
    ["a helper beside the tests", "/lane/test/helper.js", undefined, "production"],
    ["production", "/lane/src/a.js", /\.test\./, "production"],
    ["a dependency", "/lane/node_modules/dep/index.js", undefined, "runner"],
    ["the engine", "node:internal/process/task_queues", undefined, "runner"],
    ["a place outside the root", "/elsewhere/a.js", undefined, "runner"],
  ])("raised in %s", (_, file, tests, origin) => {
    const stack = `Error: x\n    at f (${file}:3:4)`;
    const options = { root: "/lane", isTest: (path: string): boolean => tests?.test(path) ?? false };
    expect(parseReportLines(failed({ name: "Error", message: "x", stack }), options).tests[0]?.failure?.origin).toBe(
      origin,
    );
  });

  test("long messages and deep stacks are cut, and the message says how long it was", () => {
    const stack = `Error: x\n${"    at f (/lane/src/a.js:1:1)\n".repeat(500)}`;
    const report = parseReportLines(failed({ name: "Error", message: "x".repeat(100_000), stack }), { root: "/lane" });
    const failure = report.tests[0]?.failure;
    expect(failure?.message.length).toBeLessThanOrEqual(4096);
    expect(failure?.message).toContain("100000 characters");
    expect(failure?.frames).toHaveLength(20);
  });
});

describe("projects", () => {
  const of = (project: string | undefined, status: string): object => ({ test: { ...PASSED.test, status, project } });

  test.each([
    ["passed", "failed", "failed"],
    ["failed", "skipped", "failed"],
    ["passed", "skipped", "passed"],
    ["passed", "not_run", "not_run"],
    ["skipped", "skipped", "skipped"],
  ])("%s in one and %s in another counts as %s", (one, two, together) => {
    const report = parseReportLines(lines(FIRST, of("one", one), of("two", two), END));
    expect(report.tests.map(({ status }) => status)).toEqual([together]);
  });

  test("a title that stands twice in one project stays twice", () => {
    const report = parseReportLines(lines(FIRST, of("one", "passed"), of("one", "passed"), END));
    expect(report.tests).toHaveLength(2);
    expect(parseReportLines(lines(FIRST, PASSED, PASSED, END)).tests).toHaveLength(2);
  });
});

import { describe, expect, test } from "vitest";
import { parseJestJson } from "./jest-json.ts";

const FILE = {
  name: "/lane/test/a.test.js",
  status: "failed",
  message: "",
  assertionResults: [
    { ancestorTitles: ["outer"], title: "passes", status: "passed", failureMessages: [] },
    {
      ancestorTitles: ["outer"],
      title: "fails",
      status: "failed",
      failureMessages: ["TypeError: no\nmore\n    at f (/lane/src/a.js:1:2)\n    at /lane/test/a.test.js:3:4"],
    },
    {
      ancestorTitles: [],
      title: "matcher",
      status: "failed",
      failureMessages: ["Error: expect(received).toBe(expected)\n    at /lane/test/a.test.js:3:4"],
    },
    { ancestorTitles: [], title: "pending", status: "pending", failureMessages: [] },
    { ancestorTitles: [], title: "todo", status: "todo", failureMessages: [] },
  ],
};

function parse(results: object): ReturnType<typeof parseJestJson> {
  return parseJestJson(JSON.stringify(results), { root: "/lane", runner: "jest" });
}

test("tests, with what failed and where it was raised", () => {
  const report = parse({ success: false, testResults: [FILE] });
  expect(report).toMatchObject({ whole: true, problems: [], runner: { name: "jest" } });
  expect(report?.tests.map(({ id, status }) => [id, status])).toEqual([
    ["test/a.test.js > outer > passes", "passed"],
    ["test/a.test.js > outer > fails", "failed"],
    ["test/a.test.js > matcher", "failed"],
    ["test/a.test.js > pending", "skipped"],
    ["test/a.test.js > todo", "todo"],
  ]);
  expect(report?.tests[1]?.failure).toMatchObject({
    name: "TypeError",
    message: "no\nmore",
    kind: "error",
    origin: "production",
  });
  expect(report?.tests[2]?.failure).toMatchObject({ kind: "assertion", origin: "test" });
});

test.each([
  ["Cannot find module './b' from 'test/a.test.js'", "import"],
  ["SyntaxError: Unexpected token (1:2)", "syntax"],
  ["Your test suite must contain at least one test.", "collection"],
])("a file that failed without a test: %s", (message, code) => {
  const report = parse({ testResults: [{ ...FILE, message, assertionResults: [] }] });
  expect(report?.problems).toEqual([{ code, message, file: "test/a.test.js" }]);
});

describe("less than whole", () => {
  test.each([
    ["an interrupted run", { wasInterrupted: true, testResults: [FILE] }],
    ["a file of another shape", { testResults: [{ name: 1 }] }],
    ["a test of another shape", { testResults: [{ ...FILE, assertionResults: [{ title: "t", status: "odd" }] }] }],
  ])("%s", (_, results) => {
    const report = parse(results);
    expect(report?.whole).toBe(false);
    expect(report?.problems.length).toBeGreaterThan(0);
  });
});

test.each(["", "text", "[]", "{}", '{"testResults":1}', '{"testResults":[{"name":"/lane/a'])(
  "%j is another format",
  (text) => {
    expect(parseJestJson(text, { runner: "jest" })).toBeNull();
  },
);

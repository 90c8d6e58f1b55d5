/** DESIGN 4, "Valid red", sentence by sentence. The messages are those of Node 20 and vitest 4, taken from real reports. */
import { describe, expect, it } from "vitest";
import { classify } from "./classify.ts";
import type { Observation } from "./observation.ts";
import type { Classification } from "./outcomes.ts";
import {
  ASSERTION,
  ENDED_0,
  FILE,
  failure,
  KILLED,
  other,
  problem,
  red,
  report,
  TARGET,
  TIMED_OUT,
  target,
} from "./reports.fixture.ts";

type Rows = readonly (readonly [name: string, observation: Observation, expected: Classification])[];

function table(title: string, rows: Rows): void {
  describe(title, () => {
    it.each(rows)("%s: $2", (_, observation, expected) => {
      expect(classify(observation).classification).toBe(expected);
    });
  });
}

const failed = (...args: Parameters<typeof failure>) => red([target("failed", failure(...args))]);
const LANE = "/tmp/yada-1000/lane-aB3dE9/shop";

table("a valid red", [
  ["an assertion", red([target("failed", ASSERTION)]), "red_observed"],
  ["an assertion of a library in node_modules", failed("assertion", "runner", "expected 1 to equal 2"), "red_observed"],
  ["an assertion inside a production helper", failed("assertion", "production", "-1 !== -2"), "red_observed"],
  ["an assertion that compares undefined", failed("assertion", "test", "expected undefined to be 2"), "red_observed"],
  [
    "an assertion that nothing is thrown",
    failed("assertion", "test", 'Got unwanted exception.\nActual message: "x"'),
    "red_observed",
  ],
  [
    "an error that production code raised",
    failed("error", "production", "Cannot read properties of undefined (reading 'x')", "TypeError"),
    "red_observed",
  ],
  [
    "an undefined name in production",
    failed("error", "production", "sum is not defined", "ReferenceError"),
    "red_observed",
  ],
  [
    "production calls what it was not given",
    failed("error", "production", "callback is not a function", "TypeError"),
    "red_observed",
  ],
  [
    "status error, raised by production",
    red([target("error", failure("error", "production", "boom", "Error"))]),
    "red_observed",
  ],
  ["other tests of the file pass", red([other("total > adds", "passed"), target("failed", ASSERTION)]), "red_observed"],
  ["other tests of the file fail too", red([target("failed", ASSERTION), other("b", "failed")]), "red_observed"],
  [
    "a late rejection of the same file beside the assertion",
    red([target("failed", ASSERTION)], [problem("unhandled", "late", FILE)]),
    "red_observed",
  ],
  [
    "another file does not parse",
    red([target("failed", ASSERTION)], [problem("syntax", "Unexpected token", "test/b.test.js")]),
    "red_observed",
  ],
  [
    "another status than 1",
    red([target("failed", ASSERTION)], [], { code: 7, signal: null, timedOut: false }),
    "red_observed",
  ],
]);

table("the target must be reported exactly once, executed, under the name given", [
  ["it is not in the report", red([other("total > round", "failed")]), "target_not_run"],
  ["only another case of its name is", red([other("Total > rounds", "failed")]), "target_not_run"],
  ["only its last title is", red([other("rounds", "failed")]), "target_not_run"],
  ["the same name in another file", red([other("total > rounds", "failed", "test/b.test.js")]), "target_not_run"],
  ["twice", red([target("failed", ASSERTION), target("failed", ASSERTION)]), "target_not_run"],
  ["twice, one of them passing", red([target("failed", ASSERTION), target("passed")]), "target_not_run"],
  ["collected and not executed", red([target("not_run"), other("b", "failed")]), "target_not_run"],
  ["no target is named", { ...red([target("failed", ASSERTION)]), target: [] }, "target_not_run"],
  ["a filter matches nothing", red([], [], ENDED_0), "no_tests_collected"],
  ["nothing is collected, status 1", red([]), "no_tests_collected"],
  [
    "an empty file (node:test)",
    red([], [problem("collection", "This file left no test.", FILE)], ENDED_0),
    "no_tests_collected",
  ],
  [
    "an empty file (vitest)",
    red([], [problem("collection", `No test suite found in file ${LANE}/${FILE}`, FILE)]),
    "no_tests_collected",
  ],
  [
    "an empty file beside one with tests",
    red([other("b", "passed", "test/b.test.js")], [problem("collection", "This file left no test.", FILE)]),
    "no_tests_collected",
  ],
]);

table("a test that cannot show a fault", [
  ["skipped", red([target("skipped")], [], ENDED_0), "target_skipped"],
  ["skipped, and another fails", red([target("skipped"), other("b", "failed")]), "target_skipped"],
  ["todo", red([target("todo")], [], ENDED_0), "target_skipped"],
  ["todo that fails inside", red([target("todo", ASSERTION)]), "target_skipped"],
  ["expected to fail, and it does", red([target("expected_failure")], [], ENDED_0), "target_skipped"],
  [
    "expected to fail, with status 1 by another",
    red([target("expected_failure", ASSERTION), other("b", "failed")]),
    "target_skipped",
  ],
  ["expected to fail, and it passes", red([target("unexpected_pass")]), "target_skipped"],
]);

table("a test that passes", [
  ["alone", red([target("passed")], [], ENDED_0), "unexpected_pass"],
  ["and another fails", red([target("passed"), other("b", "failed")]), "unexpected_pass"],
  ["with status 1", red([target("passed")]), "unexpected_pass"],
  ["and leaves a rejection behind", red([target("passed")], [problem("unhandled", "late", FILE)]), "unexpected_pass"],
]);

table("syntax", [
  [
    "the test file (node)",
    red([], [problem("syntax", `SyntaxError: Unexpected token '=' (${FILE}:2)`, FILE)]),
    "broken_syntax",
  ],
  [
    "the test file (vitest)",
    red([], [problem("syntax", "RolldownError: Parse failure: Parse failed with 1 error:\nUnexpected token", FILE)]),
    "broken_syntax",
  ],
  [
    "a production file that it loads",
    red([], [problem("syntax", "SyntaxError: Unexpected token ';' (src/total.js:1)", FILE)]),
    "broken_syntax",
  ],
  ["loaded inside the test", failed("error", "runner", "Unexpected token ';'", "SyntaxError"), "broken_test"],
]);

table("import: a package or what nobody provides", [
  [
    "a package (node)",
    red(
      [],
      [
        problem(
          "import",
          `Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from ${LANE}/${FILE}`,
          FILE,
        ),
      ],
    ),
    "broken_import",
  ],
  [
    "a package (vitest)",
    red([], [problem("import", `Cannot find package 'left-pad' imported from ${LANE}/${FILE}`, FILE)]),
    "broken_import",
  ],
  [
    "a package (vite)",
    red([], [problem("import", `Failed to resolve import "left-pad" from "${FILE}". Does the file exist?`, FILE)]),
    "broken_import",
  ],
  [
    "a scoped package",
    red([], [problem("import", `Cannot find package '@shop/pad' imported from ${LANE}/${FILE}`, FILE)]),
    "broken_import",
  ],
  [
    "a file of a scoped package",
    red([], [problem("import", `Cannot find package '@shop/pad/sub.js' imported from ${LANE}/${FILE}`, FILE)]),
    "broken_import",
  ],
  [
    "a package by require",
    red(
      [],
      [
        problem(
          "import",
          `Error [MODULE_NOT_FOUND]: Cannot find module 'left-pad'\nRequire stack:\n- ${LANE}/${FILE}`,
          FILE,
        ),
      ],
    ),
    "broken_import",
  ],
  [
    "a package whose entry was not built (node)",
    red(
      [],
      [
        problem(
          "import",
          `Error [ERR_MODULE_NOT_FOUND]: Cannot find package '${LANE}/node_modules/half/dist/index.js' imported from ${LANE}/${FILE}`,
          FILE,
        ),
      ],
    ),
    "broken_import",
  ],
  [
    "a package whose entry was not built (vite)",
    red(
      [],
      [
        problem(
          "import",
          'Failed to resolve entry for package "half". The package may have incorrect main/module/exports specified in its package.json.',
          FILE,
        ),
      ],
    ),
    "broken_import",
  ],
  [
    "a subpath that a package does not export (node)",
    red(
      [],
      [
        problem(
          "import",
          `Error [ERR_PACKAGE_PATH_NOT_EXPORTED]: Package subpath './other' is not defined by "exports" in ${LANE}/node_modules/subs/package.json imported from ${LANE}/${FILE}`,
          FILE,
        ),
      ],
    ),
    "broken_import",
  ],
  [
    "a subpath that a package does not export (vitest)",
    red(
      [],
      [
        problem(
          "collection",
          `"./other" is not exported under the conditions ["node", "development", "import"] from package ${LANE}/node_modules/subs (see exports field in ${LANE}/node_modules/subs/package.json)`,
          FILE,
        ),
      ],
    ),
    "broken_import",
  ],
  [
    "an export that a package lacks",
    red(
      [],
      [
        problem(
          "import",
          `SyntaxError: The requested module 'subs' does not provide an export named 'zzz' (${FILE}:2)`,
          FILE,
        ),
      ],
    ),
    "broken_import",
  ],
  [
    "an export that the engine lacks",
    red(
      [],
      [
        problem(
          "import",
          `SyntaxError: The requested module 'node:assert' does not provide an export named 'same' (${FILE}:2)`,
          FILE,
        ),
      ],
    ),
    "broken_import",
  ],
  [
    "a module that the engine lacks",
    red([], [problem("collection", "Error [ERR_UNKNOWN_BUILTIN_MODULE]: No such built-in module: node:nope", FILE)]),
    "broken_import",
  ],
  [
    "a folder",
    red(
      [],
      [
        problem(
          "import",
          `Error [ERR_UNSUPPORTED_DIR_IMPORT]: Directory import '${LANE}/src' is not supported resolving ES modules`,
          FILE,
        ),
      ],
    ),
    "broken_import",
  ],
  [
    "a package inside the test",
    failed("error", "runner", `Cannot find package 'left-pad' imported from ${LANE}/${FILE}`, "Error"),
    "broken_import",
  ],
  [
    "a package inside production code",
    failed("error", "production", `Cannot find package 'left-pad' imported from ${LANE}/src/total.js`, "Error"),
    "broken_import",
  ],
  [
    "a package that production loads at its top",
    red([], [problem("import", `Cannot find package 'gone' imported from ${LANE}/src/total.js`, FILE)]),
    "broken_import",
  ],
]);

table("missing_symbol: production lacks what the test asks for", [
  [
    "a module (node)",
    red(
      [],
      [
        problem(
          "import",
          `Error [ERR_MODULE_NOT_FOUND]: Cannot find module '${LANE}/src/round.js' imported from ${LANE}/${FILE}`,
          FILE,
        ),
      ],
    ),
    "missing_symbol",
  ],
  [
    "a module (vitest)",
    red([], [problem("import", `Cannot find module '../src/round.js' imported from ${LANE}/${FILE}`, FILE)]),
    "missing_symbol",
  ],
  [
    "a module (vite)",
    red(
      [],
      [problem("import", `Failed to resolve import "../src/round.js" from "${FILE}". Does the file exist?`, FILE)],
    ),
    "missing_symbol",
  ],
  [
    "a module (vite, by url)",
    red(
      [],
      [
        problem(
          "import",
          `Failed to load url ../src/round.js (resolved id: ../src/round.js) in ${LANE}/${FILE}. Does the file exist?`,
          FILE,
        ),
      ],
    ),
    "missing_symbol",
  ],
  [
    "a module (jest)",
    red([], [problem("import", `Cannot find module '../src/round.js' from '${FILE}'`, FILE)]),
    "missing_symbol",
  ],
  [
    "a module by require",
    red(
      [],
      [
        problem(
          "import",
          `Error [MODULE_NOT_FOUND]: Cannot find module '../src/round.cjs'\nRequire stack:\n- ${LANE}/${FILE}`,
          FILE,
        ),
      ],
    ),
    "missing_symbol",
  ],
  [
    "a module below a folder with a blank",
    red(
      [],
      [
        problem(
          "import",
          "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/my code/src/round.js' imported from '/my code/a.test.js'",
          FILE,
        ),
      ],
    ),
    "missing_symbol",
  ],
  [
    "a module by the repository's own alias",
    red([], [problem("import", `Cannot find module '#in/round' imported from ${LANE}/${FILE}`, FILE)]),
    "missing_symbol",
  ],
  [
    "a module by @/",
    red([], [problem("import", `Failed to resolve import "@/round" from "${FILE}". Does the file exist?`, FILE)]),
    "missing_symbol",
  ],
  [
    "a module inside the test (node)",
    failed("error", "runner", `Cannot find module '${LANE}/src/round.js' imported from ${LANE}/${FILE}`, "Error"),
    "missing_symbol",
  ],
  [
    "a module inside the test (vitest)",
    failed("error", "test", `Cannot find module '/src/round.js' imported from ${LANE}/${FILE}`, "Error"),
    "missing_symbol",
  ],
  [
    "a module that production loads",
    failed("error", "production", `Cannot find module './gone.js' imported from ${LANE}/src/total.js`, "Error"),
    "missing_symbol",
  ],
  [
    "an export (node)",
    red(
      [],
      [
        problem(
          "import",
          `SyntaxError: The requested module '../src/total.js' does not provide an export named 'round' (${FILE}:3)`,
          FILE,
        ),
      ],
    ),
    "missing_symbol",
  ],
  [
    "an export (rollup)",
    red([], [problem("import", `"round" is not exported by "src/total.js", imported by "${FILE}".`, FILE)]),
    "missing_symbol",
  ],
  ["an export (vitest)", failed("error", "test", "round is not a function", "TypeError"), "missing_symbol"],
  ["a property of a namespace", failed("error", "test", "m.round is not a function", "TypeError"), "missing_symbol"],
  [
    "a call of what the engine wraps",
    failed("error", "test", "(0 , __vite_ssr_import_1__.round) is not a function", "TypeError"),
    "missing_symbol",
  ],
  [
    "a method of what production returned",
    failed("error", "test", "order(...).total is not a function", "TypeError"),
    "missing_symbol",
  ],
  ["a class", failed("error", "test", "m.Basket is not a constructor", "TypeError"), "missing_symbol"],
  [
    "a base class",
    failed("error", "test", "Class extends value undefined is not a constructor or null", "TypeError"),
    "missing_symbol",
  ],
  [
    "instanceof",
    failed("error", "test", "Right-hand side of 'instanceof' is not an object", "TypeError"),
    "missing_symbol",
  ],
  [
    "a property of undefined",
    failed("error", "test", "Cannot read properties of undefined (reading 'x')", "TypeError"),
    "missing_symbol",
  ],
  [
    "a property of undefined, in older words",
    failed("error", "test", "Cannot read property 'x' of undefined", "TypeError"),
    "missing_symbol",
  ],
  [
    "setting a property of undefined",
    failed("error", "test", "Cannot set properties of undefined (setting 'x')", "TypeError"),
    "missing_symbol",
  ],
  [
    "destructuring",
    failed("error", "test", "Cannot destructure property 'a' of 'm.obj' as it is undefined.", "TypeError"),
    "missing_symbol",
  ],
  [
    "destructuring as a list",
    failed("error", "test", "undefined is not iterable (cannot read property Symbol(Symbol.iterator))", "TypeError"),
    "missing_symbol",
  ],
  ["iterating", failed("error", "test", "m.list is not iterable", "TypeError"), "missing_symbol"],
  [
    "in",
    failed("error", "test", "Cannot use 'in' operator to search for 'a' in undefined", "TypeError"),
    "missing_symbol",
  ],
  ["without an error's name", failed("error", "test", "m.round is not a function"), "missing_symbol"],
  [
    "in a hook (node)",
    red([target("failed", failure("setup", "test", "failed running beforeEach hook: m.Basket is not a constructor"))]),
    "missing_symbol",
  ],
  [
    "in a hook (vitest)",
    red([target("not_run")], [problem("setup", "TypeError: Basket is not a constructor", FILE)]),
    "missing_symbol",
  ],
  [
    "while tests were being collected",
    red([], [problem("collection", `TypeError: m.table is not a function (${FILE}:2)`, FILE)]),
    "missing_symbol",
  ],
]);

table("set-up", [
  ["a hook before each test", failed("setup", "test", "failed running beforeEach hook: no database"), "broken_setup"],
  [
    "a hook before each test, raised by production",
    failed("setup", "production", "m.x is not a function"),
    "broken_setup",
  ],
  [
    "a hook before all, so the test was not executed",
    red([target("not_run")], [problem("setup", "no database", FILE)]),
    "broken_setup",
  ],
  ["a global set-up, so nothing was collected", red([], [problem("setup", "no database")]), "broken_setup"],
  [
    "a hook after all, beside the assertion",
    red([target("failed", ASSERTION)], [problem("setup", "Error: after", FILE)]),
    "broken_setup",
  ],
  [
    "a hook after all, beside an error of production",
    red([target("failed", failure("error", "production", "x"))], [problem("setup", "Error: after", FILE)]),
    "broken_setup",
  ],
  [
    "a global tear-down, beside the assertion",
    red([target("failed", ASSERTION)], [problem("setup", "Error: tear-down")]),
    "broken_setup",
  ],
  ["a throw inside a group", red([], [problem("collection", 'The group "total" failed: d', FILE)]), "broken_setup"],
  [
    "a throw inside a group, beside another test",
    red([target("failed", ASSERTION)], [problem("collection", 'The group "b" failed: d', FILE)]),
    "broken_setup",
  ],
  [
    "an undefined name at the top of the file",
    red([], [problem("collection", `ReferenceError: nope is not defined (${FILE}:2)`, FILE)]),
    "broken_setup",
  ],
]);

table("a broken test: the error's origin is the test file itself", [
  ["an undefined name", failed("error", "test", "nope is not defined", "ReferenceError"), "broken_test"],
  [
    "a name before its declaration",
    failed("error", "test", "Cannot access 'x' before initialization", "ReferenceError"),
    "broken_test",
  ],
  ["throw new Error", failed("error", "test", "not yet", "Error"), "broken_test"],
  ["throw null", failed("error", "runner", "null"), "broken_test"],
  ["an error of no project file", failed("error", "runner", "boom", "Error"), "broken_test"],
  [
    "a call of what is missing, from nowhere",
    failed("error", "runner", "x is not a function", "TypeError"),
    "broken_test",
  ],
  [
    "a property of null",
    failed("error", "test", "Cannot read properties of null (reading 'x')", "TypeError"),
    "broken_test",
  ],
  [
    "a file that is not there",
    failed("error", "test", "ENOENT: no such file or directory, open 'a.txt'", "Error"),
    "broken_test",
  ],
  ["endless recursion", failed("error", "test", "Maximum call stack size exceeded", "RangeError"), "broken_test"],
  [
    "an assertion that node does not have",
    failed("error", "test", "assert.equals is not a function", "TypeError"),
    "broken_test",
  ],
  [
    "a matcher that nobody has",
    failed("error", "test", "expect(...).toBeOdd is not a function", "TypeError"),
    "broken_test",
  ],
  [
    "a method that vi does not have",
    failed("error", "test", "vi.mocked2 is not a function", "TypeError"),
    "broken_test",
  ],
  [
    "a mock without the export, asked by the test",
    failed(
      "error",
      "test",
      '[vitest] No "value" export is defined on the "../src/code.js" mock. Did you forget to return it from "vi.mock"?',
      "Error",
    ),
    "broken_test",
  ],
  [
    "a mock without the export, asked by production",
    failed(
      "error",
      "production",
      '[vitest] No "query" export is defined on the "./db.js" mock. Did you forget to return it from "vi.mock"?',
      "Error",
    ),
    "broken_test",
  ],
  ["failed, and nobody says why", red([target("failed")]), "broken_test"],
  ["its own time limit", red([target("timed_out")]), "broken_test"],
  ["its own time limit, as a failure", failed("timeout", "test", "Test timed out in 5000ms."), "broken_test"],
  [
    "its own time limit, inside production",
    failed("timeout", "production", "Test timed out in 5000ms."),
    "broken_test",
  ],
  ["the file ends by an error of its own", red([], [problem("unhandled", "boom", FILE)]), "broken_test"],
  [
    "process.exit inside the test (vitest)",
    failed("error", "test", 'process.exit unexpectedly called with "0"', "Error"),
    "broken_test",
  ],
]);

table("the report", [
  ["missing, status 1", { ...red([]), report: null }, "no_report"],
  ["missing, status 0", { ...red([]), report: null, exit: ENDED_0 }, "no_report"],
  [
    "not whole, with the target failing",
    { ...red([]), report: { ...report([target("failed", ASSERTION)]), whole: false } },
    "no_report",
  ],
  [
    "of another run",
    {
      ...red([]),
      report: { whole: false, tests: [], problems: [problem("runner", "The report belongs to another run.")] },
    },
    "no_report",
  ],
  [
    "the process left early",
    red([], [problem("exit", "process.exit(0) was called before the tests of this file had ended", FILE)], ENDED_0),
    "no_report",
  ],
  [
    "the process left early, after the target failed",
    red([target("failed", ASSERTION)], [problem("exit", "process.exit(1) was called", FILE)]),
    "no_report",
  ],
  ["the target failed, and the status is 0", red([target("failed", ASSERTION)], [], ENDED_0), "red_report_zero_exit"],
]);

table("environment and infrastructure", [
  [
    "the command could not be started",
    { ...red([target("failed", ASSERTION)]), cannotRun: "no such program" },
    "cannot_run",
  ],
  ["an empty reason is a reason", { ...red([]), cannotRun: "" }, "cannot_run"],
  ["killed before the report", { ...red([]), report: null, exit: KILLED }, "cannot_run"],
  [
    "killed while the report was written",
    { ...red([]), report: { ...report([target("failed", ASSERTION)]), whole: false }, exit: KILLED },
    "cannot_run",
  ],
  ["killed after a whole report", red([target("failed", ASSERTION)], [], KILLED), "cannot_run"],
  ["neither status nor signal", red([target("failed", ASSERTION)], [], { ...KILLED, signal: null }), "cannot_run"],
  [
    "the runner broke",
    red([target("failed", ASSERTION)], [problem("runner", "Failed to start threads worker")]),
    "cannot_run",
  ],
  [
    "something else wrote into the report",
    red([target("failed", ASSERTION)], [problem("runner", "Something else wrote into the report.")]),
    "cannot_run",
  ],
  ["the whole command timed out", { ...red([]), report: null, exit: TIMED_OUT }, "timeout"],
  ["the whole command timed out after a whole report", red([target("failed", ASSERTION)], [], TIMED_OUT), "timeout"],
  ["could not be started beats the time limit", { ...red([], [], TIMED_OUT), cannotRun: "x" }, "cannot_run"],
]);

describe("several targets", () => {
  const second = other("b", "failed");
  const both = { target: [TARGET, second.id] };
  it.each([
    ["all fail", red([target("failed", ASSERTION), { ...second, failure: ASSERTION }]), "red_observed"],
    ["one passes", red([target("failed", ASSERTION), { ...second, status: "passed" }]), "unexpected_pass"],
    ["one is missing", red([target("failed", ASSERTION)]), "target_not_run"],
  ] as const)("%s: $2", (_, observation, expected) => {
    expect(classify({ ...observation, ...both }).classification).toBe(expected);
  });
});

describe("what is said", () => {
  it("names the test, the error and its place in the project", () => {
    const frames = [{ file: "/x/node_modules/vite/runner.js" }, { file: "node:assert" }, { file: FILE, line: 7 }];
    const { reasons } = classify(red([target("failed", { ...ASSERTION, message: "-1 !== -2", frames })]));
    expect(reasons).toEqual([`${TARGET}: AssertionError: -1 !== -2 (${FILE}:7)`]);
  });

  it("lists what was reported where the name fits nothing, ten at most", () => {
    const tests = Array.from({ length: 12 }, (_, n) => other(`t${n}`, "passed"));
    const { reasons } = classify(red(tests));
    expect(reasons[1]).toMatch(/t0; .*t9; \.\.\.$/);
    expect(reasons[1]).not.toContain("t10");
  });

  it("tells of an error that a passing test left behind", () => {
    const { reasons } = classify(red([target("passed")], [problem("unhandled", "late", FILE)]));
    expect(reasons).toEqual([`${TARGET} passed.`, `unhandled in ${FILE}: late`]);
  });

  it("names the cause that lies deepest: what does not parse before what came of it", () => {
    const problems = [problem("unhandled", "late", FILE), problem("syntax", "Unexpected token", FILE)];
    expect(classify(red([], problems)).classification).toBe("broken_syntax");
  });

  it("is bounded", () => {
    const problems = Array.from({ length: 50 }, () => problem("runner", "x".repeat(2_000)));
    const { reasons } = classify({ ...red([]), report: { whole: false, tests: [], problems } });
    expect(reasons).toHaveLength(20);
    expect(Math.max(...reasons.map(({ length }) => length))).toBe(500);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classify } from "./classify.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Observation } from "./observation.ts";
import { OUTCOMES } from "./outcomes.ts";
import type { Exit, Failure, ReportedTest, ReportProblem, TestReport, TestStatus } from "./report.ts";
import { classifyCanary, classifyCounterfactual, combineRepeats } from "./special.ts";

const ID = "t.test.js > wants";
const exit = (code: number | null, more: Partial<Exit> = {}): Exit => ({
  code,
  signal: null,
  timedOut: false,
  ...more,
});
const failure = (more: Partial<Failure> = {}): Failure => ({
  message: "expected 2, got 1",
  kind: "assertion",
  origin: "test",
  frames: [],
  ...more,
});
const test = (name: string, status: TestStatus, more: Partial<ReportedTest> = {}): ReportedTest => ({
  id: `t.test.js > ${name}`,
  file: "t.test.js",
  name,
  status,
  ...(status === "failed" ? { failure: failure() } : {}),
  ...more,
});
const report = (tests: readonly ReportedTest[], problems: readonly ReportProblem[] = [], whole = true): TestReport => ({
  whole,
  tests,
  problems,
});
const error = (message: string, origin: Failure["origin"] = "test", name = "TypeError") =>
  report([test("wants", "failed", { failure: failure({ kind: "error", message, origin, name }) })]);

type Row = readonly [name: string, observation: Partial<Observation>, classification: string];

const red: readonly Row[] = [
  ["an assertion fails", { report: report([test("wants", "failed")]) }, "red_observed"],
  [
    "an assertion fails beside other failing tests",
    { report: report([test("wants", "failed"), test("other", "failed")]) },
    "red_observed",
  ],
  [
    "an assertion fails, and another file is broken",
    { report: report([test("wants", "failed")], [{ code: "syntax", message: "m", file: "u.test.js" }]) },
    "red_observed",
  ],
  ["production raises an error", { report: error("boom", "production", "RangeError") }, "red_observed"],
  [
    "production calls what is not a function: production's own fault",
    { report: error("x is not a function", "production") },
    "red_observed",
  ],
  ["the target passes", { report: report([test("wants", "passed")]), exit: exit(0) }, "unexpected_pass"],
  [
    "the target passes while another fails",
    { report: report([test("wants", "passed"), test("other", "failed")]) },
    "unexpected_pass",
  ],
  ["the target is skipped", { report: report([test("wants", "skipped")]) }, "target_skipped"],
  ["the target is a todo", { report: report([test("wants", "todo")]) }, "target_skipped"],
  ["the target is expected to fail", { report: report([test("wants", "expected_failure")]) }, "target_skipped"],
  [
    "the target was expected to fail and passes",
    { report: report([test("wants", "unexpected_pass")]) },
    "target_skipped",
  ],
  ["the target is absent", { report: report([test("other", "failed")]) }, "target_not_run"],
  [
    "the target is reported twice",
    { report: report([test("wants", "failed"), test("wants", "failed")]) },
    "target_not_run",
  ],
  ["the target was collected and not run", { report: report([test("wants", "not_run")]) }, "target_not_run"],
  [
    "the target was not run because a hook failed",
    { report: report([test("wants", "not_run")], [{ code: "setup", message: "m", file: "t.test.js" }]) },
    "broken_setup",
  ],
  ["no test is named", { target: [], report: report([test("wants", "failed")]) }, "target_not_run"],
  ["nothing was collected", { report: report([]) }, "no_tests_collected"],
  [
    "the file left no test",
    { report: report([], [{ code: "collection", message: "This file left no test.", file: "t.test.js" }]) },
    "no_tests_collected",
  ],
  [
    "the file does not parse",
    { report: report([], [{ code: "syntax", message: "m", file: "t.test.js" }]) },
    "broken_syntax",
  ],
  [
    "the file does not parse, others ran",
    {
      report: report(
        [test("other", "passed", { id: "u.test.js > other", file: "u.test.js" })],
        [{ code: "syntax", message: "m", file: "t.test.js" }],
      ),
    },
    "broken_syntax",
  ],
  [
    "a package is missing",
    {
      report: report(
        [],
        [
          {
            code: "import",
            message: "Cannot find package 'left-pad' imported from /lane/t.test.js",
            file: "t.test.js",
          },
        ],
      ),
    },
    "broken_import",
  ],
  [
    "a module of production is missing",
    {
      report: report(
        [],
        [
          {
            code: "import",
            message: "Cannot find module '../src/new.js' imported from /lane/t.test.js",
            file: "t.test.js",
          },
        ],
      ),
    },
    "missing_symbol",
  ],
  [
    "an export is missing",
    {
      report: report(
        [],
        [
          {
            code: "import",
            message: "The requested module '../src/a.js' does not provide an export named 'totl'",
            file: "t.test.js",
          },
        ],
      ),
    },
    "missing_symbol",
  ],
  [
    "the file throws while it is collected",
    { report: report([], [{ code: "collection", message: "boom", file: "t.test.js" }]) },
    "broken_setup",
  ],
  [
    "a hook fails",
    { report: report([test("wants", "failed", { failure: failure({ kind: "setup" }) })]) },
    "broken_setup",
  ],
  ["the test times out", { report: report([test("wants", "timed_out")]) }, "broken_test"],
  [
    "the test fails by its time limit",
    { report: report([test("wants", "failed", { failure: failure({ kind: "timeout" }) })]) },
    "broken_test",
  ],
  ["the test file raises an error", { report: error("not yet", "test", "Error") }, "broken_test"],
  ["an undefined name in the test", { report: error("totl is not defined", "test", "ReferenceError") }, "broken_test"],
  [
    "an undefined name that reads like a missing symbol",
    { report: error("totl is not a function", "test", "ReferenceError") },
    "broken_test",
  ],
  ["an error that comes from nowhere in the project", { report: error("boom", "runner", "Error") }, "broken_test"],
  ["a method that production lacks", { report: error("cart.refund is not a function") }, "missing_symbol"],
  ["a class that production lacks", { report: error("Cart is not a constructor") }, "missing_symbol"],
  [
    "a member of what production lacks",
    { report: error("Cannot read properties of undefined (reading 'refund')") },
    "missing_symbol",
  ],
  [
    "a failure without a reason",
    { report: report([test("wants", "failed", { failure: undefined as never })]) },
    "broken_test",
  ],
  [
    "a failing report with exit 0",
    { report: report([test("wants", "failed")]), exit: exit(0) },
    "red_report_zero_exit",
  ],
  [
    "the runner itself failed",
    { report: report([test("wants", "failed")], [{ code: "runner", message: "m" }]) },
    "cannot_run",
  ],
  [
    "an error beside the assertion in the same file",
    { report: report([test("wants", "failed")], [{ code: "exit", message: "m", file: "t.test.js" }]) },
    "no_report",
  ],
  [
    "one of two targets passes",
    { target: [ID, "t.test.js > other"], report: report([test("wants", "failed"), test("other", "passed")]) },
    "unexpected_pass",
  ],
];

const BASE = report([test("old", "passed"), test("bad", "failed"), test("off", "skipped")]);
const green: readonly Row[] = [
  ["the target passes", { report: report([test("wants", "passed")]) }, "green_observed"],
  [
    "the target passes beside a skipped one",
    { report: report([test("wants", "passed"), test("off", "skipped")]) },
    "green_observed",
  ],
  ["the target fails", { report: report([test("wants", "failed")]), exit: exit(1) }, "still_red"],
  ["the target times out", { report: report([test("wants", "timed_out")]), exit: exit(1) }, "still_red"],
  ["the target is absent", { report: report([test("other", "passed")]) }, "target_not_run"],
  [
    "the target is reported twice",
    { report: report([test("wants", "passed"), test("wants", "passed")]) },
    "target_not_run",
  ],
  ["the target is skipped", { report: report([test("wants", "skipped")]) }, "target_not_run"],
  [
    "its file cannot be loaded",
    { report: report([], [{ code: "syntax", message: "m", file: "t.test.js" }]), exit: exit(1) },
    "still_red",
  ],
  [
    "another test in the same run fails",
    { report: report([test("wants", "passed"), test("other", "failed")]), exit: exit(1) },
    "still_red",
  ],
  [
    "another test fails, and the exit says nothing of it",
    { report: report([test("wants", "passed"), test("other", "failed")]) },
    "red_report_zero_exit",
  ],
  [
    "every test passes and the exit is not 0",
    { report: report([test("wants", "passed")]), exit: exit(1) },
    "green_report_nonzero_exit",
  ],
  [
    "an unhandled rejection",
    { report: report([test("wants", "passed")], [{ code: "unhandled", message: "m" }]), exit: exit(1) },
    "green_report_nonzero_exit",
  ],
  [
    "an unhandled rejection, exit 0",
    { report: report([test("wants", "passed")], [{ code: "unhandled", message: "m" }]) },
    "still_red",
  ],
  [
    "a hook of another suite fails",
    { report: report([test("wants", "passed")], [{ code: "setup", message: "m", file: "u.test.js" }]), exit: exit(1) },
    "still_red",
  ],
  [
    "a process left early",
    { report: report([test("wants", "passed")], [{ code: "exit", message: "m", file: "t.test.js" }]) },
    "still_red",
  ],
  [
    "regression: all that passed still passes",
    {
      target: [],
      scope: "regression",
      baseline: BASE,
      report: report([test("old", "passed"), test("bad", "failed"), test("off", "skipped")]),
      exit: exit(1),
    },
    "green_observed",
  ],
  [
    "regression: what failed before is mended",
    {
      target: [],
      scope: "regression",
      baseline: BASE,
      report: report([test("old", "passed"), test("bad", "passed"), test("off", "skipped")]),
    },
    "green_observed",
  ],
  [
    "regression: one fails",
    {
      target: [],
      scope: "regression",
      baseline: BASE,
      report: report([test("old", "failed"), test("bad", "failed")]),
      exit: exit(1),
    },
    "regression",
  ],
  [
    "regression: one is gone",
    { target: [], scope: "regression", baseline: BASE, report: report([test("bad", "failed")]), exit: exit(1) },
    "tests_disappeared",
  ],
  [
    "regression: one is skipped",
    {
      target: [],
      scope: "regression",
      baseline: BASE,
      report: report([test("old", "skipped"), test("bad", "failed")]),
      exit: exit(1),
    },
    "tests_disappeared",
  ],
  [
    "regression: of two with one name, one is gone",
    {
      target: [],
      scope: "regression",
      baseline: report([test("old", "passed"), test("old", "passed")]),
      report: report([test("old", "passed")]),
    },
    "tests_disappeared",
  ],
  [
    "regression: an approved edit changed it",
    {
      target: [],
      scope: "regression",
      baseline: BASE,
      allowedChanges: ["t.test.js > old"],
      report: report([test("bad", "failed")]),
      exit: exit(1),
    },
    "green_observed",
  ],
  [
    "regression: a new test fails",
    {
      target: [],
      scope: "regression",
      baseline: BASE,
      report: report([test("bad", "failed"), test("old", "passed"), test("new", "failed")]),
      exit: exit(1),
    },
    "regression",
  ],
  [
    "regression: a file that could be loaded no longer can",
    {
      target: [],
      scope: "regression",
      baseline: BASE,
      report: report(
        [test("bad", "failed"), test("old", "passed")],
        [{ code: "import", message: "m", file: "u.test.js" }],
      ),
      exit: exit(1),
    },
    "regression",
  ],
  [
    "regression: a file that could not be loaded before either",
    {
      target: [],
      scope: "regression",
      baseline: report([test("old", "passed")], [{ code: "import", message: "m", file: "u.test.js" }]),
      report: report([test("old", "passed")], [{ code: "import", message: "m", file: "u.test.js" }]),
      exit: exit(1),
    },
    "green_observed",
  ],
  [
    "regression: a clean baseline, and now an exit that nothing explains",
    {
      target: [],
      scope: "regression",
      baseline: report([test("old", "passed")]),
      report: report([test("old", "passed")]),
      exit: exit(1),
    },
    "green_report_nonzero_exit",
  ],
  [
    "regression: nothing ran at all",
    { target: [], scope: "regression", baseline: report([]), report: report([]) },
    "no_tests_collected",
  ],
];

const both: readonly Row[] = [
  ["no report", { report: null }, "no_report"],
  ["a report that is not whole", { report: report([test("wants", "failed")], [], false) }, "no_report"],
  [
    "the whole command timed out",
    { report: report([test("wants", "failed")]), exit: exit(null, { timedOut: true }) },
    "timeout",
  ],
  ["timed out without a report", { report: null, exit: exit(null, { timedOut: true }) }, "timeout"],
  [
    "ended by a signal before the report was whole",
    { report: null, exit: exit(null, { signal: "SIGKILL" }) },
    "cannot_run",
  ],
  ["could not be started", { report: null, cannotRun: "npx: not found" }, "cannot_run"],
];

describe("expecting red", () => {
  it.each(red)("%s", (_name, observation, classification) => {
    const { classification: seen, reasons } = classify({
      expect: "red",
      target: [ID],
      report: null,
      exit: exit(1),
      ...observation,
    });
    expect(seen).toBe(classification);
    expect(reasons.length).toBeGreaterThan(0);
  });
});

describe("expecting green", () => {
  it.each(green)("%s", (_name, observation, classification) => {
    expect(
      classify({ expect: "green", target: [ID], report: null, exit: exit(0), ...observation }).classification,
    ).toBe(classification);
  });
});

describe.each(["red", "green"] as const)("whatever was expected: %s", (expect_) => {
  it.each(both)("%s", (_name, observation, classification) => {
    expect(
      classify({ expect: expect_, target: [ID], report: null, exit: exit(1), ...observation }).classification,
    ).toBe(classification);
  });
});

describe("observations made of others", () => {
  const outcome = (classification: keyof typeof OUTCOMES) => ({
    verdict: OUTCOMES[classification].verdict,
    classification,
    reasons: ["seen"],
  });

  it("repeats that agree are one; repeats that differ are flaky", () => {
    expect(combineRepeats([outcome("red_observed"), outcome("red_observed")]).classification).toBe("red_observed");
    expect(combineRepeats([outcome("red_observed"), outcome("unexpected_pass")]).classification).toBe("flaky");
    expect(combineRepeats([]).classification).toBe("cannot_run");
  });

  it.each([
    ["red_observed", "red_observed"],
    ["unexpected_pass", "counterfactual_green"],
    ["broken_setup", "flaky"],
    ["cannot_run", "cannot_run"],
    ["timeout", "timeout"],
  ] as const)("a counterfactual that is %s is %s", (seen, wanted) => {
    expect(classifyCounterfactual(outcome(seen)).classification).toBe(wanted);
  });

  const canaries = ["t.test.js > c1", "t.test.js > c2"];
  it.each([
    ["both fail", report([test("c1", "failed"), test("c2", "failed")]), exit(1), "canary_reported"],
    ["one passes", report([test("c1", "failed"), test("c2", "passed")]), exit(1), "canary_silent"],
    ["one is absent", report([test("c1", "failed")]), exit(1), "canary_silent"],
    [
      "one is reported twice",
      report([test("c1", "failed"), test("c2", "failed"), test("c2", "failed")]),
      exit(1),
      "canary_silent",
    ],
    [
      "the report is not whole",
      report([test("c1", "failed"), test("c2", "failed")], [], false),
      exit(1),
      "canary_silent",
    ],
    ["no report", null, exit(1), "canary_silent"],
    ["exit 0", report([test("c1", "failed"), test("c2", "failed")]), exit(0), "canary_silent"],
    ["the command timed out", null, exit(null, { timedOut: true }), "timeout"],
  ] as const)("canary: %s", (_name, seen, how, wanted) => {
    expect(classifyCanary({ report: seen, names: canaries, exit: how }).classification).toBe(wanted);
  });

  it("a canary without a test is silent", () => {
    expect(classifyCanary({ report: report([]), names: [], exit: exit(1) }).classification).toBe("canary_silent");
  });
});

describe("classify is total, and its passes mean what they say", () => {
  const status = fc.constantFrom<TestStatus>(
    "passed",
    "failed",
    "error",
    "skipped",
    "todo",
    "expected_failure",
    "unexpected_pass",
    "timed_out",
    "not_run",
  );
  const anyFailure = fc.record({
    message: fc.string(),
    kind: fc.constantFrom<Failure["kind"]>("assertion", "error", "setup", "timeout"),
    origin: fc.constantFrom<Failure["origin"]>("test", "production", "runner"),
    frames: fc.constant([]),
  });
  const anyTest = fc
    .tuple(fc.constantFrom("wants", "other", "third"), status, fc.option(anyFailure, { nil: undefined }))
    .map(([name, how, why]) => test(name, how, why === undefined ? {} : { failure: why }));
  const anyProblem = fc.record({
    code: fc.constantFrom<ReportProblem["code"]>(
      "syntax",
      "import",
      "collection",
      "setup",
      "unhandled",
      "exit",
      "runner",
    ),
    message: fc.string(),
    file: fc.constantFrom("t.test.js", "u.test.js"),
  });
  const anyReport = fc.option(
    fc
      .tuple(fc.array(anyTest, { maxLength: 4 }), fc.array(anyProblem, { maxLength: 2 }), fc.boolean())
      .map(([tests, problems, whole]) => report(tests, problems, whole)),
  );
  const anyExit = fc.record({
    code: fc.constantFrom(0, 1, 2, null),
    signal: fc.constantFrom(null, "SIGTERM"),
    timedOut: fc.boolean(),
  });

  it("for any report", () => {
    fc.assert(
      fc.property(anyReport, anyExit, fc.constantFrom<"red" | "green">("red", "green"), (seen, how, wanted) => {
        const { classification, verdict } = classify({ expect: wanted, target: [ID], report: seen, exit: how });
        expect(OUTCOMES[classification].verdict).toBe(verdict);
        const targets = seen?.tests.filter(({ id }) => id === ID) ?? [];
        if (classification === "red_observed") {
          expect(seen?.whole).toBe(true);
          expect(targets.map((one) => one.status)).toEqual([expect.stringMatching(/^(failed|error)$/)]);
          expect(how.code).not.toBe(0);
          expect(how.timedOut).toBe(false);
        }
        if (classification === "green_observed") {
          expect(seen?.whole).toBe(true);
          expect(targets.map((one) => one.status)).toEqual(["passed"]);
          expect(how).toMatchObject({ code: 0, timedOut: false });
          expect(seen?.problems).toEqual([]);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe("fingerprint", () => {
  const text = "AssertionError at /tmp/yada-0/lane-aB3dE9x1/src/a.js:3\nDuration 321ms at 10:11:12";
  it.each([
    ["times", "AssertionError at /tmp/yada-0/lane-aB3dE9x1/src/a.js:3\nDuration 5.2s at 23:59:59"],
    ["lanes", "AssertionError at /tmp/yada-0/lane-Qw8eR2t7/src/a.js:3\nDuration 321ms at 10:11:12"],
    ["orders", "Duration 321ms at 10:11:12\nAssertionError at /tmp/yada-0/lane-aB3dE9x1/src/a.js:3"],
    [
      "colours",
      "\u001b[31mAssertionError\u001b[39m at /tmp/yada-0/lane-aB3dE9x1/src/a.js:3\nDuration 321ms at 10:11:12",
    ],
  ])("is the same across %s", (_name, other) => {
    expect(fingerprint(other)).toBe(fingerprint(text));
  });

  it("differs for another failure", () => {
    expect(fingerprint(text.replace("a.js:3", "a.js:4"))).not.toBe(fingerprint(text));
    expect(fingerprint("expected 1")).not.toBe(fingerprint("expected 2"));
  });
});

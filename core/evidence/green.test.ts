/** DESIGN 4, "Green and regression", sentence by sentence. */
import { describe, expect, it } from "vitest";
import { classify } from "./classify.ts";
import type { Observation } from "./observation.ts";
import type { Classification } from "./outcomes.ts";
import type { TestReport, TestStatus } from "./report.ts";
import {
  ASSERTION,
  ENDED_0,
  ENDED_1,
  FILE,
  failure,
  green,
  KILLED,
  other,
  problem,
  report,
  suite,
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

table("green of the target", [
  ["it passed", green([target("passed")]), "green_observed"],
  ["beside others that passed", green([target("passed"), other("b", "passed")]), "green_observed"],
  ["beside a skipped one", green([target("passed"), other("b", "skipped")]), "green_observed"],
  ["beside a todo", green([target("passed"), other("b", "todo")]), "green_observed"],
  ["beside one that fails as expected", green([target("passed"), other("b", "expected_failure")]), "green_observed"],
  ["no target, and a test passed", { ...green([other("b", "passed")]), target: [] }, "green_observed"],
]);

table("the target is among the executed, once", [
  ["not reported", green([other("b", "passed")]), "target_not_run"],
  ["nothing reported", green([]), "target_not_run"],
  ["the same name in another file", green([other("total > rounds", "passed", "test/b.test.js")]), "target_not_run"],
  ["reported twice, passing", green([target("passed"), target("passed")]), "target_not_run"],
  [
    "reported twice, once failing",
    green([target("passed"), target("failed", ASSERTION)], [], ENDED_1),
    "target_not_run",
  ],
  ["skipped", green([target("skipped")]), "target_not_run"],
  ["todo", green([target("todo")]), "target_not_run"],
  ["collected and not executed", green([target("not_run")]), "target_not_run"],
  ["its file does not parse now", green([], [problem("syntax", "Unexpected token", FILE)], ENDED_1), "still_red"],
  ["production leaves the process", green([], [problem("exit", "process.exit(0) was called", FILE)]), "still_red"],
  ["a hook before all fails now", green([target("not_run")], [problem("setup", "no", FILE)], ENDED_1), "still_red"],
  ["nothing was executed at all", { ...green([]), target: [] }, "no_tests_collected"],
  ["everything is skipped", { ...green([other("b", "skipped")]), target: [] }, "no_tests_collected"],
]);

table("the target passes", [
  ["failed", green([target("failed", ASSERTION)], [], ENDED_1), "still_red"],
  ["failed, with status 0", green([target("failed", ASSERTION)]), "still_red"],
  ["error", green([target("error", failure("error", "test", "x"))], [], ENDED_1), "still_red"],
  ["failed without a reason", green([target("failed")], [], ENDED_1), "still_red"],
  ["its hook failed", green([target("failed", failure("setup", "test", "be"))], [], ENDED_1), "still_red"],
  ["its own time limit", green([target("timed_out")], [], ENDED_1), "still_red"],
  ["expected to fail", green([target("expected_failure")]), "still_red"],
  ["expected to fail, and it passes", green([target("unexpected_pass")], [], ENDED_1), "still_red"],
]);

table("nothing amiss around it", [
  ["another test of the command fails", green([target("passed"), other("b", "failed")], [], ENDED_1), "still_red"],
  ["another test ends at its time limit", green([target("passed"), other("b", "timed_out")], [], ENDED_1), "still_red"],
  [
    "another passes against its word",
    green([target("passed"), other("b", "unexpected_pass")], [], ENDED_1),
    "still_red",
  ],
  ["another fails, and the status is 0", green([target("passed"), other("b", "failed")]), "red_report_zero_exit"],
  [
    "a late rejection, status 1",
    green([target("passed")], [problem("unhandled", "late", FILE)], ENDED_1),
    "green_report_nonzero_exit",
  ],
  [
    "a late rejection of no file, status 1",
    green([target("passed")], [problem("unhandled", "late")], ENDED_1),
    "green_report_nonzero_exit",
  ],
  [
    "a late rejection that the runner overlooks",
    green([target("passed")], [problem("unhandled", "late", FILE)]),
    "still_red",
  ],
  ["a hook after all", green([target("passed")], [problem("setup", "after", FILE)], ENDED_1), "still_red"],
  ["a hook after all, status 0", green([target("passed")], [problem("setup", "after", FILE)]), "still_red"],
  [
    "a suite of another file",
    green([target("passed")], [problem("collection", "d", "test/b.test.js")], ENDED_1),
    "still_red",
  ],
  [
    "an import of another file",
    green([target("passed")], [problem("import", "Cannot find module './x'", "test/b.test.js")], ENDED_1),
    "still_red",
  ],
  [
    "the process left after the target passed",
    green([target("passed")], [problem("exit", "process.exit(0) was called", FILE)]),
    "still_red",
  ],
  [
    "a late rejection and a failing hook",
    green([target("passed")], [problem("unhandled", "l"), problem("setup", "s")], ENDED_1),
    "still_red",
  ],
  [
    "the runner broke",
    green([target("passed")], [problem("runner", "Failed to start threads worker")], ENDED_1),
    "cannot_run",
  ],
  [
    "something else wrote into the report",
    green([target("passed")], [problem("runner", "Something else wrote into the report.")]),
    "cannot_run",
  ],
]);

table("exit status 0", [
  ["1", green([target("passed")], [], ENDED_1), "green_report_nonzero_exit"],
  ["13", green([target("passed")], [], { ...ENDED_1, code: 13 }), "green_report_nonzero_exit"],
  ["a signal after a whole report", green([target("passed")], [], KILLED), "green_report_nonzero_exit"],
  [
    "neither status nor signal",
    green([target("passed")], [], { ...KILLED, signal: null }),
    "green_report_nonzero_exit",
  ],
  ["no target, status 1", { ...green([other("b", "passed")], [], ENDED_1), target: [] }, "green_report_nonzero_exit"],
]);

table("a report that is whole", [
  ["none, status 0", { ...green([]), report: null }, "no_report"],
  ["none, status 1", { ...green([]), report: null, exit: ENDED_1 }, "no_report"],
  ["not whole", { ...green([]), report: { ...report([target("passed")]), whole: false } }, "no_report"],
  [
    "killed before it was whole",
    { ...green([]), report: { ...report([target("passed")]), whole: false }, exit: KILLED },
    "cannot_run",
  ],
  ["the whole command timed out", green([target("passed")], [], TIMED_OUT), "timeout"],
  ["the command could not be started", { ...green([target("passed")]), cannotRun: "no such program" }, "cannot_run"],
]);

const B = (status: TestStatus) => other("b", status);
const C = (status: TestStatus) => other("c", status, "test/c.test.js");
const passing: TestReport = report([B("passed"), C("passed")]);

table("regression: every test that passed on the baseline is still reported as passed", [
  ["all do", suite(passing, passing), "green_observed"],
  ["all do, in another order", suite(passing, report([C("passed"), B("passed")])), "green_observed"],
  [
    "all do, beside a new one",
    suite(passing, report([B("passed"), C("passed"), other("d", "passed")])),
    "green_observed",
  ],
  [
    "all do, and the target too",
    suite(passing, report([B("passed"), C("passed"), target("passed")]), ENDED_0, { target: [TARGET] }),
    "green_observed",
  ],
  [
    "the target does not",
    suite(passing, report([B("passed"), C("passed"), target("failed", ASSERTION)]), ENDED_1, { target: [TARGET] }),
    "still_red",
  ],
  ["one fails", suite(passing, report([B("failed"), C("passed")]), ENDED_1), "regression"],
  ["one fails, with status 0", suite(passing, report([B("failed"), C("passed")])), "regression"],
  ["one ends by an error", suite(passing, report([B("error"), C("passed")]), ENDED_1), "regression"],
  ["one ends at its time limit", suite(passing, report([B("timed_out"), C("passed")]), ENDED_1), "regression"],
  ["one is expected to fail now", suite(passing, report([B("expected_failure"), C("passed")])), "regression"],
  ["one fails, and one is gone", suite(passing, report([B("failed")]), ENDED_1), "regression"],
  ["a new one fails", suite(passing, report([B("passed"), C("passed"), other("d", "failed")]), ENDED_1), "regression"],
  [
    "a new one fails, with status 0",
    suite(passing, report([B("passed"), C("passed"), other("d", "failed")])),
    "red_report_zero_exit",
  ],
]);

table("a test that disappears is a failure", [
  ["not reported", suite(passing, report([B("passed")])), "tests_disappeared"],
  ["skipped", suite(passing, report([B("passed"), C("skipped")])), "tests_disappeared"],
  ["todo", suite(passing, report([B("passed"), C("todo")])), "tests_disappeared"],
  ["collected and not executed", suite(passing, report([B("passed"), C("not_run")])), "tests_disappeared"],
  [
    "the whole file is gone by an import",
    suite(passing, report([B("passed")], [problem("import", "x", "test/c.test.js")]), ENDED_1),
    "tests_disappeared",
  ],
  ["all of them", suite(passing, report([])), "tests_disappeared"],
  ["renamed", suite(passing, report([B("passed"), other("C", "passed", "test/c.test.js")])), "tests_disappeared"],
  ["moved to another file", suite(passing, report([B("passed"), other("c", "passed")])), "tests_disappeared"],
  [
    "one of two of the same name",
    suite(report([B("passed"), B("passed")]), report([B("passed")])),
    "tests_disappeared",
  ],
  [
    "one of two of the same name fails",
    suite(report([B("passed"), B("passed")]), report([B("passed"), B("failed")]), ENDED_1),
    "regression",
  ],
  [
    "one that failed before is skipped now",
    suite(report([B("passed"), C("failed")]), report([B("passed"), C("skipped")])),
    "tests_disappeared",
  ],
  [
    "one that failed before is not reported",
    suite(report([B("passed"), C("failed")]), report([B("passed")])),
    "tests_disappeared",
  ],
  [
    "one that was skipped before is not reported",
    suite(report([B("passed"), C("skipped")]), report([B("passed")])),
    "green_observed",
  ],
  ["one that was a todo before passes", suite(report([B("passed"), C("todo")]), passing), "green_observed"],
]);

table("what failed on the baseline may still fail", [
  [
    "the same test",
    suite(report([B("passed"), C("failed")]), report([B("passed"), C("failed")]), ENDED_1),
    "green_observed",
  ],
  [
    "the same test, another way",
    suite(report([B("passed"), C("failed")]), report([B("passed"), C("timed_out")]), ENDED_1),
    "green_observed",
  ],
  ["or pass", suite(report([B("passed"), C("failed")]), passing), "green_observed"],
  [
    "or pass, and the status is still 1",
    suite(report([B("passed"), C("failed")]), passing, ENDED_1),
    "green_report_nonzero_exit",
  ],
  [
    "a file that could not be loaded",
    suite(
      report([B("passed")], [problem("import", "x", "c.js")]),
      report([B("passed")], [problem("import", "y", "c.js")]),
      ENDED_1,
    ),
    "green_observed",
  ],
  [
    "a file that could not be loaded is mended, and the status is still 1",
    suite(report([B("passed")], [problem("import", "x", "c.js")]), report([B("passed")]), ENDED_1),
    "green_report_nonzero_exit",
  ],
  [
    "another file cannot be loaded",
    suite(
      report([B("passed")], [problem("import", "x", "c.js")]),
      report([B("passed")], [problem("import", "x", "d.js")]),
      ENDED_1,
    ),
    "regression",
  ],
  [
    "the same late rejection",
    suite(
      report([B("passed")], [problem("unhandled", "late after 3 ms")]),
      report([B("passed")], [problem("unhandled", "late after 8 ms")]),
      ENDED_1,
    ),
    "green_observed",
  ],
  [
    "another late rejection",
    suite(
      report([B("passed")], [problem("unhandled", "late")]),
      report([B("passed")], [problem("unhandled", "other")]),
      ENDED_1,
    ),
    "green_report_nonzero_exit",
  ],
  [
    "a new late rejection beside a known failure",
    suite(
      report([B("passed"), C("failed")]),
      report([B("passed"), C("failed")], [problem("unhandled", "late")]),
      ENDED_1,
    ),
    "regression",
  ],
  [
    "a new hook that fails beside a known failure",
    suite(
      report([B("passed"), C("failed")]),
      report([B("passed"), C("failed")], [problem("setup", "after", FILE)]),
      ENDED_1,
    ),
    "regression",
  ],
  [
    "a known failure does not explain a signal",
    suite(report([B("passed"), C("failed")]), report([B("passed"), C("failed")]), KILLED),
    "green_report_nonzero_exit",
  ],
  [
    "in the target's own command it may not",
    { ...green([target("passed"), C("failed")], [], ENDED_1), baseline: report([C("failed")]) },
    "still_red",
  ],
  [
    "the runner broke now",
    suite(passing, report([B("passed"), C("passed")], [problem("runner", "x")]), ENDED_1),
    "cannot_run",
  ],
  [
    "nothing passed before, and nothing does now",
    suite(report([C("failed")]), report([C("failed")]), ENDED_1),
    "green_observed",
  ],
  ["no test before, none now", suite(report([]), report([])), "no_tests_collected"],
]);

table("unless an approved edit changed it", [
  [
    "it is gone",
    suite(passing, report([B("passed")]), ENDED_0, { allowedChanges: [C("passed").id] }),
    "green_observed",
  ],
  [
    "it is skipped",
    suite(passing, report([B("passed"), C("skipped")]), ENDED_0, { allowedChanges: [C("passed").id] }),
    "green_observed",
  ],
  [
    "it fails all the same",
    suite(passing, report([B("passed"), C("failed")]), ENDED_1, { allowedChanges: [C("passed").id] }),
    "regression",
  ],
  [
    "another one is gone",
    suite(passing, report([C("passed")]), ENDED_0, { allowedChanges: [C("passed").id] }),
    "tests_disappeared",
  ],
]);

table("regression without a baseline", [
  [
    "passes where all pass",
    { expect: "green", scope: "regression", target: [], report: passing, exit: ENDED_0 },
    "green_observed",
  ],
  [
    "fails where one fails",
    { expect: "green", scope: "regression", target: [], report: report([B("failed")]), exit: ENDED_1 },
    "regression",
  ],
  [
    "shows nothing where nothing ran",
    { expect: "green", scope: "regression", target: [], report: report([]), exit: ENDED_0 },
    "no_tests_collected",
  ],
]);

describe("what is said", () => {
  it("names every test that is missing, and how", () => {
    const baseline = report([
      B("passed"),
      C("passed"),
      other("d", "failed"),
      other("e", "passed"),
      other("e", "passed"),
    ]);
    const now = report([C("skipped"), other("e", "passed")]);
    expect(classify(suite(baseline, now)).reasons).toEqual([
      `${FILE} > b passed on the baseline and is not reported.`,
      "test/c.test.js > c passed on the baseline and is reported as skipped.",
      `${FILE} > d ran on the baseline and is not reported.`,
      `${FILE} > e passed on the baseline and is not reported (1 of 2 times).`,
    ]);
  });

  it("says what still fails, and where", () => {
    expect(classify(green([target("failed", { ...ASSERTION, message: "-1 !== -2" })], [], ENDED_1)).reasons).toEqual([
      `${TARGET}: AssertionError: -1 !== -2 (${FILE}:3)`,
    ]);
  });

  it("names the status or the signal that fits no report", () => {
    expect(classify(green([target("passed")], [], KILLED)).reasons[0]).toContain("SIGKILL");
    expect(classify(green([target("passed")], [], ENDED_1)).reasons[0]).toContain("ended with 1");
  });
});

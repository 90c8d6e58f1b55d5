import { describe, expect, it } from "vitest";
import { type Classification, OUTCOMES } from "./outcomes.ts";
import type { TestStatus } from "./report.ts";
import { ENDED_0, ENDED_1, KILLED, other, problem, report, TIMED_OUT } from "./reports.fixture.ts";
import { outcomeOf } from "./say.ts";
import { classifyCanary, classifyCounterfactual, combineRepeats } from "./special.ts";

describe("combineRepeats", () => {
  it.each<readonly [readonly Classification[], Classification]>([
    [["red_observed", "red_observed"], "red_observed"],
    [["red_observed"], "red_observed"],
    [["red_observed", "red_observed", "red_observed"], "red_observed"],
    [["red_observed", "unexpected_pass"], "flaky"],
    [["unexpected_pass", "red_observed"], "flaky"],
    [["red_observed", "red_observed", "unexpected_pass"], "flaky"],
    [["red_observed", "broken_test"], "flaky"],
    [["red_observed", "no_report"], "flaky"],
    [["red_observed", "target_not_run"], "flaky"],
    [["green_observed", "still_red"], "flaky"],
    [["unexpected_pass", "unexpected_pass"], "unexpected_pass"],
    [["missing_symbol"], "missing_symbol"],
    [["red_observed", "cannot_run"], "cannot_run"],
    [["red_observed", "timeout"], "timeout"],
    [["red_observed", "unexpected_pass", "cannot_run"], "cannot_run"],
    [[], "cannot_run"],
  ])("%j is %s", (seen, expected) => {
    const outcome = combineRepeats(seen.map((classification) => outcomeOf(classification, "seen")));
    expect(outcome).toMatchObject({ classification: expected, verdict: OUTCOMES[expected].verdict });
  });

  it("says both results where they differ", () => {
    const { reasons } = combineRepeats([
      outcomeOf("red_observed", "-1 !== -2"),
      outcomeOf("unexpected_pass", "it passed"),
    ]);
    expect(reasons.join(" ")).toMatch(/red_observed once and unexpected_pass.*-1 !== -2.*it passed/);
  });
});

describe("classifyCounterfactual", () => {
  const expected: { readonly [C in Classification]?: Classification } = {
    red_observed: "red_observed",
    unexpected_pass: "counterfactual_green",
    cannot_run: "cannot_run",
    timeout: "timeout",
  };
  it.each(Object.keys(OUTCOMES) as Classification[])("%s", (seen) => {
    const outcome = classifyCounterfactual(outcomeOf(seen, "seen"));
    expect(outcome.classification).toBe(expected[seen] ?? "flaky");
    expect(outcome.verdict === "pass").toBe(seen === "red_observed");
    expect(outcome.reasons).toContain("seen");
  });
});

describe("classifyCanary", () => {
  const names = ["test/total.test.js > c1", "test/total.test.js > c2"];
  const tests = (first: TestStatus, second: TestStatus) => [other("c1", first), other("c2", second)];
  const whole = report([...tests("failed", "failed"), other("total > rounds", "passed")]);
  const good = { report: whole, names, exit: ENDED_1 };
  const doubtful = report(tests("failed", "failed"), [problem("runner", "Something else wrote into the report.")]);
  const late = report(tests("failed", "failed"), [problem("unhandled", "late")]);

  it.each<readonly [string, Parameters<typeof classifyCanary>[0], Classification]>([
    ["all are reported as failing", good, "canary_reported"],
    ["all are, beside a late rejection", { ...good, report: late }, "canary_reported"],
    ["one passed", { ...good, report: report(tests("failed", "passed")) }, "canary_silent"],
    ["one was skipped", { ...good, report: report(tests("skipped", "failed")) }, "canary_silent"],
    ["one is expected to fail", { ...good, report: report(tests("expected_failure", "failed")) }, "canary_silent"],
    ["one was not executed", { ...good, report: report(tests("not_run", "failed")) }, "canary_silent"],
    ["one is missing", { ...good, report: report([other("c1", "failed")]) }, "canary_silent"],
    ["one is reported twice", { ...good, report: report([...whole.tests, other("c1", "failed")]) }, "canary_silent"],
    [
      "one is reported as failing and as passing",
      { ...good, report: report([...whole.tests, other("c1", "passed")]) },
      "canary_silent",
    ],
    ["none is reported", { ...good, report: report([]) }, "canary_silent"],
    ["there are none", { ...good, names: [] }, "canary_silent"],
    ["the status is 0", { ...good, exit: ENDED_0 }, "canary_silent"],
    ["there is no report", { ...good, report: null }, "canary_silent"],
    ["the report is not whole", { ...good, report: { ...whole, whole: false } }, "canary_silent"],
    ["something else wrote into the report", { ...good, report: doubtful }, "canary_silent"],
    ["it was killed after the report", { ...good, exit: KILLED }, "cannot_run"],
    ["it was killed before the report", { ...good, report: null, exit: KILLED }, "cannot_run"],
    ["the whole command timed out", { ...good, exit: TIMED_OUT }, "timeout"],
    ["it could not be started", { ...good, cannotRun: "no such program" }, "cannot_run"],
  ])("%s: $2", (_, seen, expected) => {
    expect(classifyCanary(seen)).toMatchObject({ classification: expected, verdict: OUTCOMES[expected].verdict });
  });

  it("names the tests that were silent, and what was reported in their place", () => {
    const { reasons } = classifyCanary({ ...good, report: report([other("c1", "passed")]) });
    expect(reasons.slice(1)).toEqual([`${names[0]}: passed`, `${names[1]}: not reported`]);
  });
});

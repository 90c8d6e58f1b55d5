/** Expecting green: the target passed, nothing that ran before is gone or fails, and nothing is amiss around it. DESIGN 4, "Green and regression". */
import { fingerprint } from "./fingerprint.ts";
import type { Observation } from "./observation.ts";
import type { Outcome } from "./outcome.ts";
import type { ReportedTest, ReportProblem, TestId, TestReport } from "./report.ts";
import { outcomeOf, sayFailure, sayProblem, sayStatus } from "./say.ts";

/** `report` is the observation's own, and whole. */
export function classifyGreen(observation: Observation, report: TestReport): Outcome {
  return (
    targetGreen(observation, report) ??
    comparedGreen(observation, report) ??
    cleanEnd(observation, report) ??
    passed(observation, report)
  );
}

/** Each target exactly once, executed and passed. */
function targetGreen({ target }: Observation, report: TestReport): Outcome | null {
  for (const id of target) {
    const found = report.tests.filter((test) => test.id === id);
    const [test] = found;
    if (found.length > 1) return outcomeOf("target_not_run", `${id} is reported ${found.length} times.`);
    if (test === undefined || test.status === "not_run") {
      const problem = report.problems.find(({ file }) => file !== undefined && id.startsWith(`${file} > `));
      if (problem !== undefined) return outcomeOf("still_red", sayProblem(problem));
      const what = test === undefined ? "is not in the report" : "was collected and not executed";
      return outcomeOf("target_not_run", `${id} ${what}.`);
    }
    if (test.status === "skipped" || test.status === "todo")
      return outcomeOf("target_not_run", `${id} is reported as ${sayStatus(test)}.`);
    if (test.status !== "passed") return outcomeOf("still_red", sayFailure(test));
  }
  return null;
}

/** Every test that ran on the baseline runs, and every one that passed there passes, as often as before. */
function comparedGreen({ baseline, allowedChanges }: Observation, report: TestReport): Outcome | null {
  if (baseline === undefined) return null;
  const allowed = new Set(allowedChanges ?? []);
  const now = byId(report.tests);
  const failing: string[] = [];
  const gone: string[] = [];
  for (const [id, before] of byId(baseline.tests)) {
    if (allowed.has(id)) continue;
    const same = now.get(id) ?? [];
    const executed = same.filter(isExecuted);
    const missing = before.filter(isExecuted).length - executed.length;
    const failed = executed.find(({ status }) => status !== "passed");
    const fewer = count(before, "passed") > count(same, "passed");
    if (fewer && failed !== undefined) failing.push(sayFailure(failed));
    else if (fewer || missing > 0) gone.push(sayGone(id, before, same));
  }
  if (failing.length > 0) return outcomeOf("regression", ...failing, ...gone);
  return gone.length > 0 ? outcomeOf("tests_disappeared", ...gone) : null;
}

function sayGone(id: TestId, before: readonly ReportedTest[], now: readonly ReportedTest[]): string {
  const idle = now.find((test) => !isExecuted(test));
  const then = count(before, "passed") > 0 ? "passed" : "ran";
  if (idle !== undefined) return `${id} ${then} on the baseline and is reported as ${sayStatus(idle)}.`;
  const times = before.length > 1 ? ` (${now.length} of ${before.length} times)` : "";
  return `${id} ${then} on the baseline and is not reported${times}.`;
}

/** Nothing amiss beside the tests, and an exit status that agrees with them. */
function cleanEnd(observation: Observation, report: TestReport): Outcome | null {
  const { exit, baseline, scope } = observation;
  const known = scope === "regression" ? baseline : undefined;
  const bad = scope === "regression" ? "regression" : "still_red";
  const failures = report.tests.filter(isFailure);
  const newFailures = failures.filter(({ id }) => !known?.tests.some((old) => old.id === id && isFailure(old)));
  if (newFailures.length > 0) {
    const said = newFailures.map(sayFailure);
    return exit.code === 0
      ? outcomeOf("red_report_zero_exit", "A test failed, and the command ended with status 0.", ...said)
      : outcomeOf(bad, ...said);
  }
  const excused = new Set(known?.problems.map(identityOf));
  const problems = report.problems.filter((problem) => !excused.has(identityOf(problem)));
  if (problems.length > 0) {
    const said = problems.map(sayProblem);
    // A runner that broke, or whose report something else wrote into, has shown nothing. That is for a person.
    if (problems.some(({ code }) => code === "runner")) return outcomeOf("cannot_run", ...said);
    const onlyLate = failures.length === 0 && problems.every(({ code }) => code === "unhandled");
    return onlyLate && exit.code !== 0 ? outcomeOf("green_report_nonzero_exit", ...said) : outcomeOf(bad, ...said);
  }
  if (exit.code === 0) return null;
  // What is amiss now was amiss on the baseline, so the status that comes with it is no news. An end by a signal always is.
  const explained = exit.code !== null && (failures.length > 0 || report.problems.length > 0);
  return explained
    ? null
    : outcomeOf(
        "green_report_nonzero_exit",
        `Nothing new failed, and the command ended with ${exit.code ?? exit.signal ?? "no status"}.`,
      );
}

function passed({ target, scope, baseline }: Observation, report: TestReport): Outcome {
  const passing = count(report.tests, "passed");
  // A run without a test shows nothing. Where tests ran on the baseline, they have been compared by now.
  if (passing === 0 && target.length === 0 && (baseline === undefined || baseline.tests.length === 0))
    return outcomeOf("no_tests_collected", "The runner executed no test.");
  const what =
    scope === "regression"
      ? `${passing} of ${report.tests.length} tests passed; none that passed on the baseline is missing.`
      : `${target.join(", ") || `${passing} tests`} passed.`;
  return outcomeOf("green_observed", what);
}

/** When two problems are the same one. A late error is told by its words; what keeps a file from running is told by the file. */
function identityOf({ code, file, message }: ReportProblem): string {
  return JSON.stringify([code, file ?? null, code === "unhandled" ? fingerprint(message) : null]);
}

function isExecuted({ status }: ReportedTest): boolean {
  return status !== "skipped" && status !== "todo" && status !== "not_run";
}

function isFailure({ status }: ReportedTest): boolean {
  return status === "failed" || status === "error" || status === "timed_out" || status === "unexpected_pass";
}

function count(tests: readonly ReportedTest[], status: ReportedTest["status"]): number {
  return tests.filter((test) => test.status === status).length;
}

function byId(tests: readonly ReportedTest[]): Map<TestId, ReportedTest[]> {
  const result = new Map<TestId, ReportedTest[]>();
  for (const test of tests) {
    const same = result.get(test.id);
    if (same === undefined) result.set(test.id, [test]);
    else same.push(test);
  }
  return result;
}

/** Outcomes of observations that are made of others: repeats, the counterfactual, the canary. */
import type { Outcome } from "./outcome.ts";
import type { Exit, TestId, TestReport } from "./report.ts";
import { outcomeOf, sayProblem } from "./say.ts";

/** The outcome of the same observation made several times. Where they differ, the test is flaky; a fault of the environment says nothing about it. */
export function combineRepeats(outcomes: readonly Outcome[]): Outcome {
  const [first, ...rest] = outcomes;
  if (first === undefined) return outcomeOf("cannot_run", "Nothing was run.");
  const fault = outcomes.find(({ classification }) => classification === "cannot_run" || classification === "timeout");
  if (fault !== undefined) return fault;
  const other = rest.find(({ classification }) => classification !== first.classification);
  if (other === undefined) return first;
  return outcomeOf(
    "flaky",
    `The same revision was ${first.classification} once and ${other.classification} another time.`,
    ...first.reasons.slice(0, 2),
    ...other.reasons.slice(0, 2),
  );
}

/** With production put back to the baseline, the frozen test must be red again. `seen` is that observation, expecting red. */
export function classifyCounterfactual(seen: Outcome): Outcome {
  switch (seen.classification) {
    case "red_observed":
    case "cannot_run":
    case "timeout":
      return seen;
    case "unexpected_pass":
      return outcomeOf(
        "counterfactual_green",
        "The frozen test passes with the production files put back to the baseline, so it is not the change that makes it pass.",
        ...seen.reasons,
      );
    default:
      return outcomeOf(
        "flaky",
        `The frozen test was red before, and is ${seen.classification} with the production files put back to the baseline.`,
        ...seen.reasons,
      );
  }
}

/** The canary tests must be reported as failing, each of them once, in a whole report that the runner stands by, with an exit that says so. */
export function classifyCanary(seen: {
  readonly report: TestReport | null;
  readonly names: readonly TestId[];
  readonly exit: Exit;
  readonly cannotRun?: string;
}): Outcome {
  const { report, names, exit, cannotRun } = seen;
  if (cannotRun !== undefined) return outcomeOf("cannot_run", cannotRun);
  if (exit.timedOut) return outcomeOf("timeout", "The command with the canary was ended at its time limit.");
  if (!report?.whole)
    return exit.signal === null
      ? outcomeOf("canary_silent", "The run with the canary left no whole report.")
      : outcomeOf("cannot_run", `The command with the canary was ended by ${exit.signal}.`);
  const doubt = report.problems.find(({ code }) => code === "runner");
  if (doubt !== undefined)
    return outcomeOf("canary_silent", `The report of the canary cannot be trusted. ${sayProblem(doubt)}`);
  const silent = names.filter((id) => {
    const found = report.tests.filter((test) => test.id === id);
    return found.length !== 1 || found[0]?.status !== "failed";
  });
  if (names.length === 0 || silent.length > 0) {
    return outcomeOf(
      "canary_silent",
      `${silent.length} of ${names.length} tests that must fail were not reported as failing.`,
      ...silent.slice(0, 5).map((id) => `${id}: ${sayFound(id, report)}`),
    );
  }
  if (exit.code === 0) return outcomeOf("canary_silent", "The canary failed, and the command ended with status 0.");
  if (exit.code === null)
    return outcomeOf(
      "cannot_run",
      `The command with the canary was ended by ${exit.signal ?? "something"} after its report.`,
    );
  return outcomeOf(
    "canary_reported",
    `${names.length} of ${names.length} tests that must fail were reported as failing.`,
  );
}

function sayFound(id: TestId, { tests }: TestReport): string {
  const found = tests.filter((test) => test.id === id);
  return found.length === 0 ? "not reported" : found.map(({ status }) => status.replaceAll("_", " ")).join(", ");
}

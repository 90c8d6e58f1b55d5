/** Outcomes of observations that are made of others: repeats, the counterfactual, the canary. */
import type { Outcome } from "./outcome.ts";
import { type Classification, OUTCOMES } from "./outcomes.ts";
import type { Exit, TestId, TestReport } from "./report.ts";

/** The outcome of the same observation made several times. Where they differ, the test is flaky. */
export function combineRepeats(outcomes: readonly Outcome[]): Outcome {
  const [first, ...rest] = outcomes;
  if (first === undefined) return made("cannot_run", "Nothing was run.");
  const other = rest.find(({ classification }) => classification !== first.classification);
  if (other === undefined) return first;
  return made(
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
      return made(
        "counterfactual_green",
        "The frozen test passes with the production files put back to the baseline, so it is not the change that makes it pass.",
        ...seen.reasons,
      );
    default:
      return made(
        "flaky",
        `The frozen test was red before, and is ${seen.classification} with the production files put back to the baseline.`,
        ...seen.reasons,
      );
  }
}

/** The canary tests must be reported as failing, each of them, in a whole report with an exit that says so. */
export function classifyCanary(seen: {
  readonly report: TestReport | null;
  readonly names: readonly TestId[];
  readonly exit: Exit;
  readonly cannotRun?: string;
}): Outcome {
  const { report, names, exit, cannotRun } = seen;
  if (cannotRun !== undefined) return made("cannot_run", cannotRun);
  if (exit.timedOut) return made("timeout", "The command with the canary was ended at its time limit.");
  if (report === null || !report.whole) return made("canary_silent", "The run with the canary left no whole report.");
  const silent = names.filter(
    (id) => report.tests.filter((test) => test.id === id && test.status === "failed").length !== 1,
  );
  if (names.length === 0 || silent.length > 0) {
    return made(
      "canary_silent",
      `${silent.length} of ${names.length} tests that must fail were not reported as failing.`,
      ...silent
        .slice(0, 5)
        .map((id) => `${id}: ${report.tests.find((test) => test.id === id)?.status ?? "not reported"}`),
    );
  }
  if (exit.code === 0) return made("canary_silent", "The canary failed, and the command ended with status 0.");
  return made("canary_reported", `${names.length} of ${names.length} tests that must fail were reported as failing.`);
}

function made(classification: Classification, ...reasons: string[]): Outcome {
  return { verdict: OUTCOMES[classification].verdict, classification, reasons };
}

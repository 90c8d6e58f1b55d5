/** `classify`: what an observation amounts to. Pure and total; the rules stand in the order in which they are asked. */
import { classifyGreen } from "./green.ts";
import type { Observation } from "./observation.ts";
import type { Outcome } from "./outcome.ts";
import { classifyRed } from "./red.ts";
import { outcomeOf, sayProblem } from "./say.ts";

/**
 * Classifies one observation by the outcome table.
 *
 * @example
 * ```ts
 * import { classify } from "yada-runtime";
 * const report = {
 *   whole: true,
 *   tests: [{ id: "a.test.js > adds", file: "a.test.js", name: "adds", status: "passed" as const }],
 *   problems: [],
 * };
 * const exit = { code: 0, signal: null, timedOut: false };
 * classify({ expect: "red", target: ["a.test.js > adds"], report, exit }).classification; // 'unexpected_pass'
 * ```
 */
export function classify(observation: Observation): Outcome {
  const { expect, target, report, exit, cannotRun } = observation;
  // What keeps an observation from saying anything, whatever was expected.
  if (cannotRun !== undefined) return outcomeOf("cannot_run", cannotRun);
  if (exit.timedOut) return outcomeOf("timeout", "The whole command was ended at its time limit.");
  if (report?.whole) return expect === "red" ? classifyRed(target, report, exit) : classifyGreen(observation, report);
  if (exit.signal !== null)
    return outcomeOf("cannot_run", `The command was ended by ${exit.signal} before its report was whole.`);
  if (report === null)
    return outcomeOf("no_report", `The command ended with ${exit.code ?? "no status"} and left no report.`);
  const why = report.problems.map(sayProblem);
  return outcomeOf("no_report", "The report is not whole: the runner never said that it ended.", ...why);
}

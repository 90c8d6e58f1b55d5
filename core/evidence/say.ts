/** An outcome by its classification, and the sentences that reasons are made of. */
import type { Outcome } from "./outcome.ts";
import { type Classification, OUTCOMES } from "./outcomes.ts";
import type { Failure, Frame, ReportedTest, ReportProblem } from "./report.ts";

const MAX_REASONS = 20;
const MAX_REASON = 500;

/** The outcome of a row of the table. The verdict is the row's; reasons are bounded. */
export function outcomeOf(classification: Classification, ...reasons: string[]): Outcome {
  const bounded = reasons
    .slice(0, MAX_REASONS)
    .map((reason) => (reason.length <= MAX_REASON ? reason : `${reason.slice(0, MAX_REASON - 1)}…`));
  return { verdict: OUTCOMES[classification].verdict, classification, reasons: bounded };
}

export function sayProblem({ code, file, message }: ReportProblem): string {
  return `${code}${file === undefined ? "" : ` in ${file}`}: ${message}`;
}

export function sayStatus({ status }: ReportedTest): string {
  return status.replaceAll("_", " ");
}

/** The test, what it said, and where. */
export function sayFailure({ id, status, failure }: ReportedTest): string {
  if (failure === undefined) return `${id}: ${status.replaceAll("_", " ")}`;
  const name = failure.name === undefined ? "" : `${failure.name}: `;
  return `${id}: ${name}${failure.message}${sayPlace(failure)}`;
}

/** The innermost frame of the project: frames of the engine, of packages and of other folders help nobody. */
function sayPlace({ frames }: Failure): string {
  const frame = frames.find(isOfProject);
  return frame === undefined ? "" : ` (${frame.file}${frame.line === undefined ? "" : `:${frame.line}`})`;
}

function isOfProject({ file }: Frame): boolean {
  return !/(?:^|\/)node_modules\/|^\/|^[A-Za-z]:[\\/]|^\w+:/.test(file);
}

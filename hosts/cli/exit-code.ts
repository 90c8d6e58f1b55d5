import { OUTCOMES } from "../../core/evidence/mod.ts";
import type { RunResult } from "../../core/run/mod.ts";
import type { ExitCode } from "./io.ts";

/** The exit code of a run, by its status and the outcome table. */
export function exitCodeOf({ status, outcome }: Pick<RunResult, "status" | "outcome">): ExitCode {
  if (status === "waiting_approval") return 3;
  if (status === "completed") return 0;
  const code = outcome === null ? 1 : OUTCOMES[outcome.classification].exit;
  // A run that did not complete is never a pass, whatever its outcome says alone.
  return code === 0 ? 1 : code;
}

/** What is run in a lane. */
import type { CommandRequest, CommandResult } from "../../../core/run/mod.ts";

/** A command over the revision of the last `sync`. */
export type LaneCommand = Omit<CommandRequest, "tree" | "objects">;

/** The result of a command that was not started. */
export function cannotRun(root: string, why: string): CommandResult {
  return {
    exit: { code: null, signal: null, timedOut: false },
    output: "",
    report: null,
    root,
    durationMs: 0,
    isolation: { engine: "none", notes: [] },
    stray: [],
    cannotRun: why,
  };
}

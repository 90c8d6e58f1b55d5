/** The port `Commands` over lanes. */
import type { CommandRequest, CommandResult, Commands } from "../../../core/run/mod.ts";
import { cannotRun } from "./command.ts";
import { createLane, type Lane, type LaneOptions } from "./lane.ts";

export interface LaneCommands extends Commands {
  /** Ends what runs, and removes the lane. */
  dispose(): Promise<void>;
}

/** Runs commands one after the other in one lane, which is made when the first one comes and made again after an error. */
export function laneCommands(options: LaneOptions): LaneCommands {
  const ending = new AbortController();
  let lane: Lane | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function run(request: CommandRequest): Promise<CommandResult> {
    const signal = joined(ending.signal, request.signal);
    if (signal.aborted) return cannotRun(options.root, "The command was stopped before it started.");
    try {
      lane ??= await createLane(options);
      await lane.sync(request.tree, request.objects, { reset: request.purpose === "evidence" });
      return await lane.run({ ...request, signal });
    } catch (error) {
      await lane?.dispose().catch(() => {});
      lane = undefined;
      const why = faultOfTheMachine(error);
      if (why === undefined) throw error;
      return cannotRun(options.root, `The lane could not be made: ${why}`);
    }
  }

  return {
    run(request) {
      const result = last.then(() => run(request));
      last = result.catch(() => {});
      return result;
    },
    async dispose() {
      ending.abort();
      await last;
      await lane?.dispose();
      lane = undefined;
    },
  };
}

function joined(own: AbortSignal, given: CommandRequest["signal"]): AbortSignal {
  if (given === undefined) return own;
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const signal of [own, given]) {
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  }
  return controller.signal;
}

/** What a person can do something about: a full disk, missing permission, no place for lanes. Anything else is a bug. */
function faultOfTheMachine(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "syscall" in error || error.message.startsWith("No folder for lanes") ? error.message : undefined;
}

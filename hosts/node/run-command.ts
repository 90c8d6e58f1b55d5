/** `runCommand`: one command in a lane, over the tree that the lane holds. */
import type { CommandResult } from "../../core/run/mod.ts";
import type { Lane } from "./lane/mod.ts";

export interface RunCommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Default 120,000. */
  readonly timeoutMs?: number;
  readonly network?: boolean;
  readonly signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 120_000;

/** Runs an argument list, never a shell, and says how it ended and which files it changed. */
export function runCommand(
  lane: Lane,
  argv: readonly string[],
  options: RunCommandOptions = {},
): Promise<CommandResult> {
  const { env, timeoutMs, network, signal } = options;
  return lane.run({
    argv,
    env: env ?? {},
    files: {},
    report: "none",
    purpose: "command",
    timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
    network: network ?? false,
    ...(signal === undefined ? {} : { signal }),
  });
}

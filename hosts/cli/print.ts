/** What a command says: results on standard output, everything else on standard error. */
import type { ExitCode, Io } from "./io.ts";

/** Says something on standard error and returns the exit code. */
export function say(io: Io, code: ExitCode, message: string): ExitCode {
  io.err(`${message}\n`);
  return code;
}

/** One JSON document on standard output. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}

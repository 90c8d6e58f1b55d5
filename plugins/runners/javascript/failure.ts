/** An error as a reporter serialised it, made into a `Failure`. */
import type { Failure } from "../../../core/evidence/mod.ts";
import { originOf, parseStack } from "./stack.ts";

export const MAX_MESSAGE = 4096;

/** What a reporter tells about an error. `kind` is set where the reporter knows it better than the name and the message do. */
export interface RawFailure {
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string;
  readonly kind?: Failure["kind"];
}

/** Where the paths of a report are cut, and what counts as a test file. */
export interface PathOptions {
  readonly root?: string | undefined;
  readonly isTest?: ((path: string) => boolean) | undefined;
}

/** `file` is the reported test's own file, relative to the root: always a test file. */
export function toFailure(raw: RawFailure, file: string, options: PathOptions): Failure {
  const stack = parseStack(raw.stack ?? "", { root: options.root, message: raw.message });
  const isTest = (path: string): boolean => path === file || (options.isTest?.(path) ?? false);
  return {
    message: boundMessage(raw.message),
    kind: raw.kind ?? kindOf(raw, stack.frames[0]?.file ?? ""),
    origin: originOf(stack, isTest),
    frames: stack.frames,
    ...(raw.name === undefined || raw.name === "" ? {} : { name: boundMessage(raw.name, 200) }),
  };
}

/** The head of a long text, with a note of how much is missing. */
export function boundMessage(text: string, max: number = MAX_MESSAGE): string {
  if (text.length <= max) return text;
  const note = ` … (${text.length} characters in all)`;
  return text.slice(0, Math.max(0, max - note.length)) + note;
}

/** The packages whose matchers throw a plain `Error` for what `expect.extend` added. */
const MATCHERS = /\/node_modules\/(@vitest\/(expect|snapshot)|chai|expect|jest-snapshot|@jest\/expect)\//;

/** By the error's class, code and message, as node:assert, chai, vitest and jest write them, and by the place that threw it. */
function kindOf(raw: RawFailure, thrownIn: string): Failure["kind"] {
  if (/^(Test|Hook) timed out in \d+ ?ms/.test(raw.message)) return "timeout";
  if (/^(thrown: ")?Exceeded timeout of \d+ ?ms/.test(raw.message)) return "timeout";
  if (/^test timed out after \d+ ?ms/.test(raw.message)) return "timeout";
  if (raw.code === "ERR_ASSERTION") return "assertion";
  if (/^(Jest)?AssertionError\b/.test(raw.name ?? "")) return "assertion";
  if (/^(AssertionError\b.*: )?expect\(.*\)/.test(raw.message)) return "assertion";
  // expect.assertions(n) and expect.hasAssertions()
  if (/^expected (any )?number of assertions?\b/.test(raw.message)) return "assertion";
  if (/^Snapshot `.*` mismatched/s.test(raw.message)) return "assertion";
  return raw.name === "Error" && MATCHERS.test(thrownIn) ? "assertion" : "error";
}

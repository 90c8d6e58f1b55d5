/**
 * The trace: one event a line. Each line carries the hash of the event before it, its own hash, and a seal over everything that the line says,
 * times included, and over the seal before it. So a line that was changed, dropped, added or swapped is found, and the first such line is named.
 * What was cut from the end is found by the head, which is kept beside the trace.
 */
import { canonicalJson, sha256Hex } from "../hash/mod.ts";
import type { RunEvent } from "./events.ts";

/** When an event was recorded, in milliseconds since the epoch. It stands outside the hashed body. */
export interface Timing {
  readonly at: number;
  /** How long the instruction took that led to it. */
  readonly ms: number;
}

/** The end of a trace. */
export interface TraceHead {
  readonly seq: number;
  readonly hash: string;
  readonly seal: string;
}

export const EMPTY_HEAD: TraceHead = { seq: 0, hash: "", seal: "" };

/** The hash of an event's body: SHA-256 of its canonical JSON. The next event carries it as `prev`. */
export function hashEvent(event: RunEvent): string {
  return sha256Hex(canonicalJson(event));
}

/** The line for an event (without its line break), and the head after it. */
export function sealEvent(event: RunEvent, timing: Timing, before: TraceHead): { line: string; head: TraceHead } {
  const hash = hashEvent(event);
  const seal = sealOf(before.seal, hash, timing);
  const { seq, type, revision, prev, transition, answer, data } = event;
  const line = JSON.stringify({
    seq,
    type,
    ...(transition === undefined ? {} : { transition }),
    revision,
    prev,
    data,
    ...(answer === undefined ? {} : { answer }),
    hash,
    at: new Date(timing.at).toISOString(),
    ms: timing.ms,
    seal,
  });
  return { line, head: { seq, hash, seal } };
}

function sealOf(before: string, hash: string, { at, ms }: Timing): string {
  return sha256Hex(`${before}\n${hash}\n${new Date(at).toISOString()}\n${ms}`);
}

/** What is wrong with a trace. `line` is 1-based. */
export interface TraceProblem {
  readonly line: number;
  readonly code:
    | "not_json"
    | "not_canonical"
    | "wrong_hash"
    | "wrong_seal"
    | "wrong_prev"
    | "wrong_number"
    | "cut"
    | "head_differs"
    | "incomplete_line";
  readonly message: string;
}

export interface ReadTrace {
  /** The events up to the first problem. */
  readonly events: readonly RunEvent[];
  readonly head: TraceHead;
  /** The first problem, or null. */
  readonly problem: TraceProblem | null;
}

/**
 * Reads and verifies a trace. `head`, where it is given, is what the trace must end with. A last line without a line break was cut while it was
 * written; the events before it are whole, and a run resumes from them.
 */
export function readTrace(text: string, head?: TraceHead): ReadTrace {
  const events: RunEvent[] = [];
  let last: TraceHead = EMPTY_HEAD;
  const lines = text.split("\n");
  const unfinished = lines.pop() ?? "";
  const fail = (line: number, code: TraceProblem["code"], message: string): ReadTrace => ({
    events,
    head: last,
    problem: { line, code, message },
  });
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const parsed = parseLine(line);
    if (parsed === null) return fail(number, "not_json", "The line is no event.");
    const { event, timing } = parsed;
    if (event.seq !== last.seq + 1)
      return fail(
        number,
        "wrong_number",
        `The event has number ${event.seq}; ${last.seq + 1} belongs here. A line was dropped, added or moved.`,
      );
    if (event.prev !== last.hash)
      return fail(number, "wrong_prev", "The event does not follow the one before it: its prev is another hash.");
    const sealed = sealEvent(event, timing, last);
    if (parsed.hash !== sealed.head.hash)
      return fail(number, "wrong_hash", "The event's body was changed: its hash is another.");
    if (parsed.seal !== sealed.head.seal)
      return fail(number, "wrong_seal", "The line was changed beside the event's body.");
    if (sealed.line !== line)
      return fail(number, "not_canonical", "The line says the same in another form than Yada writes.");
    events.push(event);
    last = sealed.head;
  }
  if (unfinished !== "")
    return fail(lines.length + 1, "incomplete_line", "The last line is cut. The events before it are whole.");
  if (head !== undefined && head.seq > last.seq)
    return fail(
      lines.length,
      "cut",
      `The trace ends at event ${last.seq}; the run had reached ${head.seq}. Lines are missing at the end.`,
    );
  if (head !== undefined && head.seq === last.seq && head.seal !== last.seal)
    return fail(
      lines.length,
      "head_differs",
      "The trace was rewritten: it does not end in what the run recorded as its head.",
    );
  return { events, head: last, problem: null };
}

function parseLine(line: string): { event: RunEvent; timing: Timing; hash: string; seal: string } | null {
  try {
    const { hash, at, ms, seal, ...event } = JSON.parse(line) as RunEvent & {
      hash: string;
      at: string;
      ms: number;
      seal: string;
    };
    const time = Date.parse(at);
    if (Number.isNaN(time) || typeof ms !== "number" || typeof event.seq !== "number" || typeof event.type !== "string")
      return null;
    return { event, timing: { at: time, ms }, hash, seal };
  } catch {
    return null;
  }
}

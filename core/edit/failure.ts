/** The error contract of the edit tools. This module is browser compatible. */
import type { EditCode, EditFailure } from "./types.ts";

/** The most that `details` may take, in UTF-8 bytes of its JSON. */
export const maxDetailsBytes = 2048;

const maxMessageLength = 400;
const encoder = new TextEncoder();

/** A refused edit. `details` is cut to its bound: long texts first, then long lists. */
export function failure(
  code: EditCode,
  message: string,
  details: Readonly<Record<string, unknown>>,
  next: string,
): EditFailure<EditCode> {
  return { ok: false, code, message: clip(message, maxMessageLength), details: bounded(details), next };
}

/** A text cut to so many characters, with a note of how many are left out. A surrogate pair is not cut in two. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
  return `${kept}... (+${text.length - kept.length} characters)`;
}

/** A path or a line as a message shows it: in quotes, control characters escaped. */
export function quoted(text: string, length = 120): string {
  return JSON.stringify(clip(text, length));
}

function bounded(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  for (const [textLength, listLength] of [
    [400, 20],
    [160, 10],
    [100, 5],
    [60, 3],
    [24, 2],
  ] as const) {
    const cut = shortened(details, textLength, listLength);
    if (isRecord(cut) && encoder.encode(JSON.stringify(cut)).length <= maxDetailsBytes) return cut;
  }
  return { cut: true };
}

function shortened(value: unknown, textLength: number, listLength: number): unknown {
  if (typeof value === "string") return clip(value, textLength);
  if (Array.isArray(value)) return value.slice(0, listLength).map((item) => shortened(item, textLength, listLength));
  if (!isRecord(value)) return value;
  const cut: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    // A hash is of use only as a whole.
    const isHash = typeof item === "string" && /^[0-9a-f]{64}$/.test(item);
    cut.push([clip(key, textLength), isHash ? item : shortened(item, textLength, listLength)]);
  }
  return Object.fromEntries(cut);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

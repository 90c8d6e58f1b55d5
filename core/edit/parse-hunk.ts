/** Reading one hunk of a patch. This module is browser compatible. */
import { quoted } from "./failure.ts";
import { type Hunk, type HunkLine, PatchError } from "./patch.ts";

/** What the form of the patch says about the lines around hunks. Lines are given by index, 0-based. */
export interface HunkSurroundings {
  /** Whether the part of the next hunk or file starts here, or the patch ends. */
  isBoundary(at: number): boolean;
  /** Whether this must be a boundary even where a header's counts take it for content. */
  isCertainBoundary(at: number): boolean;
}

interface HunkHeader {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** What an `@@` line says: its numbers, or null where it has none and the hunk is found by its text alone. */
export function parseHunkHeader(line: string, at: number): HunkHeader | null {
  const numbers = /^@@ -(\d{1,15})(?:,(\d{1,15}))? \+(\d{1,15})(?:,(\d{1,15}))? @@/.exec(line);
  if (numbers !== null) {
    const [, oldStart, oldCount = "1", newStart, newCount = "1"] = numbers;
    return {
      oldStart: Number(oldStart),
      oldCount: Number(oldCount),
      newStart: Number(newStart),
      newCount: Number(newCount),
    };
  }
  if (line.startsWith("@@@")) {
    throw new PatchError(at + 1, "this is a combined diff of a merge, which names no single base", {
      next: "Send a plain diff against the file as it is.",
    });
  }
  if (/^@@\s*[-+]\s*\d/.test(line)) {
    throw new PatchError(at + 1, `the hunk header ${quoted(line)} is only half there`, {
      next: "Write @@ -start,count +start,count @@, or @@ alone to have the hunk found by its text.",
    });
  }
  return null;
}

/**
 * The hunk whose header (or, with `header` undefined, first body line) stands at index `from`, and the index of the line after it.
 *
 * The counts of a header are a hint: they hold where they end at a boundary, blank lines between. Otherwise the body is what
 * stands up to the next boundary, without blank lines at its end.
 */
export function parseHunk(
  lines: readonly string[],
  from: number,
  around: HunkSurroundings,
): { readonly hunk: Hunk; readonly next: number } {
  const hasHeader = (lines[from] ?? "").startsWith("@@");
  const header = hasHeader ? parseHunkHeader(lines[from] ?? "", from) : null;
  const start = hasHeader ? from + 1 : from;
  const body =
    (header === null ? null : bodyByCounts(lines, start, header, around)) ?? bodyByMarkers(lines, start, around);
  return { hunk: { at: from + 1, header, lines: body.lines }, next: body.next };
}

/** Whether a line of a patch is blank: nothing, or a lone carriage return. */
export function isBlank(line: string | undefined): boolean {
  return line === "" || line === "\r";
}

/** The index of the first line from `at` on that is not blank. */
export function skipBlank(lines: readonly string[], at: number): number {
  let next = at;
  while (isBlank(lines[next])) next += 1;
  return next;
}

interface Body {
  readonly lines: HunkLine[];
  readonly next: number;
}

function bodyByCounts(
  lines: readonly string[],
  start: number,
  { oldCount, newCount }: HunkHeader,
  around: HunkSurroundings,
): Body | null {
  const body: HunkLine[] = [];
  let old = oldCount;
  let added = newCount;
  let at = start;
  for (; old > 0 || added > 0; at += 1) {
    const line = lines[at];
    if (line === undefined || around.isCertainBoundary(at)) return null;
    if (isNoNewline(line)) {
      if (!dropFeed(body)) return null;
      continue;
    }
    const read = hunkLine(line, at);
    if (read === null) return null;
    if (read.marker !== "+") old -= 1;
    if (read.marker !== "-") added -= 1;
    if (old < 0 || added < 0) return null;
    body.push(read);
  }
  if (isNoNewline(lines[at] ?? "")) {
    if (!dropFeed(body)) return null;
    at += 1;
  }
  const next = skipBlank(lines, at);
  return around.isBoundary(next) ? { lines: body, next } : null;
}

function bodyByMarkers(lines: readonly string[], start: number, around: HunkSurroundings): Body {
  const body: HunkLine[] = [];
  let at = start;
  for (; !around.isBoundary(at); at += 1) {
    const line = lines[at] ?? "";
    if (isNoNewline(line)) {
      if (!dropFeed(body))
        throw new PatchError(at + 1, "this marker of a missing newline follows no line that could lack it");
      continue;
    }
    const read = hunkLine(line, at);
    if (read === null) throw noMarker(line, at);
    body.push(read);
  }
  while (body.at(-1)?.isUnmarked) body.pop();
  return { lines: body, next: at };
}

function hunkLine(line: string, at: number): HunkLine | null {
  if (isBlank(line)) return { marker: " ", text: line, hasFeed: true, isUnmarked: true, at: at + 1 };
  const marker = line[0];
  if (marker !== " " && marker !== "-" && marker !== "+") return null;
  return { marker, text: line.slice(1), hasFeed: true, at: at + 1 };
}

function isNoNewline(line: string): boolean {
  return line.startsWith("\\ ");
}

function dropFeed(body: readonly HunkLine[]): boolean {
  const last = body.at(-1);
  if (last === undefined || !last.hasFeed) return false;
  last.hasFeed = false;
  return true;
}

function noMarker(line: string, at: number): PatchError {
  const shown = quoted(line, 80);
  if (/^\s*(\.\.\.|…)/.test(line)) {
    return new PatchError(at + 1, `${shown} leaves lines out, and a hunk must hold every line it spans`, {
      next: "Write the lines that stand there, or make two hunks of it.",
    });
  }
  if (line.startsWith("```")) {
    return new PatchError(at + 1, `${shown} is a code fence, not a line of a patch`, {
      next: "Send the patch alone, without fences and prose.",
    });
  }
  return new PatchError(
    at + 1,
    `the line ${shown} has no marker; each line of a hunk starts with a space (context), - (deletion) or + (addition)`,
    { next: "Put a space before a context line, or take prose out of the patch." },
  );
}

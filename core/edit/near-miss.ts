/**
 * Help for an edit that matches nothing: where the text almost is, and how it differs. Nothing here is ever applied.
 * This module is browser compatible.
 */
import { lineAt, lineStarts, splitLines, withoutFeed } from "./lines.ts";
import { occurrences } from "./occurrences.ts";

/** Why a text misses, where one reason alone explains it. */
export type MissCause =
  | "line_endings"
  | "white_space"
  | "escapes"
  | "line_numbers"
  | "already_applied"
  | "final_newline"
  | "hunk_order";

/** The first line that differs, at the place that is nearest. `line` is 1-based; `found` is null past the end of the file. */
export interface FirstDifference {
  readonly line: number;
  readonly expected: string;
  readonly found: string | null;
}

/** What is known about a miss. */
export interface Miss {
  readonly cause?: MissCause;
  /** Where the nearest place starts, 1-based. */
  readonly line?: number;
  readonly difference?: FirstDifference;
}

/** A line that occurs more often than this says nothing about the place. */
const maxVotes = 50;
/** Characters of the text that the search by words looks at. */
const maxScan = 4_000_000;

/** What is nearest to `wanted`, a text that does not occur in `text`. Linear in both. */
export function explainMiss(text: string, wanted: string, replacement?: string): Miss {
  const lines = splitLines(text);
  const starts = lineStarts(text);
  const here = (cause: MissCause, offset: number): Miss => at(cause, lineAt(starts, offset));
  const at = (cause: MissCause | undefined, index: number): Miss => {
    const difference = firstDifferencePart(lines, splitLines(wanted), index);
    return { ...(cause ? { cause } : {}), line: index + 1, ...(difference ? { difference } : {}) };
  };
  if (text.includes("\r\n") || wanted.includes("\r\n")) {
    const unix = text.replaceAll("\r\n", "\n");
    const offset = unix.indexOf(wanted.replaceAll("\r\n", "\n"));
    if (offset >= 0) return at("line_endings", lineAt(lineStarts(unix), offset));
  }
  const loose = looseText(text);
  const looseWanted = looseText(wanted).text;
  const [looseAt] = looseWanted === "" ? [] : occurrences(loose.text, looseWanted);
  if (looseAt !== undefined) return here("white_space", loose.offsets[looseAt] ?? 0);
  for (const [cause, repaired] of [
    ["escapes", unescaped(wanted)],
    ["line_numbers", wanted.replace(/^[ \t]*\d+(\t|→|: ?| ?\| ?)/gm, "")],
  ] as const) {
    const [found] = repaired === wanted || repaired === "" ? [] : occurrences(text, repaired);
    if (found !== undefined) return { cause, line: lineAt(starts, found) + 1 };
  }
  if (replacement !== undefined && replacement.trim().length > 3) {
    const found = occurrences(text, replacement);
    if (found.length === 1) return { cause: "already_applied", line: lineAt(starts, found[0] ?? 0) + 1 };
  }
  const place = nearestPlace(lines, splitLines(wanted));
  return place === null ? {} : at(undefined, place.at);
}

/**
 * The index in `file` at which most lines of `wanted` stand where they would have to, and how many do; white space at both
 * ends of a line does not count. Where no whole line is found, the place of the line that shares most words.
 */
export function nearestPlace(
  file: readonly string[],
  wanted: readonly string[],
  preferred?: number,
): { readonly at: number; readonly equal: number } | null {
  const positions = new Map<string, number[]>();
  for (const line of wanted) if (line.trim() !== "") positions.set(line.trim(), []);
  for (const [index, line] of file.entries()) {
    const found = positions.get(line.trim());
    if (found !== undefined && found.length <= maxVotes) found.push(index);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of wanted.entries()) {
    const found = positions.get(line.trim()) ?? [];
    if (found.length > maxVotes) continue;
    for (const position of found) {
      if (position >= index) votes.set(position - index, (votes.get(position - index) ?? 0) + 1);
    }
  }
  let best: { at: number; equal: number } | null = null;
  const distance = (at: number) => (preferred === undefined ? at : Math.abs(at - preferred));
  for (const [at, equal] of votes) {
    if (best === null || equal > best.equal || (equal === best.equal && distance(at) < distance(best.at))) {
      best = { at, equal };
    }
  }
  return best ?? nearestByWords(file, wanted);
}

/** The first line from `at` on that is not the wanted one. Lines are compared whole, with their line feed. */
export function firstDifference(
  file: readonly string[],
  wanted: readonly string[],
  at: number,
): FirstDifference | null {
  return differenceWhere(file, wanted, at, (found, expected) => found === expected);
}

/** The same for a text that may begin and end in the middle of a line. */
function firstDifferencePart(file: readonly string[], wanted: readonly string[], at: number): FirstDifference | null {
  return differenceWhere(file, wanted, at, (found, expected, index) => {
    const isFirst = index === 0;
    const isLast = index === wanted.length - 1;
    if (isFirst && isLast) return found.includes(expected);
    return isFirst ? found.endsWith(expected) : isLast ? found.startsWith(expected) : found === expected;
  });
}

function differenceWhere(
  file: readonly string[],
  wanted: readonly string[],
  at: number,
  isSame: (found: string, expected: string, index: number) => boolean,
): FirstDifference | null {
  for (const [index, expected] of wanted.entries()) {
    const found = file[at + index];
    if (found !== undefined && isSame(found, expected, index)) continue;
    const line = at + index + 1;
    if (found === undefined) return { line, expected: excerpt(withoutFeed(expected), 0), found: null };
    const from = sharedLength(found, expected);
    return { line, expected: excerpt(withoutFeed(expected), from), found: excerpt(withoutFeed(found), from) };
  }
  return null;
}

/** A long line around the character where it begins to differ. */
function excerpt(line: string, from: number): string {
  const start = line.length > 160 && from > 60 ? from - 60 : 0;
  const end = Math.min(line.length, start + 160);
  const text = line.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${start > 0 ? "..." : ""}${text}${end < line.length ? "..." : ""}`;
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

const typographic: Readonly<Record<string, string>> = {
  "\u2018": "'",
  "\u2019": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u2013": "-",
  "\u2014": "-",
  "\u2212": "-",
};

/** The text without white space and with plain quotes and dashes, and the offset of each character that is left. */
function looseText(text: string): { text: string; offsets: Int32Array } {
  const offsets = new Int32Array(text.length);
  const pieces: string[] = [];
  let length = 0;
  for (const { index, 0: word } of text.matchAll(/[^\s\u200b\ufeff]+/g)) {
    pieces.push(word.replace(/[\u2018\u2019\u201c\u201d\u2013\u2014\u2212]/g, (mark) => typographic[mark] ?? mark));
    for (let i = 0; i < word.length; i += 1) offsets[length++] = index + i;
  }
  return { text: pieces.join(""), offsets };
}

/** What a text reads that was escaped once too often. */
function unescaped(text: string): string {
  const meanings: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", '"': '"', "'": "'", "\\": "\\" };
  return text.replace(/\\([ntr"'\\])/g, (whole, letter: string) => meanings[letter] ?? whole);
}

function nearestByWords(
  file: readonly string[],
  wanted: readonly string[],
): { readonly at: number; readonly equal: number } | null {
  const index = wanted.findIndex((line) => /\w/.test(line));
  const words = new Set((wanted[index] ?? "").slice(0, 1000).match(/\w+/g) ?? []);
  let best = -1;
  let bestScore = 1;
  let scanned = 0;
  for (const [at, line] of file.entries()) {
    scanned += line.length;
    if (scanned > maxScan) break;
    const own = new Set(line.slice(0, 1000).match(/\w+/g) ?? []);
    let shared = 0;
    for (const word of own) if (words.has(word)) shared += 1;
    // Two words that both have say more than two of twenty.
    const score = shared < Math.min(2, words.size) ? 0 : shared + shared / (own.size + 1);
    if (score > bestScore) {
      best = at;
      bestScore = score;
    }
  }
  return best < 0 ? null : { at: Math.max(0, best - index), equal: 0 };
}

/** Finding where the hunks of a patch belong. This module is browser compatible. */
import { type LineEdit, smallestEdits } from "./line-diff.ts";
import { sequenceOccurrences } from "./occurrences.ts";
import type { Hunk, HunkLine } from "./patch.ts";

/** Why a hunk has no place. `index` counts from 0; `old` are its old lines as they were sought. */
export type Misplaced = { readonly index: number; readonly hunk: Hunk; readonly old: readonly string[] } & (
  | { readonly reason: "several"; readonly places: readonly number[] }
  | { readonly reason: "none"; readonly after: number }
  | { readonly reason: "no_old_line" }
  | { readonly reason: "newline_inside"; readonly place: number }
  | { readonly reason: "not_at_end"; readonly place: number }
);

/** How many places are told apart; the search ends there. */
const maxPlaces = 5;

/**
 * The edits of these hunks in a file with these lines (with their line feeds), or the first hunk without a place.
 *
 * A hunk lands where its old lines (context and deletions) equal the file's, after the hunk before it. One such place: there.
 * Several: only where the header's line is one of them and its old and new starts agree with the hunks before. A hunk
 * without an old line lands in an empty file only. Linear for patches whose headers are right.
 */
export function placeHunks(
  file: readonly string[],
  hunks: readonly Hunk[],
): { readonly ok: true; readonly edits: readonly LineEdit[] } | { readonly ok: false; readonly misplaced: Misplaced } {
  const edits: LineEdit[] = [];
  const search = new LineSearch(file);
  let after = 0;
  let delta = 0;
  for (const [index, hunk] of hunks.entries()) {
    const { old, added } = sidesOf(hunk, file);
    const fail = <T>(reason: T) => ({ ok: false as const, misplaced: { index, hunk, old, ...reason } });
    let place = 0;
    if (old.length === 0) {
      if (file.length > 0 || index > 0) return fail({ reason: "no_old_line" as const });
    } else {
      const claimed = claimedPlace(hunk, added, delta);
      if (claimed !== null && claimed >= after && search.isAt(old, claimed)) place = claimed;
      else {
        const places = search.find(old, after, maxPlaces + 1);
        const [only] = places;
        if (only === undefined) return fail({ reason: "none" as const, after });
        if (places.length > 1) return fail({ reason: "several" as const, places });
        place = only;
      }
    }
    const end = place + old.length;
    const isAtEnd = end === file.length;
    const withoutFeed = added.findIndex((line) => !line.endsWith("\n"));
    if (withoutFeed >= 0 && (withoutFeed < added.length - 1 || !isAtEnd)) {
      return fail({ reason: "newline_inside" as const, place });
    }
    if (hunk.atEnd && !isAtEnd) return fail({ reason: "not_at_end" as const, place });
    pushEdits(edits, hunk.lines, place);
    after = end;
    delta += added.length - old.length;
  }
  return { ok: true, edits: smallestEdits(file, edits) };
}

/** The old and the new lines of a hunk, with line feeds. A blank line without a marker is blank as this file writes blank lines. */
export function sidesOf(hunk: Hunk, file: readonly string[]): { readonly old: string[]; readonly added: string[] } {
  const old: string[] = [];
  const added: string[] = [];
  for (const line of hunk.lines) {
    const text = line.isUnmarked ? blankLine(line, file) : lineText(line);
    if (line.marker !== "+") old.push(text);
    if (line.marker !== "-") added.push(text);
  }
  return { old, added };
}

function lineText({ text, hasFeed }: HunkLine): string {
  return hasFeed ? `${text}\n` : text;
}

function blankLine(line: HunkLine, file: readonly string[]): string {
  if (!line.hasFeed) return line.text;
  const ending = (text: string | undefined) => text?.endsWith("\r\n");
  // A look at both ends is enough: in a file of mixed endings the line counts as it was written.
  if (ending(file[0]) && (ending(file.at(-1)) || ending(file.at(-2)))) return "\r\n";
  return file[0] !== undefined && !ending(file[0]) && !ending(file.at(-2)) ? "\n" : `${line.text}\n`;
}

/** The place that the header names, where it agrees with itself and with the hunks before; null where it does not. */
function claimedPlace({ header }: Hunk, added: readonly string[], delta: number): number | null {
  if (header === null) return null;
  const place = header.oldStart - 1;
  // Of no line, a header names the line before.
  const newPlace = added.length === 0 ? header.newStart : header.newStart - 1;
  return newPlace === place + delta ? place : null;
}

function pushEdits(edits: LineEdit[], lines: readonly HunkLine[], place: number): void {
  let at = place;
  let run: { at: number; del: number; ins: string[] } | null = null;
  for (const line of lines) {
    if (line.marker === " ") {
      run = null;
      at += 1;
      continue;
    }
    if (run === null) {
      run = { at, del: 0, ins: [] };
      edits.push(run);
    }
    if (line.marker === "-") {
      run.del += 1;
      at += 1;
    } else run.ins.push(lineText(line));
  }
}

/** Finds sequences of lines in one file. What the searches share is computed when first needed. */
class LineSearch {
  readonly #file: readonly string[];
  #index:
    | { readonly numbers: Map<string, number>; readonly lines: Int32Array; readonly places: readonly number[][] }
    | undefined;

  constructor(file: readonly string[]) {
    this.#file = file;
  }

  isAt(wanted: readonly string[], place: number): boolean {
    if (place + wanted.length > this.#file.length) return false;
    for (let i = 0; i < wanted.length; i += 1) if (this.#file[place + i] !== wanted[i]) return false;
    return true;
  }

  /** Up to `limit` places from `after` on, in order. */
  find(wanted: readonly string[], after: number, limit: number): number[] {
    const { numbers, lines, places } = this.#indexed();
    const pattern = new Int32Array(wanted.length);
    let rarest: readonly number[] | undefined;
    let offset = 0;
    for (const [i, line] of wanted.entries()) {
      const number = numbers.get(line);
      if (number === undefined) return [];
      pattern[i] = number;
      const own = places[number] ?? [];
      if (rarest === undefined || own.length < rarest.length) {
        rarest = own;
        offset = i;
      }
    }
    if (rarest === undefined || rarest.length * wanted.length > 4 * (lines.length + wanted.length)) {
      return sequenceOccurrences(lines, pattern, after, limit);
    }
    const found: number[] = [];
    for (const line of rarest) {
      const place = line - offset;
      if (place < after || !this.isAt(wanted, place)) continue;
      found.push(place);
      if (found.length === limit) break;
    }
    return found;
  }

  #indexed() {
    if (this.#index === undefined) {
      const numbers = new Map<string, number>();
      const places: number[][] = [];
      const lines = Int32Array.from(this.#file, (line, at: number) => {
        let number = numbers.get(line);
        if (number === undefined) {
          number = numbers.size;
          numbers.set(line, number);
          places.push([]);
        }
        places[number]?.push(at);
        return number;
      });
      this.#index = { numbers, lines, places };
    }
    return this.#index;
  }
}

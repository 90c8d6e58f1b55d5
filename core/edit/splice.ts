/** Replacing stretches of a text by offset, and telling the same by lines. This module is browser compatible. */
import type { LineEdit } from "./line-diff.ts";
import { lineAt, splitLines } from "./lines.ts";

/** Characters `from` to `to` (exclusive) become `text`. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The text with these splices, which are in order and do not overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const splice of splices) {
    pieces.push(text.slice(at, splice.from), splice.text);
    at = splice.to;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
}

/**
 * The line edits that do what the splices do, none touching another. `starts` are the line starts of the text. No splice starts at
 * the end of the text.
 */
export function lineEdits(text: string, starts: readonly number[], splices: readonly Splice[]): LineEdit[] {
  const edits: LineEdit[] = [];
  for (let index = 0; index < splices.length; ) {
    const line = lineAt(starts, splices[index]?.from ?? 0);
    const start = starts[line] ?? 0;
    const pieces: string[] = [];
    let at = start;
    for (; index < splices.length; index += 1) {
      const splice = splices[index];
      if (splice === undefined) break;
      // A splice in the line where the last one ended, or in the line after it, belongs to the same edit.
      const reach = lineAt(starts, at) + (isLineEnd(starts, at, pieces) ? 0 : 1);
      if (pieces.length > 0 && lineAt(starts, splice.from) > reach) break;
      pieces.push(text.slice(at, splice.from), splice.text);
      at = splice.to;
    }
    if (!isLineEnd(starts, at, pieces)) {
      const end = starts[lineAt(starts, at) + 1] ?? text.length;
      pieces.push(text.slice(at, end));
      at = end;
    }
    const ins = splitLines(pieces.join(""));
    // The offset is the start of a line or the end of the text, so the lines before it are whole.
    edits.push({ at: line, del: lineAt(starts, at) - line, ins });
  }
  return edits;
}

/** Whether the old text goes on at the start of a line, and the new one does as well. */
function isLineEnd(starts: readonly number[], at: number, pieces: readonly string[]): boolean {
  if (starts[lineAt(starts, at)] !== at) return false;
  const last = pieces.findLast((piece) => piece !== "");
  return last === undefined || last.endsWith("\n");
}

/** A text as lines. Only a line feed ends a line, as in git; the last line may lack it. This module is browser compatible. */

/** The lines of a text, each with its line feed. An empty text has no line. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf("\n", from);
    const end = feed < 0 ? text.length : feed + 1;
    lines.push(text.slice(from, end));
    from = end;
  }
  return lines;
}

/** The offset of each line's first character, and at the end the length of the text. */
export function lineStarts(text: string): number[] {
  const starts: number[] = [];
  for (let from = 0; from < text.length; ) {
    starts.push(from);
    const feed = text.indexOf("\n", from);
    from = feed < 0 ? text.length : feed + 1;
  }
  starts.push(text.length);
  return starts;
}

/** The index of the line that holds this offset, 0-based. The end of the text counts to the last line, or to the one after a final line feed. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A line without its line feed. A carriage return stays. */
export function withoutFeed(line: string): string {
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}

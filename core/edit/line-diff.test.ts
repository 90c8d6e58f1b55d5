import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines, type LineEdit, smallestEdits } from "./line-diff.ts";

function apply(a: readonly string[], edits: readonly LineEdit[]): string[] {
  const out: string[] = [];
  let at = 0;
  for (const edit of edits) {
    out.push(...a.slice(at, edit.at), ...edit.ins);
    at = edit.at + edit.del;
  }
  return [...out, ...a.slice(at)];
}

/** The length of a longest common subsequence, by the textbook table. */
function lcs(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    for (const [j, y] of b.entries()) {
      next.push(x === y ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n"), { maxLength: 30 });

describe("diffLines", () => {
  it("turns one text into the other, with edits in order that do not touch", () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const edits = diffLines(a, b);
        expect(apply(a, edits)).toEqual(b);
        for (const [index, edit] of edits.entries()) {
          expect(edit.del + edit.ins.length).toBeGreaterThan(0);
          const next = edits[index + 1];
          if (next) expect(next.at).toBeGreaterThan(edit.at + edit.del);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("deletes and inserts no more lines than it must", () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const changed = diffLines(a, b).reduce((sum, { del, ins }) => sum + del + ins.length, 0);
        expect(changed).toBe(a.length + b.length - 2 * lcs(a, b));
      }),
    );
  });

  it("finds nothing left to do in what it found", () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const edits = diffLines(a, b);
        expect(smallestEdits(a, edits)).toEqual(edits);
      }),
    );
  });

  it("joins edits that touch, where together they are smaller", () => {
    const edits = [
      { at: 0, del: 1, ins: ["b\n"] },
      { at: 1, del: 1, ins: ["a\n"] },
    ];
    expect(smallestEdits(["a\n", "b\n", "c\n"], edits)).toEqual(
      diffLines(["a\n", "b\n", "c\n"], ["b\n", "a\n", "c\n"]),
    );
  });

  it("splits a large difference at lines that occur once on both sides", () => {
    const a = Array.from({ length: 20_000 }, (_, i) => (i % 3 === 0 ? `keep ${i}\n` : `old ${i}\n`));
    const b = a.map((line) => line.replace("old", "new"));
    const edits = diffLines(a, b);
    expect(apply(a, edits)).toEqual(b);
    expect(edits.every(({ del }) => del <= 2)).toBe(true);
  });

  it("takes a large difference without a common unique line as one block, and that block again", () => {
    const a = Array.from({ length: 6000 }, (_, i) => `${i % 7}\n`);
    const b = Array.from({ length: 6000 }, (_, i) => `${(i * i) % 11}x\n`).flatMap((line, i) =>
      i % 5 === 0 ? [line, "3\n"] : [line],
    );
    const edits = diffLines(a, b);
    expect(apply(a, edits)).toEqual(b);
    expect(smallestEdits(a, edits)).toEqual(edits);
  });
});

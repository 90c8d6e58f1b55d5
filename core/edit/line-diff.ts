/** The difference of two lists of lines. This module is browser compatible. */

/** Lines `at` to `at + del` (0-based, of the old text) are replaced by `ins`. Lines carry their line feed. */
export interface LineEdit {
  readonly at: number;
  readonly del: number;
  readonly ins: readonly string[];
}

/** A stretch of both lists. Ends are exclusive. */
interface Box {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

/** Work that one call of `shortestEdit` may do, in steps; beyond it the box is split or taken whole. */
const maxSteps = 50_000_000;
const maxDifferences = 1000;

/**
 * The edits that turn `a` into `b`, in order, none touching another. Common ends are left out; what lies between is Myers'
 * shortest edit script while that is affordable, is split at lines that occur once on both sides where it is not, and is
 * replaced as one block where there are none. Never quadratic.
 *
 * Diffing what one edit replaces against what it inserts gives the same edit again, so a canonical patch is its own canonical form.
 *
 * Source: Myers, "An O(ND) Difference Algorithm and Its Variations" (1986); Cohen's patience diff.
 */
export function diffLines(a: readonly string[], b: readonly string[]): LineEdit[] {
  const numbers = new Map<string, number>();
  const number = (line: string) => {
    let value = numbers.get(line);
    if (value === undefined) {
      value = numbers.size;
      numbers.set(line, value);
    }
    return value;
  };
  const left = Int32Array.from(a, number);
  const right = Int32Array.from(b, number);
  const boxes: Box[] = [];
  const pending: Box[] = [{ a0: 0, a1: a.length, b0: 0, b1: b.length }];
  for (let box = pending.pop(); box !== undefined; box = pending.pop()) {
    const core = trimmed(left, right, box);
    if (core.a0 === core.a1 || core.b0 === core.b1) {
      if (core.a0 < core.a1 || core.b0 < core.b1) boxes.push(core);
      continue;
    }
    const script = shortestEdit(left, right, core);
    if (script !== null) {
      boxes.push(...script.reverse());
      continue;
    }
    const parts = splitAtAnchors(left, right, core, numbers.size);
    if (parts === null) boxes.push(core);
    else for (const part of parts) pending.push(part);
  }
  // The last box of the text was solved first.
  return boxes.reverse().map(({ a0, a1, b0, b1 }) => ({ at: a0, del: a1 - a0, ins: b.slice(b0, b1) }));
}

/** The same edits, in order and without touching each other, each as small as `diffLines` makes it. */
export function smallestEdits(oldLines: readonly string[], edits: readonly LineEdit[]): LineEdit[] {
  const merged: { at: number; del: number; ins: string[] }[] = [];
  for (const { at, del, ins } of edits) {
    const previous = merged.at(-1);
    if (previous !== undefined && previous.at + previous.del === at) {
      previous.del += del;
      for (const line of ins) previous.ins.push(line);
    } else merged.push({ at, del, ins: [...ins] });
  }
  return merged.flatMap(({ at, del, ins }) =>
    diffLines(oldLines.slice(at, at + del), ins).map((edit) => ({ ...edit, at: edit.at + at })),
  );
}

function trimmed(a: Int32Array, b: Int32Array, box: Box): Box {
  let { a0, a1, b0, b1 } = box;
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) {
    a0 += 1;
    b0 += 1;
  }
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) {
    a1 -= 1;
    b1 -= 1;
  }
  return { a0, a1, b0, b1 };
}

/** The shortest edit script of a box, or null where it takes too many steps. */
function shortestEdit(a: Int32Array, b: Int32Array, { a0, a1, b0, b1 }: Box): Box[] | null {
  const n = a1 - a0;
  const m = b1 - b0;
  const limit = Math.min(n + m, maxDifferences, Math.floor(maxSteps / (n + m)));
  // reached[k + limit + 1] is the furthest x on diagonal k = x - y.
  const reached = new Int32Array(2 * limit + 3);
  const rounds: Int32Array[] = [];
  for (let d = 0; d <= limit; d += 1) {
    for (let k = -d; k <= d; k += 2) {
      const below = reached[k + limit] ?? 0;
      const above = reached[k + limit + 2] ?? 0;
      let x = k === -d || (k !== d && below < above) ? above : below + 1;
      let y = x - k;
      while (x < n && y < m && a[a0 + x] === b[b0 + y]) {
        x += 1;
        y += 1;
      }
      reached[k + limit + 1] = x;
      if (x >= n && y >= m) return walkBack(rounds, d, { a0, a1, b0, b1 });
    }
    rounds.push(reached.slice(limit + 1 - d, limit + 2 + d));
  }
  return null;
}

function walkBack(rounds: readonly Int32Array[], distance: number, { a0, a1, b0, b1 }: Box): Box[] {
  const boxes: Box[] = [];
  let x = a1 - a0;
  let y = b1 - b0;
  let end: { x: number; y: number } | null = null;
  for (let d = distance; d > 0; d -= 1) {
    const k = x - y;
    const round = rounds[d - 1] ?? new Int32Array();
    // A round d holds the diagonals -d to d.
    const at = (diagonal: number) => round[diagonal + d - 1] ?? -1;
    const isInsertion = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const previousX = isInsertion ? at(k + 1) : at(k - 1);
    const previousY = previousX - (isInsertion ? k + 1 : k - 1);
    const editEndX = isInsertion ? previousX : previousX + 1;
    const editEndY = isInsertion ? previousY + 1 : previousY;
    if (end !== null && (editEndX !== x || editEndY !== y)) {
      // A run of equal lines lies between this step and the one after it.
      boxes.push({ a0: a0 + x, a1: a0 + end.x, b0: b0 + y, b1: b0 + end.y });
      end = null;
    }
    end ??= { x: editEndX, y: editEndY };
    x = previousX;
    y = previousY;
  }
  if (end !== null) boxes.push({ a0: a0 + x, a1: a0 + end.x, b0: b0 + y, b1: b0 + end.y });
  return boxes.reverse();
}

/** The parts between lines that occur exactly once on both sides and in the same order; null where there is no such line. */
function splitAtAnchors(a: Int32Array, b: Int32Array, box: Box, kinds: number): Box[] | null {
  const { a0, a1, b0, b1 } = box;
  const countA = new Int32Array(kinds);
  const countB = new Int32Array(kinds);
  const placeB = new Int32Array(kinds);
  for (let i = a0; i < a1; i += 1) increment(countA, a[i] ?? 0);
  for (let j = b0; j < b1; j += 1) {
    increment(countB, b[j] ?? 0);
    placeB[b[j] ?? 0] = j;
  }
  const pairs: { i: number; j: number; before: number }[] = [];
  // tails[l]: the pair that ends the best increasing sequence of length l + 1.
  const tails: number[] = [];
  for (let i = a0; i < a1; i += 1) {
    const kind = a[i] ?? 0;
    if (countA[kind] !== 1 || countB[kind] !== 1) continue;
    const j = placeB[kind] ?? 0;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[tails[middle] ?? 0]?.j ?? 0) < j) low = middle + 1;
      else high = middle;
    }
    tails[low] = pairs.length;
    pairs.push({ i, j, before: low === 0 ? -1 : (tails[low - 1] ?? -1) });
  }
  if (tails.length === 0) return null;
  const parts: Box[] = [];
  let right = { i: a1, j: b1 };
  for (let at = tails.at(-1) ?? -1; at >= 0; ) {
    const pair = pairs[at];
    if (pair === undefined) break;
    parts.push({ a0: pair.i + 1, a1: right.i, b0: pair.j + 1, b1: right.j });
    right = pair;
    at = pair.before;
  }
  parts.push({ a0, a1: right.i, b0, b1: right.j });
  return parts.reverse();
}

function increment(counts: Int32Array, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

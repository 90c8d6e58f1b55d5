/** The word that was probably meant. This module is browser compatible. */

/** The nearest of `words`, or undefined where none is near: at most one slip in three letters, counted as insertions, deletions, changes and swaps. */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  let best: { word: string; distance: number } | undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  for (const candidate of words) {
    if (Math.abs(candidate.length - word.length) > limit || word.length > 64) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { word: candidate, distance };
  }
  return best?.word;
}

/** Optimal string alignment: the number of insertions, deletions, changes and swaps of neighbours between two words. */
function editDistance(a: string, b: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = at(above, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(at(above, j) + 1, at(row, j - 1) + 1, change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(twoAbove, j - 2) + 1);
      row.push(cost);
    }
    twoAbove = above;
    above = row;
  }
  return at(above, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/** Where a sequence occurs in a longer one, in linear time whatever repeats. This module is browser compatible. */

/**
 * Every offset at which `pattern` occurs in `text`, overlapping places included, in order. Knuth, Morris and Pratt, so the time
 * grows with the sum of both lengths even for `aaaa...`. An empty pattern occurs nowhere.
 *
 * @example
 * ```ts
 * occurrences("aaa", "aa"); // [0, 1]
 * ```
 */
export function occurrences(text: string, pattern: string): number[] {
  const found: number[] = [];
  const length = pattern.length;
  if (length === 0 || length > text.length) return found;
  const first = pattern.charAt(0);
  if (length === 1) {
    for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) found.push(at);
    return found;
  }
  const failure = failureTable(length, (at) => pattern.charCodeAt(at));
  let matched = 0;
  for (let at = 0; at < text.length; ) {
    if (matched === 0) {
      // The engine's own search for one character is many times faster than this loop.
      const next = text.indexOf(first, at);
      if (next < 0) break;
      at = next + 1;
      matched = 1;
      continue;
    }
    const code = text.charCodeAt(at);
    while (matched > 0 && pattern.charCodeAt(matched) !== code) matched = failure[matched - 1] ?? 0;
    if (matched === 0 && pattern.charCodeAt(0) !== code) {
      at += 1;
      continue;
    }
    matched += 1;
    at += 1;
    if (matched === length) {
      found.push(at - length);
      matched = failure[length - 1] ?? 0;
    }
  }
  return found;
}

/** The same over numbers (lines by their number), from an offset on, and no more than `limit` places. */
export function sequenceOccurrences(text: Int32Array, pattern: Int32Array, from: number, limit: number): number[] {
  const found: number[] = [];
  const length = pattern.length;
  if (length === 0) return found;
  const failure = failureTable(length, (at) => pattern[at] ?? -1);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    while (matched > 0 && pattern[matched] !== text[at]) matched = failure[matched - 1] ?? 0;
    if (pattern[matched] === text[at]) matched += 1;
    if (matched === length) {
      found.push(at + 1 - length);
      if (found.length === limit) break;
      matched = failure[length - 1] ?? 0;
    }
  }
  return found;
}

/** For each prefix, the length of the longest proper prefix that is also its suffix. */
function failureTable(length: number, at: (index: number) => number): Int32Array {
  const table = new Int32Array(length);
  for (let index = 1, matched = 0; index < length; index += 1) {
    const value = at(index);
    while (matched > 0 && at(matched) !== value) matched = table[matched - 1] ?? 0;
    if (at(matched) === value) matched += 1;
    table[index] = matched;
  }
  return table;
}

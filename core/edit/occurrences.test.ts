import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { occurrences, sequenceOccurrences } from "./occurrences.ts";

function naive(text: string, pattern: string): number[] {
  const found: number[] = [];
  for (let at = 0; pattern !== "" && at + pattern.length <= text.length; at += 1) {
    if (text.startsWith(pattern, at)) found.push(at);
  }
  return found;
}

describe("occurrences", () => {
  const word = fc.array(fc.constantFrom("a", "b"), { maxLength: 40 }).map((letters) => letters.join(""));

  it("finds what a search from every offset finds, overlapping places included", () => {
    fc.assert(
      fc.property(
        word,
        word.map((text) => text.slice(0, 5)),
        (text, pattern) => {
          expect(occurrences(text, pattern)).toEqual(naive(text, pattern));
          const numbers = (value: string) => Int32Array.from(value, (letter) => letter.charCodeAt(0));
          expect(sequenceOccurrences(numbers(text), numbers(pattern), 0, Number.POSITIVE_INFINITY)).toEqual(
            naive(text, pattern),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("stops at the limit and starts at the offset", () => {
    expect(sequenceOccurrences(Int32Array.of(1, 1, 1, 1), Int32Array.of(1), 1, 2)).toEqual([1, 2]);
  });
});

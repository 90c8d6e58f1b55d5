import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBytes, encodeBytes, isBinary, isWellFormed } from "./byte-text.ts";

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  // Bytes around the edges of UTF-8.
  fc
    .array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0xed, 0xf0, 0x90, 0xf4, 0x8f, 0xef, 0xbb, 0xff), {
      maxLength: 30,
    })
    .map((list) => Uint8Array.from(list)),
);

describe("decodeBytes and encodeBytes", () => {
  it("give back every sequence of bytes", () => {
    fc.assert(
      fc.property(bytes, (value) => {
        expect(encodeBytes(decodeBytes(value))).toEqual(value);
      }),
      { numRuns: 3000 },
    );
  });

  it("are plain UTF-8 where the bytes are UTF-8, byte order mark included", () => {
    const text = "\ufeffgrün \u{1f600}\r\n";
    const encoded = new TextEncoder().encode(text);
    expect(decodeBytes(encoded)).toBe(text);
    expect(encodeBytes(text)).toEqual(encoded);
  });

  it("find well-formed text exactly where its bytes stand", () => {
    fc.assert(
      fc.property(bytes, fc.string({ unit: "grapheme", minLength: 1, maxLength: 2 }), bytes, (head, wanted, tail) => {
        const needle = new TextEncoder().encode(wanted);
        const text = decodeBytes(Uint8Array.from([...head, ...needle, ...tail]));
        const at = encodeBytes(text.slice(0, text.indexOf(wanted))).length;
        expect(Buffer.from([...head, ...needle, ...tail]).indexOf(needle)).toBe(at);
      }),
      { numRuns: 2000 },
    );
  });

  it("mark what is not UTF-8", () => {
    expect(isWellFormed(decodeBytes(Uint8Array.from([0x61, 0xe9, 0x0a])))).toBe(false);
    expect(isWellFormed("\u{1f600}")).toBe(true);
  });
});

describe("isBinary", () => {
  it.each([
    [0, true],
    [7999, true],
    [8000, false],
  ])("with a NUL at %i is %s", (at, expected) => {
    const value = new Uint8Array(9000).fill(0x61);
    value[at] = 0;
    expect(isBinary(value)).toBe(expected);
  });
});

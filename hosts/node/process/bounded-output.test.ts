import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BoundedOutput } from "./bounded-output.ts";

function written(maxBytes: number, chunks: readonly Uint8Array[]): string {
  const output = new BoundedOutput(maxBytes);
  for (const chunk of chunks) output.push(chunk);
  return output.text();
}

describe("BoundedOutput", () => {
  test("keeps what fits, however it is cut into chunks", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 20 }), (chunks) => {
        const all = Buffer.concat(chunks);
        expect(written(all.length, chunks)).toBe(all.toString());
      }),
    );
  });

  test("of what does not fit it keeps head and tail and says how many bytes it cut", () => {
    const letter = fc.integer({ min: 97, max: 122 }).map((code) => String.fromCharCode(code));
    const text = fc.array(letter, { maxLength: 30 }).map((letters) => letters.join(""));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), fc.integer({ min: 2, max: 60 }), (texts, maxBytes) => {
        const all = texts.join("");
        fc.pre(all.length > maxBytes);
        const head = all.slice(0, Math.ceil(maxBytes / 2));
        const tail = all.slice(all.length - Math.floor(maxBytes / 2));
        expect(
          written(
            maxBytes,
            texts.map((part) => Buffer.from(part)),
          ),
        ).toBe(`${head}\n[... ${all.length - maxBytes} bytes cut ...]\n${tail}`);
      }),
    );
  });

  test.each([..."é€😀"])("never cuts %s in two", (character) => {
    for (let maxBytes = 8; maxBytes < 24; maxBytes += 1) {
      const text = written(maxBytes, [Buffer.from(character.repeat(100))]);
      expect(text).not.toContain("\ufffd");
      const [, cut = ""] = /\[\.\.\. (\d+) bytes cut/.exec(text) ?? [];
      const kept = [...text].filter((each) => each === character).length * Buffer.byteLength(character);
      expect(kept + Number(cut)).toBe(100 * Buffer.byteLength(character));
    }
  });
});

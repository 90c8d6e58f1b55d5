/** File names as git writes them in a patch. This module is browser compatible. Source: quote.c of git (`quote_c_style`, `unquote_c_style`). */
import { decodeBytes, encodeBytes } from "./byte-text.ts";

const escapes: readonly (readonly [code: number, letter: string])[] = [
  [0x07, "a"],
  [0x08, "b"],
  [0x09, "t"],
  [0x0a, "n"],
  [0x0b, "v"],
  [0x0c, "f"],
  [0x0d, "r"],
  [0x22, '"'],
  [0x5c, "\\"],
];
const letterOf = new Map(escapes);
const codeOf = new Map(escapes.map(([code, letter]) => [letter, code]));

/** The name as it is, or in quotes with escapes where it holds a control character, a quote, a backslash or a byte above 127. */
export function quoteName(name: string): string {
  if (/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(name)) return name;
  let text = '"';
  for (const byte of encodeBytes(name)) {
    const letter = letterOf.get(byte);
    if (letter !== undefined) text += `\\${letter}`;
    else if (byte < 0x20 || byte >= 0x7f) text += `\\${byte.toString(8).padStart(3, "0")}`;
    else text += String.fromCharCode(byte);
  }
  return `${text}"`;
}

/** The name in quotes that starts at `from`, and the offset after its closing quote; null where it is no such name. */
export function unquoteName(text: string, from = 0): { readonly name: string; readonly end: number } | null {
  if (text[from] !== '"') return null;
  const bytes: number[] = [];
  for (let at = from + 1; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (character === '"') return { name: decodeBytes(Uint8Array.from(bytes)), end: at + 1 };
    if (character !== "\\") {
      bytes.push(...encodeBytes(character));
      at += character.length;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4));
    const code = octal ? Number.parseInt(octal[0], 8) : codeOf.get(text[at + 1] ?? "");
    if (code === undefined) return null;
    bytes.push(code);
    at += octal ? 4 : 2;
  }
  return null;
}

/**
 * Bytes as text and back, without loss. This module is browser compatible.
 *
 * A byte that is no part of UTF-8 becomes the lone surrogate U+DC00 + byte (as PEP 383 does for file names). Well-formed text,
 * which is all that an agent can send, never equals such a character, so a search in the text finds exactly what a search in
 * the bytes would find.
 */
const encoder = new TextEncoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of these bytes; a byte order mark stays in it. The inverse is `encodeBytes`. */
export function decodeBytes(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return decodeByPieces(bytes);
  }
}

/** The bytes of a text that `decodeBytes` made, or of any well-formed text. */
export function encodeBytes(text: string): Uint8Array {
  if (isWellFormed(text)) return encoder.encode(text);
  const pieces: Uint8Array[] = [];
  let length = 0;
  const push = (piece: Uint8Array) => {
    pieces.push(piece);
    length += piece.length;
  };
  let from = 0;
  for (const { index, 0: run } of text.matchAll(/\p{Surrogate}+/gu)) {
    push(encoder.encode(text.slice(from, index)));
    push(Uint8Array.from(run, (_, at: number) => run.charCodeAt(at) & 0xff));
    from = index + run.length;
  }
  push(encoder.encode(text.slice(from)));
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Whether the text has no lone surrogate: it is the same in UTF-8. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** Whether git takes these bytes for binary: a NUL among the first 8,000. Source: `buffer_is_binary` of git. */
export function isBinary(bytes: Uint8Array): boolean {
  const nul = bytes.indexOf(0);
  return nul >= 0 && nul < 8000;
}

function decodeByPieces(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let valid = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (valid < at) pieces.push(strictDecoder.decode(bytes.subarray(valid, at)));
    pieces.push(String.fromCharCode(0xdc00 + (bytes[at] ?? 0)));
    at += 1;
    valid = at;
  }
  pieces.push(strictDecoder.decode(bytes.subarray(valid)));
  return pieces.join("");
}

/** The length of the UTF-8 sequence that starts here, 0 where none does. Source: table 3-7 of the Unicode standard. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (let i = 2; i < length; i += 1) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

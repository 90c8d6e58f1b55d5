/**
 * Paths are bytes to git and strings to us. This module is browser compatible.
 *
 * A byte that is no UTF-8 becomes the lone surrogate U+DC00 + byte (PEP 383), so every name of every repository has exactly
 * one string, and comes back as the bytes that it was.
 */
const encoder = new TextEncoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const surrogate = /\p{Surrogate}/u;

/** The bytes of a path or a name. */
export function encodePath(path: string): Uint8Array {
  if (!surrogate.test(path)) return encoder.encode(path);
  const bytes: number[] = [];
  for (const character of path) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

/** The string of a path or a name; the inverse of `encodePath`. */
export function decodePath(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? decodeByPieces(bytes);
}

/** The text of these bytes, or null where they are not UTF-8. A byte order mark stays in the text. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return null;
  }
}

function decodeByPieces(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const piece = at + length <= bytes.length ? decodeUtf8(bytes.subarray(at, at + length)) : null;
    if (piece === null) {
      text += String.fromCharCode(0xdc00 + lead);
      at += 1;
    } else {
      text += piece;
      at += length;
    }
  }
  return text;
}

/** Orders paths as git does: by their bytes, which for most of Unicode is also the order of strings. */
export function comparePaths(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    // From U+D800 on, UTF-16 and UTF-8 disagree about the order.
    return left < 0xd800 && right < 0xd800 ? left - right : compareBytes(encodePath(a), encodePath(b));
  }
  return a.length - b.length;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Whether the string stands for exactly one sequence of bytes. A hand-made mix of surrogates may not. */
export function isCanonicalPath(path: string): boolean {
  return !surrogate.test(path) || decodePath(encodePath(path)) === path;
}

/**
 * Git's own form for a file whose difference no text can hold. This module is browser compatible.
 * Source: gitformat of `GIT binary patch` as in diff.c, apply.c and base85.c of git; RFC 1950 and 1951 for what it carries.
 */

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const lineBytes = 52;
const maxStored = 65535;

/** The body of a binary patch that sets a file to these bytes. They are stored, not compressed. */
export function binaryPatchBody(bytes: Uint8Array): string {
  const data = storedZlib(bytes);
  const lines: string[] = [`GIT binary patch\nliteral ${bytes.length}\n`];
  for (let from = 0; from < data.length; from += lineBytes) {
    const piece = data.subarray(from, from + lineBytes);
    const length = piece.length;
    const mark = length <= 26 ? String.fromCharCode(0x40 + length) : String.fromCharCode(0x60 + length - 26);
    lines.push(`${mark}${base85(piece)}\n`);
  }
  lines.push("\n");
  return lines.join("");
}

function base85(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let value = 0;
    for (let i = 0; i < 4; i += 1) value = value * 256 + (bytes[at + i] ?? 0);
    let digits = "";
    for (let i = 0; i < 5; i += 1) {
      digits = alphabet.charAt(value % 85) + digits;
      value = Math.floor(value / 85);
    }
    text += digits;
  }
  return text;
}

/** A zlib stream of stored blocks. */
function storedZlib(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / maxStored));
  const data = new Uint8Array(2 + blocks * 5 + bytes.length + 4);
  data.set([0x78, 0x01]);
  let at = 2;
  for (let block = 0; block < blocks; block += 1) {
    const piece = bytes.subarray(block * maxStored, (block + 1) * maxStored);
    const isLast = block === blocks - 1 ? 1 : 0;
    const { length } = piece;
    data.set([isLast, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff], at);
    data.set(piece, at + 5);
    at += 5 + length;
  }
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  data.set([b >> 8, b & 0xff, a >> 8, a & 0xff], at);
  return data;
}

/** Keeps the head and the tail of a stream of bytes, and counts what lies between them. */
export class BoundedOutput {
  readonly #head: Buffer;
  /** A ring: the next byte goes to `#total - #head.length` modulo its length. */
  readonly #tail: Buffer;
  #total = 0;

  /** `maxBytes` in all (at least 2), half of it for each end. */
  constructor(maxBytes: number) {
    this.#head = Buffer.alloc(Math.ceil(maxBytes / 2));
    this.#tail = Buffer.alloc(Math.floor(maxBytes / 2));
  }

  push(chunk: Uint8Array): void {
    const room = Math.min(chunk.length, Math.max(0, this.#head.length - this.#total));
    if (room > 0) this.#head.set(chunk.subarray(0, room), this.#total);
    this.#total += room;
    const size = this.#tail.length;
    // Of a long chunk only the end can stay.
    const skipped = Math.max(0, chunk.length - room - size);
    const rest = chunk.subarray(room + skipped);
    this.#total += skipped;
    if (rest.length === 0) return;
    const start = (this.#total - this.#head.length) % size;
    const untilEnd = rest.subarray(0, size - start);
    this.#tail.set(untilEnd, start);
    this.#tail.set(rest.subarray(untilEnd.length), 0);
    this.#total += rest.length;
  }

  /** The text, with a line in the middle that says how many bytes were cut. Characters are never cut in two. */
  text(): string {
    const tailLength = Math.max(0, this.#total - this.#head.length);
    if (tailLength <= this.#tail.length) {
      return Buffer.concat([
        this.#head.subarray(0, this.#total - tailLength),
        this.#tail.subarray(0, tailLength),
      ]).toString();
    }
    const start = tailLength % this.#tail.length;
    const head = withoutBrokenEnd(this.#head);
    const tail = withoutBrokenStart(Buffer.concat([this.#tail.subarray(start), this.#tail.subarray(0, start)]));
    return `${head}\n[... ${this.#total - head.length - tail.length} bytes cut ...]\n${tail}`;
  }
}

function withoutBrokenStart(bytes: Buffer): Buffer {
  let at = 0;
  while (at < Math.min(3, bytes.length) && isContinuation(bytes[at])) at += 1;
  return bytes.subarray(at);
}

function withoutBrokenEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

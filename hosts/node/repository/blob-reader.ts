/** Blobs of a repository, through one `git cat-file --batch`. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import type { Oid } from "../../../core/workspace/mod.ts";
import { gitEnvironment, gitOptions } from "./git.ts";

type Batch = ChildProcessByStdio<Writable, Readable, null>;

interface Request {
  readonly oid: Oid;
  resolve(bytes: Uint8Array | null): void;
}

/**
 * Reads objects one after another. The process is started by the first read, does not keep Node alive while nothing is asked
 * of it, and ends with Node or by `close`.
 */
export class BlobReader {
  readonly #directory: string;
  readonly #waiting: Request[] = [];
  #batch: Batch | undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  /** How many bytes must be there before the next answer is whole, as far as is known. */
  #needed = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The bytes of an object, or null where the repository does not have it. */
  read(oid: Oid): Promise<Uint8Array | null> {
    return new Promise((resolve) => {
      this.#waiting.push({ oid, resolve });
      const batch = this.#batch ?? this.#start();
      if (this.#waiting.length === 1) hold(batch, true);
      batch.stdin.write(`${oid}\n`);
    });
  }

  close(): void {
    this.#batch?.stdin.end();
    this.#batch = undefined;
  }

  #start(): Batch {
    const batch = spawn("git", [...gitOptions(this.#directory), "cat-file", "--batch"], {
      env: gitEnvironment(),
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#batch = batch;
    this.#chunks = [];
    this.#length = 0;
    this.#needed = 0;
    batch.stdin.on("error", () => {});
    batch.stdout.on("data", (chunk: Buffer) => {
      if (this.#batch !== batch) return;
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      if (this.#length >= this.#needed) this.#answer();
      if (this.#waiting.length === 0) hold(batch, false);
    });
    const ended = () => {
      if (this.#batch !== batch) return;
      this.#batch = undefined;
      // What it was reading when it ended it cannot read (a damaged object, one that only a remote has). The others are asked anew.
      this.#waiting.shift()?.resolve(null);
      const again = this.#waiting.splice(0);
      for (const request of again) void this.read(request.oid).then(request.resolve);
    };
    batch.on("error", ended);
    batch.on("close", ended);
    return batch;
  }

  #answer(): void {
    for (let request = this.#waiting[0]; request !== undefined; request = this.#waiting[0]) {
      const buffer = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
      const head = buffer ?? this.#joined();
      const end = head.indexOf(0x0a);
      if (end < 0) return;
      const [, type, size] = head.toString("latin1", 0, end).split(" ");
      if (type === "missing" || size === undefined) {
        this.#keep(head.subarray(end + 1));
        request.resolve(null);
      } else {
        const from = end + 1;
        const to = from + Number(size);
        if (head.length <= to) {
          this.#needed = to + 1;
          return;
        }
        this.#keep(head.subarray(to + 1));
        request.resolve(new Uint8Array(head.subarray(from, to)));
      }
      this.#waiting.shift();
    }
  }

  #joined(): Buffer {
    const all = Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [all];
    return all;
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    this.#needed = 0;
  }
}

/** Whether the process keeps Node from ending. */
function hold(batch: Batch, isNeeded: boolean): void {
  if (isNeeded) batch.ref();
  else batch.unref();
  for (const stream of [batch.stdin, batch.stdout]) {
    if (!(stream instanceof Socket)) continue;
    if (isNeeded) stream.ref();
    else stream.unref();
  }
}

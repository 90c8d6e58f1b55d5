/** The blobs of a working tree: git's own, those of changed files as they were read, and those of the run. */
import { createHash } from "node:crypto";
import { missingObject, type Objects, type Oid } from "../../../core/workspace/mod.ts";

/** Files above this size stay on the disk and are read when asked for. */
const maxHeldBytes = 10_000_000;
/** So does every file after this much was taken into memory. */
const maxHeldBytesInAll = 500_000_000;

/** A place to ask for a blob: null where it is not there. */
export type BlobSource = (oid: Oid) => Promise<Uint8Array | null>;

/** The id of a blob, by Node's own SHA-1. */
export function hashBlob(bytes: Uint8Array): Oid {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

export class RepositoryObjects implements Objects {
  readonly #held = new Map<Oid, Uint8Array>();
  readonly #sources: readonly BlobSource[];
  #heldBytes = 0;

  /** `sources` are asked in turn for what is not held in memory. */
  constructor(sources: readonly BlobSource[]) {
    this.#sources = sources;
  }

  async read(oid: Oid): Promise<Uint8Array> {
    const held = this.#held.get(oid);
    if (held !== undefined) return new Uint8Array(held);
    for (const source of this.#sources) {
      const bytes = await source(oid);
      if (bytes !== null) return bytes;
    }
    throw missingObject(oid);
  }

  async write(bytes: Uint8Array): Promise<Oid> {
    const oid = hashBlob(bytes);
    if (!this.#held.has(oid)) this.#held.set(oid, new Uint8Array(bytes));
    return oid;
  }

  /** Takes over the bytes of a file that no git object holds, so that they outlast a change on disk. The array is not copied. */
  keep(bytes: Uint8Array): Oid {
    const oid = hashBlob(bytes);
    if (this.#held.has(oid)) return oid;
    if (bytes.length <= maxHeldBytes && this.#heldBytes + bytes.length <= maxHeldBytesInAll) {
      this.#held.set(oid, bytes);
      this.#heldBytes += bytes.length;
    }
    return oid;
  }
}

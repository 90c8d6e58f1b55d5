/** Blobs in memory, by git's ids. This module is browser compatible. */
import { blobOid } from "../hash/mod.ts";
import type { Objects, Oid } from "./types.ts";
import { WorkspaceError } from "./workspace-error.ts";

/**
 * A store that lives as long as the value does. Bytes are copied in and out, so nobody can change a blob.
 * (Not by `slice`, which on a `Buffer` of Node gives a view of the same memory.)
 */
export function memoryObjects(): Objects {
  const blobs = new Map<Oid, Uint8Array>();
  return {
    async read(oid) {
      const bytes = blobs.get(oid);
      if (bytes === undefined) throw missingObject(oid);
      return new Uint8Array(bytes);
    },
    async write(bytes) {
      const oid = blobOid(bytes);
      if (!blobs.has(oid)) blobs.set(oid, new Uint8Array(bytes));
      return oid;
    },
  };
}

/** A store that reads what was written to it, and everything else from `base`. Nothing is ever written to `base`. */
export function objectsOver(base: Pick<Objects, "read">): Objects {
  const own = memoryObjects();
  const written = new Set<Oid>();
  return {
    read: (oid) => (written.has(oid) ? own.read(oid) : base.read(oid)),
    async write(bytes) {
      const oid = await own.write(bytes);
      written.add(oid);
      return oid;
    },
  };
}

/** The error of a store that does not hold a blob. */
export function missingObject(oid: Oid, cause?: unknown): WorkspaceError {
  return new WorkspaceError("object_missing", oid, `The object ${oid} is in no store of this workspace.`, { cause });
}

/** Blobs as loose objects of a git directory in memory. This module is browser compatible, with the polyfills that memfs needs. */
import { missingObject } from "./memory-objects.ts";
import type { Objects } from "./types.ts";

/**
 * A store on a memfs volume, written and read by isomorphic-git: the same ids as `memoryObjects`, in the form that any git
 * can read. `volume` is the root of the volume's file tree, to be handed to a git of its own.
 */
export async function memfsObjects(): Promise<Objects & { readonly fs: unknown; readonly gitdir: string }> {
  const [{ Volume, createFsFromVolume }, { default: git }] = await Promise.all([
    import("memfs"),
    import("isomorphic-git"),
  ]);
  const fs = createFsFromVolume(new Volume());
  const gitdir = "/git";
  await git.init({ fs, gitdir, bare: true });
  const cache = {};
  return {
    fs,
    gitdir,
    async read(oid) {
      try {
        return new Uint8Array((await git.readBlob({ fs, gitdir, oid, cache })).blob);
      } catch (cause) {
        throw missingObject(oid, cause);
      }
    },
    write: (bytes) => git.writeBlob({ fs, gitdir, blob: bytes }),
  };
}

/** Where a path of the tree stands on the disk. */
import { encodePath } from "../../../core/workspace/mod.ts";

/** A string, or bytes where the path is not UTF-8, as the functions of `node:fs` take it. */
export type DiskPath = string | Buffer;

/** `path` below `root`. */
export function diskPath(root: string, path: string): DiskPath {
  const full = root.endsWith("/") ? root + path : `${root}/${path}`;
  return /\p{Surrogate}/u.test(full) ? Buffer.from(encodePath(full)) : full;
}

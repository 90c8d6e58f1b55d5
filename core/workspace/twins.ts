/** Entries that another path would meet on some disk. This module is browser compatible. */
import type { Directory } from "./directory.ts";
import { composedName, foldedName } from "./paths.ts";
import { rootOf } from "./tree.ts";
import type { Tree } from "./types.ts";

/**
 * A path of the tree that is not `path`, or not one of its directories, but that a file system takes for it: it differs only
 * in Unicode normal form or, with `ignoreCase`, also in case. Undefined where there is none.
 *
 * With `SRC/new.ts` and a tree that holds `src/a.ts`, it is `src`.
 */
export function findTwin(tree: Tree, path: string, ignoreCase: boolean): string | undefined {
  return twinBelow(rootOf(tree), path.split("/"), "", true, ignoreCase ? foldedName : composedName);
}

function twinBelow(
  directory: Directory,
  segments: readonly string[],
  prefix: string,
  isOwn: boolean,
  fold: (name: string) => string,
): string | undefined {
  const [segment = "", ...rest] = segments;
  const ownDirectory = isOwn ? directory.directory(segment) : undefined;
  for (const key of directory.keysFolding(fold(segment), fold)) {
    const name = key.endsWith("/") ? key.slice(0, -1) : key;
    const below = directory.directory(name);
    const isSame = isOwn && name === segment;
    if (rest.length === 0 || below === undefined) {
      if (!isSame) return prefix + name;
      continue;
    }
    // Where the path's own directory is not there yet, the other one is what the path would end up in.
    if (isOwn && ownDirectory === undefined) return prefix + name;
    const found = twinBelow(below, rest, `${prefix}${name}/`, isSame, fold);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What stands in a path's way where it needs a directory. */
export interface PathObstacle {
  readonly path: string;
  readonly kind: "symlink" | "submodule" | "file";
}

/** The first entry on the way to `path` that is not a directory: the path goes through a link, a submodule or a file. */
export function pathObstacle(tree: Tree, path: string): PathObstacle | undefined {
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const prefix = path.slice(0, slash);
    const entry = tree.entry(prefix);
    if (entry === undefined) continue;
    return {
      path: prefix,
      kind: entry.mode === "120000" ? "symlink" : entry.mode === "160000" ? "submodule" : "file",
    };
  }
  return undefined;
}

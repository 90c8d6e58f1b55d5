/** What differs between two trees. This module is browser compatible. */
import { type Child, Directory } from "./directory.ts";
import { comparePaths } from "./path-bytes.ts";
import { entriesBelow, rootOf } from "./tree.ts";
import type { Change, Entry, Tree } from "./types.ts";

/**
 * The changes from `a` to `b`, in git's order. A subtree that both share is not entered. A file that became a directory is
 * the deletion of one and the addition of the files in the other.
 */
export function diffTrees(a: Tree, b: Tree): Change[] {
  const changes: Change[] = [];
  walk(rootOf(a), rootOf(b), "", changes);
  return changes;
}

function walk(a: Directory, b: Directory, prefix: string, changes: Change[]): void {
  if (a === b || (a.knownOid !== undefined && a.knownOid === b.knownOid)) return;
  let left = 0;
  let right = 0;
  while (left < a.keys.length || right < b.keys.length) {
    const leftKey = a.keys[left];
    const rightKey = b.keys[right];
    const order =
      leftKey === undefined
        ? 1
        : rightKey === undefined
          ? -1
          : leftKey === rightKey
            ? 0
            : comparePaths(leftKey, rightKey);
    const before = order <= 0 ? a.children[left] : undefined;
    const after = order >= 0 ? b.children[right] : undefined;
    const path = prefix + ((order <= 0 ? leftKey : rightKey) ?? "");
    if (order <= 0) left += 1;
    if (order >= 0) right += 1;
    if (before instanceof Directory && after instanceof Directory) walk(before, after, path, changes);
    else {
      // A key tells files and directories apart, so here at most one side is there, or both are files.
      if (before instanceof Directory || after instanceof Directory) {
        for (const [below, entry] of entriesOf(before, path)) changes.push(changeOf(below, entry, undefined));
        for (const [below, entry] of entriesOf(after, path)) changes.push(changeOf(below, undefined, entry));
      } else if (before?.oid !== after?.oid || before?.mode !== after?.mode) {
        changes.push(changeOf(path, before, after));
      }
    }
  }
}

function entriesOf(child: Child | undefined, prefix: string): Iterable<[string, Entry]> {
  return child instanceof Directory ? entriesBelow(child, prefix) : [];
}

function changeOf(path: string, before: Entry | undefined, after: Entry | undefined): Change {
  return {
    path,
    kind: before === undefined ? "add" : after === undefined ? "delete" : "modify",
    ...(before === undefined ? {} : { before: before.oid, beforeMode: before.mode }),
    ...(after === undefined ? {} : { after: after.oid, afterMode: after.mode }),
  };
}

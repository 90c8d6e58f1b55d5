/** The operations that a change is made of, in the order that a file may become a directory and a directory a file. */
import type { Tree } from "../../../core/workspace/mod.ts";
import { type DiskForms, hashBlob } from "../repository/mod.ts";
import { type Face, type Seen, see } from "./face.ts";
import type { Ground } from "./ground.ts";
import type { Journal, Kept, Operation } from "./journal.ts";
import { isExecutable, type Target, typeOnDisk } from "./targets.ts";

export type Plan = Pick<Journal, "operations" | "made" | "removed">;

/** A target that is on the disk. */
export type Present = Extract<Seen, { sha1: string }>;

export async function planOf(
  ground: Ground,
  targets: readonly Target[],
  trees: { readonly baseline: Tree; readonly final: Tree },
  forms: DiskForms,
  keep: (path: string, suffix: "new" | "old") => Kept,
): Promise<Plan> {
  const operations = targets.flatMap((target) => operationOf(target, forms, keep));
  return {
    operations,
    made: await directoriesToMake(ground, operations),
    removed: await directoriesToRemove(ground, operations, trees),
  };
}

function operationOf(
  { path, after, content, seen }: Target,
  forms: DiskForms,
  keep: (path: string, suffix: "new" | "old") => Kept,
): Operation[] {
  const before: Face | null = isPresent(seen) ? { type: seen.type, sha1: seen.sha1, mode: seen.mode } : null;
  if (after === undefined || content === null) {
    return before === null
      ? []
      : [{ path, kind: "delete", before, after: null, staged: null, saved: keep(path, "old") }];
  }
  const type = typeOnDisk(after, forms);
  const mode = newMode(before, after.mode === "100755", forms);
  const face: Face = { type, sha1: hashBlob(content), mode };
  if (before === null) return [{ path, kind: "add", before, after: face, staged: keep(path, "new"), saved: null }];
  if (before.type === type && before.sha1 === face.sha1) {
    if (type === "symlink" || before.mode === mode) return [];
    return [{ path, kind: "mode", before, after: face, staged: null, saved: null }];
  }
  return [{ path, kind: "replace", before, after: face, staged: keep(path, "new"), saved: keep(path, "old") }];
}

/** Permission bits stay; only the executable bit follows the tree, for whoever may read, as git does it. */
function newMode(before: Face | null, wantsExecutable: boolean, forms: DiskForms): number {
  if (before === null || before.type === "symlink") return wantsExecutable ? 0o777 : 0o666;
  if (!forms.hasExecutableBit || isExecutable(before.mode) === wantsExecutable) return before.mode;
  return wantsExecutable ? before.mode | ((before.mode & 0o444) >> 2) : before.mode & ~0o111;
}

async function directoriesToMake(ground: Ground, operations: readonly Operation[]): Promise<string[]> {
  const made = new Set<string>();
  const known = new Set<string>();
  for (const { path, kind } of operations) {
    if (kind !== "add") continue;
    for (const parent of parentsOf(path).reverse()) {
      if (made.has(parent) || known.has(parent)) continue;
      if ((await see(ground, parent)).type === "directory") known.add(parent);
      else made.add(parent);
    }
  }
  return [...made];
}

/** Directories that the baseline has and the final tree has not. Whether they are empty then, the disk will say. */
async function directoriesToRemove(
  ground: Ground,
  operations: readonly Operation[],
  { final }: { readonly final: Tree },
): Promise<{ path: string; mode: number }[]> {
  const removed = new Map<string, number>();
  for (const { path, kind } of operations) {
    if (kind !== "delete") continue;
    for (const parent of parentsOf(path)) {
      if (final.hasDirectory(parent)) break;
      if (removed.has(parent)) continue;
      const seen = await see(ground, parent);
      if (seen.type === "directory") removed.set(parent, seen.mode);
    }
  }
  return [...removed]
    .map(([path, mode]) => ({ path, mode }))
    .sort((a, b) => b.path.split("/").length - a.path.split("/").length);
}

/** The directories of a path, innermost first, without the root. */
export function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1))
    parents.push(path.slice(0, slash));
  return parents;
}

export function isPresent(seen: Seen): seen is Present {
  return seen.type === "file" || seen.type === "symlink";
}

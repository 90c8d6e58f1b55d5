/** What a command changed in a lane, as changes of the revision. */
import { lstatSync } from "node:fs";
import { type Change, isTreePath, type Objects, type Oid } from "../../../core/workspace/mod.ts";
import { hashBlob } from "../repository/mod.ts";
import type { IgnoreRules } from "./ignored.ts";
import type { LaneFiles } from "./lane-files.ts";
import { filesBelow, type Scan } from "./scan.ts";

/** Blobs of stray changes are kept up to this size. */
const maxKeptBytes = 10_000_000;

export interface StrayContext {
  readonly files: LaneFiles;
  readonly ignored: IgnoreRules;
  /** Paths of dependency folders: what is new in them is no change of the revision. */
  readonly dependencies: readonly string[];
  readonly toBlob: (path: string, disk: Uint8Array) => Uint8Array;
  /** Where the blobs of changes are kept, if anybody wants them. */
  readonly objects?: Objects;
}

export async function strayChanges(scan: Scan, context: StrayContext): Promise<Change[]> {
  const changes: Change[] = [];
  // What is missing is not looked for: the way to it may now lead through a link.
  const looked = [
    ...scan.changed.map((path) => [path, true] as const),
    ...scan.missing.map((path) => [path, false] as const),
  ];
  for (const [path, isThere] of looked) {
    const content = context.files.content(path);
    if (content?.kind !== "revision") continue;
    const before = { before: content.entry.oid, beforeMode: content.entry.mode };
    const after = isThere ? await found(path, context) : undefined;
    if (after === undefined) changes.push({ path, kind: "delete", ...before });
    else if (after.after !== content.entry.oid || after.afterMode !== content.entry.mode) {
      changes.push({ path, kind: "modify", ...before, ...after });
    }
  }
  for (const path of await newPaths(scan, context)) {
    const after = await found(path, context);
    if (after !== undefined) changes.push({ path, kind: "add", ...after });
  }
  return changes;
}

async function found(
  path: string,
  { files, objects, toBlob }: StrayContext,
): Promise<{ after: Oid; afterMode: NonNullable<Change["afterMode"]> } | undefined> {
  const stats = lstatSync(files.place(path), { throwIfNoEntry: false });
  const read = stats === undefined ? undefined : files.read(path, stats);
  if (read === undefined) return undefined;
  const bytes = read.mode === "120000" ? read.bytes : toBlob(path, read.bytes);
  if (objects !== undefined && bytes.length <= maxKeptBytes) await objects.write(bytes);
  return { after: hashBlob(bytes), afterMode: read.mode };
}

/** New files and links that the repository does not ignore. */
async function newPaths(scan: Scan, { files, ignored, dependencies }: StrayContext): Promise<string[]> {
  const outermost = scan.extra.filter(
    ({ path }) => isTreePath(path) && !dependencies.some((folder) => path.startsWith(`${folder}/`)),
  );
  const named = outermost.map(({ path, isFolder }) => (isFolder ? `${path}/` : path));
  const left = without(named, await ignored(files.root, named));
  const inFolders = left
    .filter((path) => path.endsWith("/"))
    .flatMap((path) => filesBelow(files, path.slice(0, -1)))
    .filter(isTreePath);
  return [...left.filter((path) => !path.endsWith("/")), ...without(inFolders, await ignored(files.root, inFolders))];
}

function without(paths: readonly string[], dropped: ReadonlySet<string>): string[] {
  return paths.filter((path) => !dropped.has(path));
}

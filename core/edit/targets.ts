/** Which paths an edit may touch, and what stands there. One answer for both tools. This module is browser compatible. */
import { sha256Hex } from "../hash/mod.ts";
import { type Entry, findTwin, normalizePath, pathKey, pathObstacle } from "../workspace/mod.ts";
import { decodeBytes, isBinary } from "./byte-text.ts";
import { failure, quoted } from "./failure.ts";
import type { AllowPath, EditCode, EditFailure, EditSource } from "./types.ts";

/** A path that an edit touches. `read`: the source of a copy. */
export interface Touch {
  readonly path: string;
  readonly kind: "add" | "delete" | "modify" | "read";
}

const chooseAnother =
  "Name a regular text file inside the repository: list_files shows what there is. Nothing was changed.";

/**
 * Checks every touched path against the tree, then asks `allow`. No content is looked at.
 * Returns the first refusal: `unsupported_target`, or whatever `allow` says.
 */
export function refusedTarget(
  source: EditSource,
  touches: readonly Touch[],
  allow: AllowPath | undefined,
): EditFailure | null {
  for (const touch of touches) {
    const refused = unsupportedPath(touch.path) ?? unsupportedEntry(source, touch);
    if (refused !== null) return refused;
  }
  const refused = conflictOfAdded(source, touches);
  if (refused !== null) return refused;
  for (const touch of touches) {
    const denied = allow?.(touch) ?? null;
    if (denied !== null) return denied;
  }
  return null;
}

/** The refusal of a path that no edit may name, whatever the tree holds. */
export function unsupportedPath(path: string): EditFailure<EditCode> | null {
  const normal = normalizePath(path);
  return normal.ok ? null : failure("unsupported_target", `${normal.message}.`, { path }, chooseAnother);
}

function unsupportedEntry(source: EditSource, { path, kind }: Touch): EditFailure<EditCode> | null {
  const refuse = (reason: string, next = chooseAnother, more = {}) =>
    failure("unsupported_target", `${quoted(path)}: ${reason}.`, { path, ...more }, next);
  const { tree } = source;
  const obstacle = pathObstacle(tree, path);
  if (obstacle !== undefined && obstacle.kind !== "file") {
    return refuse(`the path leads through the ${obstacle.kind} ${quoted(obstacle.path)}, which is never followed`);
  }
  const entry = tree.entry(path);
  if (entry?.mode === "120000") return refuse("this is a symbolic link; the edit tools change regular files only");
  if (entry?.mode === "160000") return refuse("this is a submodule; its files belong to another repository");
  if (kind === "add") {
    if (entry !== undefined) {
      return refuse(
        "a file stands here already, so it cannot be created",
        "Read the file and change it, or choose another path. Nothing was changed.",
      );
    }
  } else if (entry === undefined) {
    if (tree.hasDirectory(path)) return refuse("this is a directory; name one of the files in it");
    const twin = findTwin(tree, path, true);
    return twin === undefined
      ? refuse(
          kind === "modify" ? "no file stands here, so it cannot be changed" : "no file stands here",
          "Look up the path with list_files. To create a file, send apply_patch a patch from /dev/null, with null in expected_files. Nothing was changed.",
        )
      : refuse(`no file stands here; ${quoted(twin)} differs only in case or in Unicode form`, chooseAnother, { twin });
  }
  return null;
}

/** What an added path would collide with, once the deleted ones are gone. */
function conflictOfAdded(source: EditSource, touches: readonly Touch[]): EditFailure<EditCode> | null {
  const added = touches.filter((touch) => touch.kind === "add");
  if (added.length === 0) return null;
  const removed = new Map<string, Entry | null>();
  for (const { path, kind } of touches) if (kind === "delete") removed.set(path, null);
  const tree = source.tree.with(removed);
  for (const { path } of added) {
    const refuse = (reason: string, more = {}) =>
      failure("unsupported_target", `${quoted(path)}: ${reason}.`, { path, ...more }, chooseAnother);
    const obstacle = pathObstacle(tree, path);
    if (obstacle !== undefined) return refuse(`${quoted(obstacle.path)} is a file, so nothing can stand below it`);
    if (tree.hasDirectory(path)) return refuse("a directory stands here");
    // The tree as it was: a file that changes only the case of its name is one file to many disks.
    const twin = findTwin(source.tree, path, true);
    if (twin !== undefined) {
      return refuse(
        `it differs only in case or in Unicode form from ${quoted(twin)}, which many disks take for the same`,
        {
          twin,
        },
      );
    }
  }
  return conflictAmongAdded(added.map(({ path }) => path));
}

/** `a` and `a/b`, or `A/b` and `a/c`, both new. */
function conflictAmongAdded(paths: readonly string[]): EditFailure<EditCode> | null {
  const spellings = new Map<string, { readonly name: string; readonly isFile: boolean }>();
  for (const path of paths) {
    const segments = path.split("/");
    for (let depth = 1; depth <= segments.length; depth += 1) {
      const name = segments.slice(0, depth).join("/");
      const isFile = depth === segments.length;
      const key = pathKey(name, true);
      const other = spellings.get(key);
      if (other === undefined) spellings.set(key, { name, isFile });
      else if (other.name !== name || other.isFile || isFile) {
        return failure(
          "unsupported_target",
          `${quoted(path)}: the edit also creates ${quoted(other.name)}, and many disks cannot hold both.`,
          { path, twin: other.name },
          chooseAnother,
        );
      }
    }
  }
  return null;
}

/** A file as an edit sees it. */
export interface TargetFile {
  readonly path: string;
  readonly entry: Entry;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly sha256: string;
}

/**
 * The content at a path that `refusedTarget` let through, bound to the hash that the agent last read (null where it claims
 * that no file is there): `stale_hash` where they differ, `unsupported_target` for binary content, `apply_failed` where
 * the store cannot give the blob.
 */
export async function readTarget(
  source: EditSource,
  path: string,
  expected: string | null,
): Promise<{ readonly ok: true; readonly file: TargetFile } | EditFailure<EditCode>> {
  const entry = source.tree.entry(path);
  if (entry === undefined) throw new Error(`no entry at ${path}: refusedTarget was not asked`);
  let bytes: Uint8Array;
  try {
    bytes = await source.objects.read(entry.oid);
  } catch (cause) {
    return storageFailure(path, cause);
  }
  const sha256 = sha256Hex(bytes);
  if (expected?.toLowerCase() !== sha256) {
    return failure(
      "stale_hash",
      expected === null
        ? `${quoted(path)}: expected no file here, but one stands here.`
        : `${quoted(path)}: the file is not the one that was read; its hash is another.`,
      { path, expected_sha256: expected, sha256 },
      "Read the file again and make the edit against what it says now. Nothing was changed.",
    );
  }
  if (isBinary(bytes)) {
    return failure(
      "unsupported_target",
      `${quoted(path)}: this file is binary (it holds a NUL), and the edit tools change text only.`,
      { path, sha256 },
      chooseAnother,
    );
  }
  return { ok: true, file: { path, entry, bytes, text: decodeBytes(bytes), sha256 } };
}

/** The one use of `apply_failed`. */
export function storageFailure(path: string, cause: unknown): EditFailure<EditCode> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return failure(
    "apply_failed",
    `${quoted(path)}: the store failed: ${reason}`,
    { path, reason },
    "This is not the edit's fault. Try the same call once more; if it fails again, report it with report_blocked. Nothing was changed.",
  );
}

/** What a change means on this disk, and whether the disk still holds what the change began from. */
import type { Change, Entry, Objects, Tree } from "../../../core/workspace/mod.ts";
import { isGitDirectory, isTreePath } from "../../../core/workspace/mod.ts";
import { type DiskForm, type DiskForms, hashBlob, withCrlf, withoutCrlf } from "../repository/mod.ts";
import { isSameFace, type Seen, see } from "./face.ts";
import { StepError, UnwritableError } from "./failures.ts";
import type { Ground } from "./ground.ts";

/** One path of the change: what stood there, what is to stand there, and what stands there now. */
export interface Target {
  readonly path: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
  readonly seen: Seen;
  /** The bytes on disk of what is to stand there, and null where nothing is. */
  readonly content: Uint8Array | null;
}

export interface Check {
  readonly targets: readonly Target[];
  /** Paths that hold neither the baseline nor, all of them together, the final tree. */
  readonly changed: readonly string[];
  /** Whether the disk holds the final tree already. */
  readonly isWritten: boolean;
}

/** Looks at every path of a change. Throws `UnwritableError`, and `StepError` where a path cannot be read. */
export async function checkTargets(
  ground: Ground,
  forms: DiskForms,
  work: {
    readonly baseline: Tree;
    readonly final: Tree;
    readonly changes: readonly Change[];
    readonly objects: Objects;
  },
): Promise<Check> {
  const paths = work.changes.map(({ path }) => path);
  const formOf = await forms.of(paths);
  const targets: Target[] = [];
  const changed: string[] = [];
  let isWritten = true;
  for (const path of paths) {
    const before = work.baseline.entry(path);
    const after = work.final.entry(path);
    refuse(path, before, after);
    const seen = await see(ground, path).catch((error: unknown) => {
      throw new StepError(path, error);
    });
    const form = formOf.get(path);
    const old = before === undefined ? undefined : await work.objects.read(before.oid);
    const isBaseline =
      before === undefined
        ? isPlaceFree(seen, path, work.baseline, work.final)
        : isEntry(seen, before, forms, form, old);
    const content =
      after === undefined ? null : diskBytes(path, await work.objects.read(after.oid), after, before, seen, form, old);
    if (!isBaseline) changed.push(path);
    if (isWritten) isWritten = isAfter(seen, after, content, forms, work.final, path);
    targets.push({ path, before, after, seen, content });
  }
  return { targets, changed, isWritten };
}

function refuse(path: string, before: Entry | undefined, after: Entry | undefined): void {
  if (!isTreePath(path) || path.split("/").some(isGitDirectory))
    throw new UnwritableError(path, "no such path is ever written");
  if (path.startsWith(".yada/runs/"))
    throw new UnwritableError(path, "the records of runs are never written from a tree");
  if (before?.mode === "160000" || after?.mode === "160000") {
    throw new UnwritableError(path, "a submodule or nested repository is never written");
  }
}

/** Whether nothing is in the way of an addition but what this very change takes away. */
function isPlaceFree(seen: Seen, path: string, baseline: Tree, final: Tree): boolean {
  if (seen.type === "absent") return true;
  if (seen.type === "directory") return baseline.hasDirectory(path);
  return seen.type === "blocked" && baseline.entry(seen.by) !== undefined && final.entry(seen.by) === undefined;
}

function isEntry(
  seen: Seen,
  entry: Entry,
  forms: DiskForms,
  form: DiskForm | undefined,
  blob: Uint8Array | undefined,
): boolean {
  if (seen.type !== typeOnDisk(entry, forms)) return false;
  if (seen.type === "file" && forms.hasExecutableBit && isExecutable(seen.mode) !== (entry.mode === "100755"))
    return false;
  if (seen.sha1 === entry.oid) return true;
  return seen.type === "file" && form !== undefined && hashBlob(form.toBlob(seen.bytes, blob)) === entry.oid;
}

function isAfter(
  seen: Seen,
  after: Entry | undefined,
  content: Uint8Array | null,
  forms: DiskForms,
  final: Tree,
  path: string,
): boolean {
  if (after === undefined || content === null) {
    return seen.type === "absent" || seen.type === "blocked" || (seen.type === "directory" && final.hasDirectory(path));
  }
  if (!isSameFace(seen, { type: typeOnDisk(after, forms), sha1: hashBlob(content), mode: 0 })) return false;
  return seen.type !== "file" || !forms.hasExecutableBit || isExecutable(seen.mode) === (after.mode === "100755");
}

/** What an entry is on this disk: without links (`core.symlinks=false`) a link is a file that holds its target. */
export function typeOnDisk(entry: Entry, forms: DiskForms): "file" | "symlink" {
  return entry.mode === "120000" && forms.hasSymlinks ? "symlink" : "file";
}

/** The bytes to write: line endings stay what they are on the disk, and are those of a checkout where the file is new. */
function diskBytes(
  path: string,
  blob: Uint8Array,
  after: Entry,
  before: Entry | undefined,
  seen: Seen,
  form: DiskForm | undefined,
  old: Uint8Array | undefined,
): Uint8Array {
  if (after.mode === "120000" || form === undefined) return blob;
  if (before === undefined || seen.type !== "file") return form.toDisk(blob);
  if (seen.sha1 === before.oid) return blob;
  if (hashBlob(form.toBlob(seen.bytes, old)) !== before.oid) return blob;
  const plain = withoutCrlf(seen.bytes);
  if (hashBlob(withCrlf(plain)) === seen.sha1) return withCrlf(blob);
  throw new UnwritableError(
    path,
    "its lines end partly in CRLF and partly in LF, which git converts; which of them a changed line is to have cannot be told. Give the file one kind of line ending first",
  );
}

export function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}

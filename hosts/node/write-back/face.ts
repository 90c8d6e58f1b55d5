/** What stands at a path of the disk, as far as writing back has to tell one thing from another. */
import { type DiskPath, hashBlob } from "../repository/mod.ts";
import { codeOf, type DiskPort, isAbsence } from "./disk-port.ts";
import { type Ground, ObstacleError } from "./ground.ts";

/** A file or a link. `sha1` is the id that its bytes on disk (the target of a link) would have as a blob. */
export interface Face {
  readonly type: "file" | "symlink";
  readonly sha1: string;
  /** Permission bits. */
  readonly mode: number;
}

/** What changes with every write to a file: it tells whether the thing that was looked at is still there untouched. */
export interface Stamp {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

export type Seen =
  | { readonly type: "absent" }
  | { readonly type: "directory"; readonly mode: number }
  | { readonly type: "other" }
  /** A part of the path is a link or a file. */
  | { readonly type: "blocked"; readonly by: string }
  | (Face & {
      readonly bytes: Uint8Array;
      readonly stamp: Stamp;
      readonly uid: number;
      readonly gid: number;
      readonly atimeMs: number;
      readonly mtimeMs: number;
    });

/** Looks at a path. */
export async function see(ground: Ground, path: string): Promise<Seen> {
  try {
    return await ground.at(path, (place) => seeAt(ground.disk, place));
  } catch (error) {
    if (error instanceof ObstacleError) return { type: "blocked", by: error.path };
    if (isAbsence(error)) return { type: "absent" };
    throw error;
  }
}

/** Looks at a place of the disk. */
export async function seeAt(disk: DiskPort, place: DiskPath): Promise<Seen> {
  try {
    const stats = await disk.lstat(place);
    if (stats.isDirectory()) return { type: "directory", mode: Number(stats.mode & 0o7777n) };
    if (!stats.isFile() && !stats.isSymbolicLink()) return { type: "other" };
    const bytes = stats.isFile() ? await disk.readFile(place) : await disk.readlink(place);
    return {
      type: stats.isFile() ? "file" : "symlink",
      sha1: hashBlob(bytes),
      mode: Number(stats.mode & 0o7777n),
      bytes,
      stamp: { dev: stats.dev, ino: stats.ino, size: stats.size, mtimeNs: stats.mtimeNs },
      uid: Number(stats.uid),
      gid: Number(stats.gid),
      atimeMs: Number(stats.atimeNs) / 1e6,
      mtimeMs: Number(stats.mtimeNs) / 1e6,
    };
  } catch (error) {
    // Nothing can stand under a name that the file system does not take.
    if (isAbsence(error) || codeOf(error) === "ENAMETOOLONG") return { type: "absent" };
    // Became a link, a FIFO or a directory between the look at it and the read.
    if (["ELOOP", "ENXIO", "EISDIR", "EINVAL"].includes(codeOf(error) ?? "")) return { type: "other" };
    throw error;
  }
}

export function isSameFace(seen: Seen, face: Face): boolean {
  return seen.type === face.type && seen.sha1 === face.sha1;
}

export function isSameStamp(a: Stamp, b: Stamp): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

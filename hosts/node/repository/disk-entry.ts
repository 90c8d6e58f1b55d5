/** What stands at a path of the disk, read so that a change under way is noticed. */
import type { BigIntStats } from "node:fs";
import { constants, lstat, open, readlink } from "node:fs/promises";
import { WorkspaceError } from "../../../core/workspace/mod.ts";
import { diskPath } from "./disk-path.ts";

export type DiskEntry =
  | { readonly kind: "file"; readonly isExecutable: boolean; readonly bytes: Uint8Array }
  | { readonly kind: "symlink"; readonly bytes: Uint8Array }
  | { readonly kind: "directory" }
  | { readonly kind: "absent" }
  | { readonly kind: "special" };

/** Reads below one root, never through a link. Directories that were seen are remembered. */
export class DiskReader {
  readonly #root: string;
  readonly #directories = new Map<string, Promise<boolean>>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Throws `WorkspaceError` with code `changed_while_reading` where the file is not still for as long as a read takes. */
  async entry(path: string): Promise<DiskEntry> {
    const slash = path.lastIndexOf("/");
    if (slash > 0 && !(await this.#isDirectory(path.slice(0, slash)))) return { kind: "absent" };
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const entry = await this.#read(path);
      if (entry !== "changed") return entry;
    }
    throw new WorkspaceError(
      "changed_while_reading",
      path,
      `${path}: the file changed each time that it was read. End the program that writes it, or ignore the file.`,
    );
  }

  async #read(path: string): Promise<DiskEntry | "changed"> {
    const place = diskPath(this.#root, path);
    try {
      const stats = await lstat(place);
      if (stats.isDirectory()) return { kind: "directory" };
      if (stats.isSymbolicLink())
        return { kind: "symlink", bytes: plain(await readlink(place, { encoding: "buffer" })) };
      if (!stats.isFile()) return { kind: "special" };
    } catch (error) {
      if (isAbsence(error)) return { kind: "absent" };
      throw error;
    }
    // O_NONBLOCK: a file that has just become a FIFO must not hold the read up.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(place, flags).catch((error: unknown) => {
      if (isAbsence(error) || codeOf(error) === "ELOOP" || codeOf(error) === "ENXIO") return null;
      throw error;
    });
    if (file === null) return "changed";
    try {
      const before = await file.stat({ bigint: true });
      if (!before.isFile()) return "changed";
      const bytes = plain(await file.readFile());
      const after = await file.stat({ bigint: true });
      if (!isStill(before, after) || BigInt(bytes.length) !== after.size) return "changed";
      return { kind: "file", isExecutable: (after.mode & 0o100n) !== 0n, bytes };
    } finally {
      await file.close();
    }
  }

  /** Whether every part of the path is a directory and none a link. */
  #isDirectory(path: string): Promise<boolean> {
    let known = this.#directories.get(path);
    if (known === undefined) {
      known = this.#checkDirectory(path);
      this.#directories.set(path, known);
    }
    return known;
  }

  async #checkDirectory(path: string): Promise<boolean> {
    const slash = path.lastIndexOf("/");
    if (slash > 0 && !(await this.#isDirectory(path.slice(0, slash)))) return false;
    try {
      return (await lstat(diskPath(this.#root, path))).isDirectory();
    } catch (error) {
      if (isAbsence(error)) return false;
      throw error;
    }
  }
}

/** The same memory without the methods of a `Buffer`, whose `slice` shares what it cuts. */
function plain(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

function isStill(a: BigIntStats, b: BigIntStats): boolean {
  return a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.size === b.size && a.ino === b.ino;
}

function isAbsence(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** The `code` of a system error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

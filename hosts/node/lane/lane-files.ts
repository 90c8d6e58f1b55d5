/** The files that a lane should hold, as they were when they were written, and the few ways to change them. */
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { type Entry, encodePath, type FileMode, type Oid } from "../../../core/workspace/mod.ts";
import { type DiskPath, diskPath, hashBlob } from "../repository/mod.ts";
import { removeTreeNow } from "./remove-tree.ts";

/** What stands at a path of the lane, and where it comes from. */
export type Content =
  /** A path of the revision. `diskOid` is the id of the bytes on disk, where those differ from the blob. */
  | { readonly kind: "revision"; readonly entry: Entry; readonly diskOid: Oid }
  /** A link of a dependency folder. */
  | { readonly kind: "link"; readonly target: string }
  /** A file of a dependency folder that had to be rewritten for the lane. */
  | { readonly kind: "made"; readonly bytes: Uint8Array; readonly isExecutable: boolean };

/** Enough of a file's status that nobody can change the file and keep it: the change time cannot be set. */
interface Stamp {
  readonly ino: number;
  readonly size: number;
  readonly mode: number;
  readonly ctimeMs: number;
}

interface Known {
  readonly content: Content;
  stamp: Stamp;
}

interface Folder {
  /** Files and folders in it that the lane should hold. */
  count: number;
  mode: number;
}

export class LaneFiles {
  readonly root: string;
  readonly #known = new Map<string, Known>();
  readonly #folders = new Map<string, Folder>();
  readonly #caches = new Set<string>();
  /** Folders that were seen to be real folders since the last call of `begin`. */
  readonly #seen = new Set<string>();

  /** `root` is an empty folder. */
  constructor(root: string) {
    this.root = root;
    this.#folders.set("", { count: 1, mode: lstatSync(root).mode });
  }

  /** A command may have run: nothing is taken for granted any more. */
  begin(): void {
    this.#seen.clear();
  }

  content(path: string): Content | undefined {
    return this.#known.get(path)?.content;
  }

  paths(): IterableIterator<string> {
    return this.#known.keys();
  }

  get size(): number {
    return this.#known.size;
  }

  folderMode(path: string): number | undefined {
    return this.#folders.get(path)?.mode;
  }

  /** Whether a folder belongs to a tool: what stands in it is nobody's business until the next reset. */
  isCache(path: string): boolean {
    return this.#caches.has(path);
  }

  get caches(): ReadonlySet<string> {
    return this.#caches;
  }

  place(path: string): DiskPath {
    return path === "" ? this.root : diskPath(this.root, path);
  }

  /** Writes a file or a link, in place of whatever stands there. `bytes` are the bytes on disk, or the target of a link. */
  put(path: string, content: Content, bytes: Uint8Array): void {
    this.#makeFolder(parentOf(path));
    const place = this.place(path);
    const mode = modeOf(content);
    const before = this.#known.get(path);
    let stamp: Stamp;
    if (mode === "120000") {
      this.#clear(path);
      symlinkSync(Buffer.from(bytes), place);
      stamp = stampOf(lstatSync(place));
    } else {
      stamp = this.#writeFile(path, bytes, mode === "100755" ? 0o755 : 0o644);
    }
    this.#known.set(path, { content, stamp });
    if (before === undefined) this.#count(parentOf(path));
  }

  /** Removes what should no longer be there, and the folders that become empty by it. */
  remove(path: string): void {
    if (!this.#known.delete(path)) return;
    if (this.#isFolder(parentOf(path))) this.#clear(path);
    this.#discount(parentOf(path));
  }

  /** An empty folder that a tool may fill. */
  putCache(path: string): void {
    this.#makeFolder(path);
    if (!this.#caches.has(path)) {
      this.#caches.add(path);
      this.#count(path);
    }
  }

  /** Leaves a tool's folder as it was when it was made. */
  emptyCache(path: string): void {
    this.clear(path);
    this.#makeFolder(path);
  }

  removeCache(path: string): void {
    if (!this.#caches.delete(path)) return;
    if (this.#isFolder(parentOf(path))) this.#clear(path);
    this.#discount(path);
  }

  /** Removes whatever stands at a path that should be free. */
  clear(path: string): void {
    if (this.#isFolder(parentOf(path))) this.#clear(path);
  }

  /** Gives a folder back the mode that it was made with. */
  repairFolder(path: string): void {
    const mode = this.#folders.get(path)?.mode;
    if (mode !== undefined) chmodSync(this.place(path), mode & 0o7777);
  }

  /** Whether a known file was not touched since it was written or last looked at. `since`: younger files may hide a change in one tick of the clock. */
  isUntouched(path: string, stats: Stats, since: number): boolean {
    const known = this.#known.get(path);
    if (known === undefined || stats.ctimeMs >= since) return false;
    const { ino, size, mode, ctimeMs } = known.stamp;
    return stats.ino === ino && stats.size === size && stats.mode === mode && stats.ctimeMs === ctimeMs;
  }

  /** Whether a known path holds what it should, by its bytes. Where it does, it counts as untouched from now on. */
  isSame(path: string, stats: Stats): boolean {
    const known = this.#known.get(path);
    const found = known === undefined ? undefined : this.read(path, stats);
    if (known === undefined || found === undefined || found.mode !== modeOf(known.content)) return false;
    if (hashBlob(found.bytes) !== diskOidOf(known.content)) return false;
    if (found.mode !== "120000" && (stats.mode & 0o7777) !== (known.stamp.mode & 0o7777)) return false;
    known.stamp = stampOf(stats);
    return true;
  }

  /** What stands at a path, or undefined where that is neither a file nor a link. */
  read(path: string, stats: Stats): { mode: FileMode; bytes: Uint8Array } | undefined {
    const place = this.place(path);
    if (stats.isSymbolicLink()) return { mode: "120000", bytes: readlinkSync(place, { encoding: "buffer" }) };
    if (!stats.isFile()) return undefined;
    if ((stats.mode & 0o400) === 0) chmodSync(place, stats.mode | 0o400);
    return { mode: (stats.mode & 0o100) === 0 ? "100644" : "100755", bytes: readFileSync(place) };
  }

  #writeFile(path: string, bytes: Uint8Array, mode: number): Stamp {
    const place = this.place(path);
    let file: number;
    try {
      file = openSync(place, "wx", mode);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
      // A new inode: the old one may have other names, or be open in another process.
      this.#clear(path);
      file = openSync(place, "wx", mode);
    }
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      const stats = fstatSync(file);
      if ((stats.mode & 0o7777) === mode) return stampOf(stats);
      fchmodSync(file, mode);
      return stampOf(fstatSync(file));
    } finally {
      closeSync(file);
    }
  }

  #clear(path: string): void {
    const place = this.place(path);
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isDirectory()) unlinkSync(place);
    else {
      removeTreeNow(place);
      this.#seen.clear();
    }
  }

  /** Makes the folders above a path, in place of links and files that a command may have put there. */
  #makeFolder(path: string): void {
    if (this.#seen.has(path)) return;
    if (path !== "") this.#makeFolder(parentOf(path));
    const place = this.place(path);
    let stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) {
      unlinkSync(place);
      stats = undefined;
    }
    if (stats === undefined) {
      mkdirSync(place);
      const folder = this.#folders.get(path);
      if (folder !== undefined) folder.mode = lstatSync(place).mode;
    } else if ((stats.mode & 0o700) !== 0o700) chmodSync(place, 0o755);
    this.#seen.add(path);
  }

  #isFolder(path: string): boolean {
    if (this.#seen.has(path)) return true;
    if (path !== "" && !this.#isFolder(parentOf(path))) return false;
    const stats = lstatSync(this.place(path), { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true) return false;
    if ((stats.mode & 0o700) !== 0o700) chmodSync(this.place(path), 0o755);
    this.#seen.add(path);
    return true;
  }

  #count(path: string): void {
    const folder = this.#folders.get(path);
    if (folder !== undefined) {
      folder.count += 1;
      return;
    }
    this.#folders.set(path, { count: 1, mode: lstatSync(this.place(path)).mode });
    this.#count(parentOf(path));
  }

  #discount(path: string): void {
    const folder = this.#folders.get(path);
    if (folder === undefined || path === "") return;
    folder.count -= 1;
    if (folder.count > 0) return;
    this.#folders.delete(path);
    if (this.#isFolder(path)) {
      try {
        rmdirSync(this.place(path));
        this.#seen.delete(path);
      } catch (error) {
        // Something that a command has left; the next reset removes it.
        if (codeOf(error) !== "ENOTEMPTY" && codeOf(error) !== "EEXIST") throw error;
      }
    }
    this.#discount(parentOf(path));
  }
}

/** The parent folder of a path; "" is the root and its own parent. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** The bytes of a link's target. */
export function linkBytes(target: string): Uint8Array {
  return encodePath(target);
}

function modeOf(content: Content): FileMode {
  switch (content.kind) {
    case "revision":
      return content.entry.mode;
    case "link":
      return "120000";
    case "made":
      return content.isExecutable ? "100755" : "100644";
  }
}

/** Whether two contents leave the same on disk. */
export function isSameContent(a: Content | undefined, b: Content): boolean {
  return a !== undefined && a.kind === b.kind && modeOf(a) === modeOf(b) && diskOidOf(a) === diskOidOf(b);
}

function diskOidOf(content: Content): Oid {
  switch (content.kind) {
    case "revision":
      return content.diskOid;
    case "link":
      return hashBlob(linkBytes(content.target));
    case "made":
      return hashBlob(content.bytes);
  }
}

function stampOf({ ino, size, mode, ctimeMs }: Stats): Stamp {
  return { ino, size, mode, ctimeMs };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

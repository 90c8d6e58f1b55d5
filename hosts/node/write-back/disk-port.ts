/** The operations on a disk that writing back is made of. A test puts failures and sudden ends between them. */
import type { BigIntStats } from "node:fs";
import {
  constants,
  link,
  lstat,
  lutimes,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
} from "node:fs/promises";
import { type DiskPath, diskPath } from "../repository/mod.ts";

/** A directory that is held open where the system allows it: `path` then leads to this very directory, whatever its name becomes. */
export interface HeldDirectory {
  readonly path: string;
  close(): Promise<void>;
}

/** How a new file is to look. Without `exact` the mode passes through the process's umask. */
interface NewFile {
  readonly mode: number;
  readonly exact?: { readonly uid: number; readonly gid: number };
}

/** Port: no function follows a link in the last part of a path. */
export interface DiskPort {
  lstat(path: DiskPath): Promise<BigIntStats>;
  readFile(path: DiskPath): Promise<Uint8Array>;
  readlink(path: DiskPath): Promise<Uint8Array>;
  readdir(path: DiskPath): Promise<string[]>;
  openDirectory(path: DiskPath): Promise<HeldDirectory>;
  /** Makes a file that must not be there, and brings its bytes to the disk. */
  createFile(path: DiskPath, bytes: Uint8Array, file: NewFile): Promise<void>;
  symlink(target: Uint8Array, path: DiskPath): Promise<void>;
  /** A second name for a file or a link itself. `ENOTSUP` where the system cannot give it one. Never replaces what is there. */
  link(from: DiskPath, to: DiskPath): Promise<void>;
  rename(from: DiskPath, to: DiskPath): Promise<void>;
  unlink(path: DiskPath): Promise<void>;
  mkdir(path: DiskPath, mode?: number): Promise<void>;
  rmdir(path: DiskPath): Promise<void>;
  chmod(path: DiskPath, mode: number): Promise<void>;
  setTimes(path: DiskPath, atimeMs: number, mtimeMs: number): Promise<void>;
  /** Brings the names in a directory to the disk. */
  syncDirectory(path: DiskPath): Promise<void>;
}

/** The disk of this machine. */
export function nodeDisk(): DiskPort {
  const isLinux = process.platform === "linux";
  return {
    lstat: (path) => lstat(path, { bigint: true }),
    async readFile(path) {
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        return new Uint8Array(await file.readFile());
      } finally {
        await file.close();
      }
    },
    readlink: async (path) => new Uint8Array(await readlink(path, { encoding: "buffer" })),
    readdir: (path) => readdir(path),
    async openDirectory(path) {
      const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      if (isLinux) return { path: `/proc/self/fd/${directory.fd}`, close: () => directory.close() };
      // Elsewhere a descriptor has no path: the directory was no link a moment ago, and is looked at before each step.
      await directory.close();
      return { path: path.toString(), close: async () => {} };
    },
    async createFile(path, bytes, { mode, exact }) {
      const file = await open(
        path,
        constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
        mode,
      );
      try {
        await file.writeFile(bytes);
        if (exact !== undefined) {
          const own = await file.stat();
          // Only root may give a file away. Where that is not us, the file becomes ours, as with every editor.
          if (own.uid !== exact.uid || own.gid !== exact.gid) await file.chown(exact.uid, exact.gid).catch(() => {});
          await file.chmod(mode);
        }
        await file.sync();
      } finally {
        await file.close();
      }
    },
    symlink: (target, path) => symlink(Buffer.from(target), path),
    async link(from, to) {
      // link(2) of Linux does not follow a link; that of others may.
      if (!isLinux && (await lstat(from)).isSymbolicLink()) {
        throw Object.assign(new Error("a link gets no second name here"), { code: "ENOTSUP" });
      }
      await link(from, to);
    },
    rename,
    unlink,
    mkdir: async (path, mode) => {
      await mkdir(path, mode === undefined ? {} : { mode });
    },
    rmdir: (path) => rmdir(path),
    async chmod(path, mode) {
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        await file.chmod(mode);
      } finally {
        await file.close();
      }
    },
    setTimes: (path, atimeMs, mtimeMs) => lutimes(path, atimeMs / 1000, mtimeMs / 1000),
    async syncDirectory(path) {
      const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
      try {
        await directory.sync();
      } finally {
        await directory.close();
      }
    },
  };
}

/** A name in a held directory. */
export function inDirectory(directory: HeldDirectory, name: string): DiskPath {
  return diskPath(directory.path, name);
}

/** The `code` of a system error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Whether the error says that nothing stands at the path. */
export function isAbsence(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

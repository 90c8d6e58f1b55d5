/** A directory and a change of every kind, for the tests of writing back. */
import {
  type BigIntStats,
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  createWorkspace,
  diffTrees,
  type Entry,
  memoryObjects,
  type Objects,
  type Tree,
  treeFrom,
  type Workspace,
} from "../../../core/workspace/mod.ts";
import type { DiskPort } from "./mod.ts";

export interface Fixture {
  readonly root: string;
  readonly runDirectory: string;
  readonly workspace: Workspace;
  readonly work: {
    run: string;
    baseline: Tree;
    final: Tree;
    changes: ReturnType<typeof diffTrees>;
    objects: Workspace["objects"];
  };
  remove(): void;
}

/** What the directory holds before and after: bytes, or `-> target` for a link. `x` in front of a path marks an executable file. */
export const before: Readonly<Record<string, string>> = {
  "keep.txt": "untouched\n",
  "edit.txt": "old\n",
  "src/deep/edit.js": "old\n",
  "mode.sh": "#!/bin/sh\n",
  "gone/deep/only.txt": "old\n",
  "mixed/gone.txt": "old\n",
  "mixed/stays.txt": "untouched\n",
  "turns-directory": "old\n",
  "turns-file/inside.txt": "old\n",
  "link-edited": "-> nowhere",
  "link-gone": "-> keep.txt",
  "link-turns-file": "-> src",
  "file-turns-link": "old\n",
  "x tool.sh": "old\n",
};
export const after: Readonly<Record<string, string>> = {
  "keep.txt": "untouched\n",
  "edit.txt": "new\n",
  "src/deep/edit.js": "new\n",
  "x mode.sh": "#!/bin/sh\n",
  "mixed/stays.txt": "untouched\n",
  "turns-directory/inside/a.txt": "new\n",
  "turns-file": "new\n",
  "link-edited": "-> keep.txt",
  "link-turns-file": "new\n",
  "file-turns-link": "-> ../outside",
  "x tool.sh": "new\n",
  "fresh/deep/er/b.txt": "new\n",
  "fresh/x.txt": "new\n",
  "x added.sh": "new\n",
  "link-added": "-> fresh",
  "ünï/é.txt": "new\n",
};

export async function fixture(): Promise<Fixture> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "yada-write-back-")));
  for (const [name, content] of Object.entries(before)) {
    const { path, isExecutable } = named(name);
    const place = join(root, path);
    mkdirSync(dirname(place), { recursive: true });
    if (content.startsWith("-> ")) symlinkSync(content.slice(3), place);
    else writeFileSync(place, content, { mode: isExecutable ? 0o755 : 0o644 });
  }
  chmodSync(join(root, "edit.txt"), 0o640);
  for (const path of ["keep.txt", "edit.txt", "gone/deep/only.txt", "mixed/stays.txt"])
    utimesSync(join(root, path), 1_000_000, 2_000_000);
  return {
    root,
    runDirectory: join(root, ".yada/runs/1"),
    ...(await changeOfEveryKind()),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The tree of `before` as a workspace, and the way from there to `after`. */
async function changeOfEveryKind(): Promise<Pick<Fixture, "workspace" | "work">> {
  const objects = memoryObjects();
  const workspace = createWorkspace({ tree: treeFrom(await entriesOf(before, objects)), objects });
  const changes = new Map<string, Entry | null>();
  for (const [path] of workspace.tree.entries()) changes.set(path, null);
  for (const [path, entry] of await entriesOf(after, objects)) changes.set(path, entry);
  return { workspace, work: workTo(workspace, changes) };
}

async function entriesOf(state: Readonly<Record<string, string>>, objects: Objects): Promise<[string, Entry][]> {
  const entries: [string, Entry][] = [];
  for (const [name, content] of Object.entries(state)) {
    const { path, isExecutable } = named(name);
    const isLink = content.startsWith("-> ");
    const oid = await objects.write(new TextEncoder().encode(isLink ? content.slice(3) : content));
    entries.push([path, { mode: isLink ? "120000" : isExecutable ? "100755" : "100644", oid }]);
  }
  return entries;
}

/** The write-back that these changes of the current tree need. */
export function workTo(workspace: Workspace, changes: ReadonlyMap<string, Entry | null>): Fixture["work"] {
  const baseline = workspace.tree;
  const final = baseline.with(changes);
  return { run: "1", baseline, final, changes: diffTrees(baseline, final), objects: workspace.objects };
}

function named(name: string): { path: string; isExecutable: boolean } {
  return name.startsWith("x ") ? { path: name.slice(2), isExecutable: true } : { path: name, isExecutable: false };
}

/** What the directory holds, in the form of `before` and `after`; empty directories end with `/`. The records of runs are left out. */
export function stateOf(root: string): Record<string, string> {
  const state: Record<string, string> = {};
  for (const { path, stats, isEmpty } of listed(root)) {
    if (stats.isDirectory()) {
      if (isEmpty) state[`${path}/`] = "";
    } else if (stats.isSymbolicLink()) state[path] = `-> ${readlinkSync(join(root, path))}`;
    else state[(stats.mode & 0o100n) !== 0n ? `x ${path}` : path] = readFileSync(join(root, path), "utf8");
  }
  return state;
}

/** Path, type, permission bits, modification time and inode of all files: what an undone write-back must bring back exactly. */
export function exactStateOf(root: string): string[] {
  return listed(root)
    .map(({ path, stats }) => {
      // Names came and went in a directory, so it has another time, and may be a new one.
      if (stats.isDirectory()) return `${path}/ ${stats.mode}`;
      if (stats.isSymbolicLink()) return `${path} -> ${readlinkSync(join(root, path))} ${stats.mtimeNs} ${stats.ino}`;
      return `${path} ${stats.mode} ${stats.mtimeNs} ${stats.ino}`;
    })
    .sort();
}

function listed(root: string, prefix = ""): { path: string; stats: BigIntStats; isEmpty: boolean }[] {
  return readdirSync(join(root, prefix)).flatMap((name) => {
    const path = prefix + name;
    if (path === ".yada") return [];
    const stats = lstatSync(join(root, path), { bigint: true });
    const below = stats.isDirectory() ? listed(root, `${path}/`) : [];
    return [{ path, stats, isEmpty: below.length === 0 }, ...below];
  });
}

/** Operations that change nothing: between two of them there is no state of the disk that is not also there before the first. */
const reading = new Set<keyof DiskPort>(["lstat", "readFile", "readlink", "readdir", "openDirectory"]);

/** Called before an operation: `count` is its number, and `changes` the number of changing operations up to it, from 1 on. */
export type Act = (
  step: { readonly count: number; readonly changes: number; readonly isChange: boolean },
  operation: keyof DiskPort,
  args: readonly unknown[],
) => void;

/** A disk on which `act` is called before each operation. What it throws, the operation throws. */
export function watchedDisk(disk: DiskPort, act: Act): DiskPort {
  let count = 0;
  let changes = 0;
  const watched =
    <A extends readonly unknown[], R>(name: keyof DiskPort, run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const isChange = !reading.has(name);
      count += 1;
      if (isChange) changes += 1;
      act({ count, changes, isChange }, name, args);
      return run(...args);
    };
  return {
    lstat: watched("lstat", disk.lstat),
    readFile: watched("readFile", disk.readFile),
    readlink: watched("readlink", disk.readlink),
    readdir: watched("readdir", disk.readdir),
    openDirectory: watched("openDirectory", disk.openDirectory),
    createFile: watched("createFile", disk.createFile),
    symlink: watched("symlink", disk.symlink),
    link: watched("link", disk.link),
    rename: watched("rename", disk.rename),
    unlink: watched("unlink", disk.unlink),
    mkdir: watched("mkdir", disk.mkdir),
    rmdir: watched("rmdir", disk.rmdir),
    chmod: watched("chmod", disk.chmod),
    setTimes: watched("setTimes", disk.setTimes),
    syncDirectory: watched("syncDirectory", disk.syncDirectory),
  };
}

/** An error as the system gives it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by a test`), { code });
}

/** The tree of a folder without git. */
import { lstat, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { decodePath, type Entry, isTreePath, type Objects, type Tree, treeFrom } from "../../../core/workspace/mod.ts";
import { DiskReader } from "./disk-entry.ts";
import { diskPath } from "./disk-path.ts";
import { eachOf } from "./each-of.ts";
import { hashBlob, RepositoryObjects } from "./repository-objects.ts";

/** Folders that package managers and tools fill. Whoever needs one of them in the tree needs git as well. */
const leftOutNames = new Set([
  "node_modules",
  "bower_components",
  "jspm_packages",
  ".pnpm-store",
  ".yarn",
  ".venv",
  "__pycache__",
  ".tox",
  ".nox",
  ".eggs",
  "site-packages",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".cache",
  ".parcel-cache",
  ".turbo",
  ".next",
  ".nuxt",
  ".svelte-kit",
  ".gradle",
  ".bundle",
  ".git",
  ".hg",
  ".svn",
  ".jj",
]);

/** A file that marks its folder as made by a tool: an environment of Python, or a cache (https://bford.info/cachedir/). */
const markers = ["pyvenv.cfg", "CACHEDIR.TAG"];

export async function readFolder(
  root: string,
): Promise<{ tree: Tree; objects: Objects; ignoreCase: boolean; notices: readonly string[] }> {
  const found: string[] = [];
  const leftOut: string[] = [];
  await walk("");

  const disk = new DiskReader(root);
  const entries = new Map<string, Entry>();
  const objects = new RepositoryObjects([
    async (oid) => {
      for (const [path, entry] of entries) {
        if (entry.oid !== oid) continue;
        const now = await disk.entry(path);
        if ("bytes" in now && hashBlob(now.bytes) === oid) return now.bytes;
      }
      return null;
    },
  ]);
  await eachOf(found, 16, async (path) => {
    const entry = await disk.entry(path);
    if (entry.kind === "file") {
      entries.set(path, { mode: entry.isExecutable ? "100755" : "100644", oid: objects.keep(entry.bytes) });
    } else if (entry.kind === "symlink") entries.set(path, { mode: "120000", oid: objects.keep(entry.bytes) });
    else if (entry.kind === "special") leftOut.push(path);
  });

  leftOut.sort();
  return {
    tree: treeFrom(entries),
    objects,
    ignoreCase: await foldsCase(root),
    notices:
      leftOut.length === 0
        ? []
        : [
            `Left out of the tree: ${leftOut.slice(0, 8).join(", ")}${leftOut.length > 8 ? `, and ${leftOut.length - 8} more` : ""}.`,
          ],
  };

  async function walk(prefix: string): Promise<void> {
    const listed = await readdir(diskPath(root, prefix.slice(0, -1)), { withFileTypes: true, encoding: "buffer" });
    const names = listed.map((item) => decodePath(item.name));
    if (prefix !== "" && markers.some((marker) => names.includes(marker))) {
      leftOut.push(prefix);
      return;
    }
    for (const [index, item] of listed.entries()) {
      const path = prefix + (names[index] ?? "");
      if (path === ".yada/runs") continue;
      if (!isTreePath(path) || (item.isDirectory() && leftOutNames.has(names[index] ?? ""))) leftOut.push(path);
      else if (item.isDirectory()) await walk(`${path}/`);
      else found.push(path);
    }
  }
}

/** Whether the directory also answers to its own name in another case. */
async function foldsCase(root: string): Promise<boolean> {
  for (let place = root; dirname(place) !== place; place = dirname(place)) {
    const name = place.slice(dirname(place).length).replace("/", "");
    const swapped = name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase();
    if (swapped === name) continue;
    const [own, other] = await Promise.all([lstat(place), lstat(join(dirname(place), swapped)).catch(() => undefined)]);
    return other !== undefined && other.ino === own.ino && other.dev === own.dev;
  }
  return false;
}

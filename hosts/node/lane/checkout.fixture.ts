/** Small checkouts for the tests of lanes. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Entry, memoryObjects, type Objects, type Tree, treeFrom } from "../../../core/workspace/mod.ts";
import { removeTreeNow } from "./remove-tree.ts";

/** Text of a file; `-> target` for a link; `#!` at the start makes it executable. */
export type Files = Readonly<Record<string, string>>;

const made: string[] = [];

export function temporary(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "yada-lane-")));
  made.push(directory);
  return directory;
}

export function removeTemporary(): void {
  for (const directory of made.splice(0)) removeTreeNow(directory);
}

export function write(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const place = join(root, path);
    mkdirSync(dirname(place), { recursive: true });
    if (text.startsWith("-> ")) symlinkSync(text.slice(3), place);
    else writeFileSync(place, text);
    if (text.startsWith("#!")) chmodSync(place, 0o755);
  }
}

/** A git repository with these files, which nothing tracks yet. */
export function checkout(files: Files): string {
  const root = temporary();
  execFileSync("git", ["init", "-q", root]);
  write(root, files);
  return root;
}

export interface Revisions {
  readonly objects: Objects;
  tree(files: Files): Promise<Tree>;
}

export function revisions(): Revisions {
  const objects = memoryObjects();
  return {
    objects,
    async tree(files) {
      const entries: [string, Entry][] = [];
      for (const [path, text] of Object.entries(files)) {
        const isLink = text.startsWith("-> ");
        const oid = await objects.write(Buffer.from(isLink ? text.slice(3) : text));
        entries.push([path, { mode: isLink ? "120000" : text.startsWith("#!") ? "100755" : "100644", oid }]);
      }
      return treeFrom(entries);
    },
  };
}

/** What stands below a folder, in the form of `Files`; an empty folder is `path/`. */
export function onDisk(root: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const item of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = below === "" ? item.name : `${below}/${item.name}`;
    const place = join(root, path);
    if (item.isSymbolicLink()) found[path] = `-> ${readlinkSync(place)}`;
    else if (item.isFile()) {
      const mode = lstatSync(place).mode & 0o777;
      const text = readFileSync(place, "utf8");
      found[path] = mode === (text.startsWith("#!") ? 0o755 : 0o644) ? text : `${mode.toString(8)} ${text}`;
    } else if (!item.isDirectory()) found[path] = "special";
    else {
      const inner = onDisk(root, path);
      if (Object.keys(inner).length === 0) found[`${path}/`] = "";
      Object.assign(found, inner);
    }
  }
  return found;
}

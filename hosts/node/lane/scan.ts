/** Comparing what stands in a lane with what should. */
import { chmodSync, type Dirent, lstatSync, readdirSync } from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import { decodePath } from "../../../core/workspace/mod.ts";
import type { LaneFiles } from "./lane-files.ts";

export interface Scan {
  /** Known paths that hold something else, or have another mode. */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  /** The outermost paths that should not be there. */
  readonly extra: readonly { readonly path: string; readonly isFolder: boolean }[];
  /** Folders whose mode a command changed. */
  readonly folders: readonly string[];
}

const entriesBetweenBreaths = 2_000;

/**
 * Walks the lane once. A file counts as untouched by its status alone only where its change time lies before `since`
 * (milliseconds): the clock of a file system has ticks of some milliseconds, so a younger file is read.
 */
export async function scanLane(files: LaneFiles, since: number): Promise<Scan> {
  const changed: string[] = [];
  const extra: { path: string; isFolder: boolean }[] = [];
  const folders: string[] = [];
  const seen = new Set<string>();
  const waiting = [""];
  let visited = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const stats = lstatSync(files.place(folder));
    const mode = files.folderMode(folder);
    if (mode !== undefined && stats.mode !== mode) folders.push(folder);
    if (files.isCache(folder)) continue;
    for (const item of entriesOf(files, folder, stats.mode)) {
      const path = folder === "" ? item.name : `${folder}/${item.name}`;
      const isFolder = item.isDirectory();
      if (isFolder && files.folderMode(path) !== undefined) waiting.push(path);
      else if (isFolder || files.content(path) === undefined) extra.push({ path, isFolder });
      else {
        seen.add(path);
        const found = lstatSync(files.place(path));
        if (!files.isUntouched(path, found, since) && !files.isSame(path, found)) changed.push(path);
      }
      visited += 1;
      if (visited % entriesBetweenBreaths === 0) await breathe();
    }
  }
  const missing: string[] = [];
  if (seen.size < files.size) for (const path of files.paths()) if (!seen.has(path)) missing.push(path);
  return { changed, missing, extra, folders };
}

/** All files and links below a folder. */
export function filesBelow(files: LaneFiles, folder: string): string[] {
  const found: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const item of entriesOf(files, next, lstatSync(files.place(next)).mode)) {
      if (item.isDirectory()) waiting.push(`${next}/${item.name}`);
      else found.push(`${next}/${item.name}`);
    }
  }
  return found.sort();
}

function entriesOf(files: LaneFiles, folder: string, mode: number): Dirent[] {
  const place = files.place(folder);
  if ((mode & 0o500) !== 0o500) chmodSync(place, mode | 0o700);
  const entries = readdirSync(place, { withFileTypes: true });
  if (!entries.some((item) => item.name.includes("\ufffd"))) return entries;
  const bytes = readdirSync(place, { withFileTypes: true, encoding: "buffer" });
  return bytes.map((item) => Object.assign(Object.create(item), { name: decodePath(item.name) }));
}

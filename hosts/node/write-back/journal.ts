/**
 * The journal of one write-back, `write-back/journal.json` in the run's directory. It is on the disk before anything of the
 * repository changes, and names all that will. Beside it stand the new contents (`<n>.new`) and the old ones (`<n>.old`).
 *
 * | state | the repository holds | what is left to do |
 * | --- | --- | --- |
 * | `preparing` | the old state | remove what was prepared |
 * | `committing` | the old, the new or a part of both | undo it |
 * | `done` | the new state | remove what was kept |
 */
import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { isTreePath } from "../../../core/workspace/mod.ts";
import { codeOf, type DiskPort } from "./disk-port.ts";
import type { Face } from "./face.ts";

/** A file that the write-back keeps: by name in its own directory or, where that is another file system, in one of the repository. */
export interface Kept {
  readonly directory: string | null;
  readonly name: string;
}

/** What happens at one path. `mode` changes permission bits in place. */
export interface Operation {
  readonly path: string;
  readonly kind: "add" | "delete" | "replace" | "mode";
  readonly before: Face | null;
  readonly after: Face | null;
  readonly staged: Kept | null;
  readonly saved: Kept | null;
}

export interface Journal {
  readonly version: 1;
  readonly run: string;
  readonly root: string;
  readonly state: "preparing" | "committing" | "done";
  /** The process that writes. `started` tells it from a later one with the same number. */
  readonly owner: { readonly pid: number; readonly started: string | null };
  readonly operations: readonly Operation[];
  /** Directories that the additions need, outermost first. */
  readonly made: readonly string[];
  /** Directories that the deletions may leave empty, innermost first. */
  readonly removed: readonly { readonly path: string; readonly mode: number }[];
}

const face = {
  type: "object",
  properties: { type: { enum: ["file", "symlink"] }, sha1: { type: "string" }, mode: { type: "integer" } },
  required: ["type", "sha1", "mode"],
};
const kept = {
  type: "object",
  properties: {
    directory: { anyOf: [{ type: "string" }, { type: "null" }] },
    name: { type: "string", pattern: "^[^/\\0]+$" },
  },
  required: ["directory", "name"],
};
const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] });

const isJournal = new Ajv().compile<Journal>({
  type: "object",
  properties: {
    version: { const: 1 },
    run: { type: "string" },
    root: { type: "string" },
    state: { enum: ["preparing", "committing", "done"] },
    owner: {
      type: "object",
      properties: { pid: { type: "integer" }, started: { anyOf: [{ type: "string" }, { type: "null" }] } },
      required: ["pid", "started"],
    },
    operations: {
      type: "array",
      items: {
        type: "object",
        properties: {
          path: { type: "string" },
          kind: { enum: ["add", "delete", "replace", "mode"] },
          before: orNull(face),
          after: orNull(face),
          staged: orNull(kept),
          saved: orNull(kept),
        },
        required: ["path", "kind", "before", "after", "staged", "saved"],
      },
    },
    made: { type: "array", items: { type: "string" } },
    removed: {
      type: "array",
      items: {
        type: "object",
        properties: { path: { type: "string" }, mode: { type: "integer" } },
        required: ["path", "mode"],
      },
    },
  },
  required: ["version", "run", "root", "state", "owner", "operations", "made", "removed"],
});

/** Where undoing takes the new file of an operation, before it is known whether someone has edited it. */
export function backOf({ staged }: Operation): Kept | null {
  return staged === null ? null : { ...staged, name: staged.name.replace(/new$/, "back") };
}

/** The directory of a run's write-back. */
export function writeBackDirectory(runDirectory: string): string {
  return `${runDirectory}/write-back`;
}

/** The journal, or null where there is none. Throws where there is one that cannot be read. */
export async function readJournal(runDirectory: string): Promise<Journal | null> {
  const file = `${writeBackDirectory(runDirectory)}/journal.json`;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null;
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (!isJournal(value)) throw new Error(`${file} is no journal of a write-back`);
  const paths = [...value.operations.map(({ path }) => path), ...value.made, ...value.removed.map(({ path }) => path)];
  const strange = paths.find((path) => !isTreePath(path));
  if (strange !== undefined) throw new Error(`${file} names ${JSON.stringify(strange)}, which is no path of a tree`);
  return value;
}

/** Replaces the journal in one step, and brings it to the disk. */
export async function writeJournal(disk: DiskPort, runDirectory: string, journal: Journal): Promise<void> {
  const directory = writeBackDirectory(runDirectory);
  const next = `${directory}/journal.next`;
  await disk.unlink(next).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
  await disk.createFile(next, new TextEncoder().encode(`${JSON.stringify(journal, null, 1)}\n`), { mode: 0o600 });
  await disk.rename(next, `${directory}/journal.json`);
  await disk.syncDirectory(directory);
}

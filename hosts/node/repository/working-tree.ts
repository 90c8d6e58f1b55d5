/** The tree of a git working tree as it stands. */
import { lstat } from "node:fs/promises";
import { type Entry, type FileMode, type Objects, type Oid, type Tree, treeFrom } from "../../../core/workspace/mod.ts";
import { attributeSources, attributesOf, type PathAttributes } from "./attributes.ts";
import { BlobReader } from "./blob-reader.ts";
import { type DiskEntry, DiskReader } from "./disk-entry.ts";
import { type DiskForms, repositoryForms } from "./disk-forms.ts";
import { diskPath } from "./disk-path.ts";
import { eachOf } from "./each-of.ts";
import { runGit } from "./git.ts";
import { type GitConfig, readGitConfig } from "./git-config.ts";
import { type IndexEntry, type IndexScan, scanIndex } from "./index-scan.ts";
import { hashBlob, RepositoryObjects } from "./repository-objects.ts";
import { lineEndings, toBlob } from "./text-conversion.ts";

export interface WorkingTree {
  readonly tree: Tree;
  readonly objects: Objects;
  readonly ignoreCase: boolean;
  readonly notices: readonly string[];
  readonly forms: DiskForms;
  close(): Promise<void>;
}

const readsAtOnce = 16;

export async function readWorkingTree(root: string, gitDirectory: string): Promise<WorkingTree> {
  const config = await readGitConfig(root);
  const scan = await scanIndex(root, gitDirectory, config.filters);
  const reader = new BlobReader(root);
  const disk = new DiskReader(root);
  const entries = new Map<string, Entry>();
  const objects = new RepositoryObjects([(oid) => reader.read(oid), (oid) => fromDisk(oid, entries, disk)]);
  const notices = new Notices();

  const indexed = bestStages(scan.entries);
  for (const entry of indexed.values()) entries.set(entry.path, { mode: entry.mode, oid: entry.oid });
  for (const entry of scan.entries) {
    if (entry.isAssumedUnchanged) notices.add("assumed", entry.path);
    if (entry.isSkipped) notices.add("sparse", entry.path);
    if (entry.stage !== 0) notices.add("conflict", entry.path);
  }

  const candidates = await candidatesOf(root, gitDirectory, config, scan, indexed);
  await eachOf(candidates.paths, readsAtOnce, async (candidate) => {
    const path = candidate.replace(/\/$/, "");
    const isGone = scan.changed.get(path) === "deleted" && indexed.get(path)?.stage === 0;
    const found: DiskEntry = isGone ? { kind: "absent" } : await disk.entry(path);
    const entry = await entryOf(path, found);
    if (entry === undefined) entries.delete(path);
    else entries.set(path, entry);
  });

  for (const path of entries.keys()) if (isRunRecord(path, config.ignoreCase)) entries.delete(path);
  return {
    tree: treeFrom(entries),
    objects,
    ignoreCase: config.ignoreCase,
    notices: notices.sentences(),
    forms: repositoryForms(root, config, (path) => candidates.keepsDiskBytes.has(path)),
    close: async () => reader.close(),
  };

  async function entryOf(path: string, found: DiskEntry): Promise<Entry | undefined> {
    const before = indexed.get(path);
    switch (found.kind) {
      case "absent":
        return undefined;
      case "special":
        notices.add("special", path);
        return undefined;
      case "directory": {
        const head = await headOf(root, path);
        if (head !== undefined) return { mode: "160000", oid: head };
        if (before?.mode === "160000") return { mode: before.mode, oid: before.oid };
        if (scan.untracked.includes(`${path}/`)) notices.add("unborn", path);
        return undefined;
      }
      case "symlink":
        return { mode: "120000", oid: objects.keep(found.bytes) };
      case "file":
        return {
          mode: modeOf(found.isExecutable, before, config),
          oid: objects.keep(await blobOf(path, found.bytes, before)),
        };
    }
  }

  async function blobOf(path: string, bytes: Uint8Array, before: IndexEntry | undefined): Promise<Uint8Array> {
    const attributes = candidates.attributes.get(path);
    if (candidates.keepsDiskBytes.has(path)) {
      notices.add("converted", path);
      return bytes;
    }
    const endings = lineEndings(attributes ?? unspecified, config);
    if (endings.clean === "none" || !bytes.includes(0x0d)) return bytes;
    const old = before === undefined || before.stage !== 0 ? null : await reader.read(before.oid);
    return toBlob(bytes, endings, old ?? undefined);
  }
}

const unspecified = { text: "unspecified", crlf: "unspecified", eol: "unspecified" };

interface Candidates {
  /** Paths to read from the disk; a nested repository ends with `/`. */
  readonly paths: ReadonlySet<string>;
  readonly attributes: ReadonlyMap<string, PathAttributes>;
  readonly keepsDiskBytes: ReadonlySet<string>;
}

/** The paths whose content the index does not tell: changed, unmerged, untracked, or converted in a way that cannot be undone. */
async function candidatesOf(
  root: string,
  gitDirectory: string,
  config: GitConfig,
  scan: IndexScan,
  indexed: ReadonlyMap<string, IndexEntry>,
): Promise<Candidates> {
  const paths = new Set([...scan.changed.keys(), ...scan.untracked]);
  for (const entry of indexed.values()) if (entry.stage !== 0) paths.add(entry.path);

  const sources = await attributeSources(root, gitDirectory, config, [...indexed.keys(), ...scan.untracked]);
  const convertsAtAll = sources.trim() !== "" || config.autocrlf !== "false";
  const convertsForGood = /filter|ident|working-tree-encoding/.test(sources);
  const asked = convertsForGood ? new Set([...paths, ...indexed.keys()]) : convertsAtAll ? paths : [];
  const attributes = await attributesOf(
    root,
    [...asked].filter((path) => !path.endsWith("/")),
  );

  const keepsDiskBytes = new Set<string>();
  for (const [path, found] of attributes) {
    if (!isHeldByDiskBytes(found, config) || indexed.get(path)?.isSkipped === true) continue;
    keepsDiskBytes.add(path);
    paths.add(path);
  }
  return { paths, attributes, keepsDiskBytes };
}

function isHeldByDiskBytes(attributes: PathAttributes, config: GitConfig): boolean {
  const encoding = attributes["working-tree-encoding"];
  return (
    attributes.ident === "set" ||
    config.filters.includes(attributes.filter) ||
    (!["unspecified", "set", "unset"].includes(encoding) && !/^utf-?8$/i.test(encoding))
  );
}

/** One entry a path: stage 0 or, in a conflict, ours before the base before theirs, as git takes the mode. */
function bestStages(entries: readonly IndexEntry[]): Map<string, IndexEntry> {
  const rank = [0, 2, 1, 3];
  const best = new Map<string, IndexEntry>();
  for (const entry of entries) {
    const other = best.get(entry.path);
    if (other === undefined || (rank[entry.stage] ?? 0) < (rank[other.stage] ?? 0)) best.set(entry.path, entry);
  }
  return best;
}

/** Source: `ce_mode_from_stat` of git. */
function modeOf(isExecutable: boolean, before: IndexEntry | undefined, config: GitConfig): FileMode {
  if (!config.symlinks && before?.mode === "120000") return "120000";
  if (config.fileMode) return isExecutable ? "100755" : "100644";
  return before?.mode === "100755" ? "100755" : "100644";
}

/** The commit that a nested repository stands at. Its own configuration runs nothing, as everywhere. */
async function headOf(root: string, path: string): Promise<Oid | undefined> {
  const place = diskPath(root, path);
  if (typeof place !== "string") return undefined;
  if ((await lstat(`${place}/.git`).catch(() => undefined)) === undefined) return undefined;
  try {
    return (await runGit(place, ["rev-parse", "--verify", "-q", "HEAD^{commit}"])).toString().trim();
  } catch {
    return undefined;
  }
}

/** The bytes of a blob that git does not have, from a file that has them. */
async function fromDisk(oid: Oid, entries: ReadonlyMap<string, Entry>, disk: DiskReader): Promise<Uint8Array | null> {
  for (const [path, entry] of entries) {
    if (entry.oid !== oid) continue;
    const found = await disk.entry(path);
    if ("bytes" in found && hashBlob(found.bytes) === oid) return found.bytes;
  }
  return null;
}

function isRunRecord(path: string, ignoreCase: boolean): boolean {
  return (ignoreCase ? path.toLowerCase() : path).startsWith(".yada/runs/");
}

const sentences = {
  assumed: "git is told not to look at these files on disk (assume-unchanged), so the tree has what the index has",
  sparse: "outside of the sparse checkout: in the tree, not on the disk",
  conflict: "in an unfinished merge: the tree has what stands on the disk, conflict marks included",
  special: "neither file nor link nor directory (a FIFO, a socket or a device), so left out",
  unborn: "a nested repository without a commit, so left out",
  converted:
    "a filter, ident or working-tree-encoding converts these files, so the tree has their bytes on disk and not git's blobs",
} as const;

/** What the person should know, a sentence for each kind, with the first few paths. */
class Notices {
  readonly #paths = new Map<keyof typeof sentences, Set<string>>();

  add(kind: keyof typeof sentences, path: string): void {
    const paths = this.#paths.get(kind) ?? new Set();
    this.#paths.set(kind, paths.add(path));
  }

  sentences(): string[] {
    return [...this.#paths].map(([kind, all]) => {
      const paths = [...all].sort();
      const more = paths.length > 5 ? `, and ${paths.length - 5} more` : "";
      return `${paths.slice(0, 5).join(", ")}${more}: ${sentences[kind]}.`;
    });
  }
}

/** What git knows of a working tree: the index, what differs from it by stat, and what is untracked. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { decodePath, type FileMode, type Oid, WorkspaceError } from "../../../core/workspace/mod.ts";
import { runGit } from "./git.ts";

export interface IndexEntry {
  readonly path: string;
  readonly mode: FileMode;
  readonly oid: Oid;
  /** 0, or 1 to 3 (base, ours, theirs) in a conflict. */
  readonly stage: number;
  /** In the index with the mark that git is not to look at the disk. */
  readonly isAssumedUnchanged: boolean;
  /** Outside of a sparse checkout: in the index, not on the disk. */
  readonly isSkipped: boolean;
}

export interface IndexScan {
  readonly entries: readonly IndexEntry[];
  /** Paths whose stat data differ from the index, and whether they are gone from the disk. */
  readonly changed: ReadonlyMap<string, "deleted" | "changed">;
  /** Untracked and not ignored. A nested repository ends with `/`. */
  readonly untracked: readonly string[];
}

/** Scans with three processes of git that read the same index; where it changes meanwhile, again. */
export async function scanIndex(root: string, gitDirectory: string, filters: readonly string[]): Promise<IndexScan> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = await fingerprint(gitDirectory);
    const [entries, changed, untracked] = await Promise.all([
      runGit(root, ["ls-files", "-z", "-v", "--stage"], { filters }),
      runGit(root, ["diff-files", "-z", "--raw", "--no-renames", "--ignore-submodules=dirty"], { filters }),
      runGit(root, ["ls-files", "-z", "--others", "--exclude-standard", "--exclude=/.yada/runs/"], { filters }),
    ]);
    if (before === (await fingerprint(gitDirectory))) {
      return { entries: parseEntries(entries), changed: parseChanged(changed), untracked: fields(untracked) };
    }
  }
  throw new WorkspaceError(
    "changed_while_reading",
    join(gitDirectory, "index"),
    "The index of the repository changed each time that it was read. End the git command that is running, then try again.",
  );
}

async function fingerprint(gitDirectory: string): Promise<string> {
  const found = await stat(join(gitDirectory, "index"), { bigint: true }).catch(() => undefined);
  return found === undefined ? "none" : `${found.ino} ${found.mtimeNs} ${found.size}`;
}

function fields(output: Buffer): string[] {
  const all = decodePath(output).split("\0");
  all.pop();
  return all;
}

/** `H 100644 <oid> <stage>\t<path>`; the letter is small where the entry is assumed unchanged, and `S` where it is skipped. */
function parseEntries(output: Buffer): IndexEntry[] {
  return fields(output).map((line) => {
    const tab = line.indexOf("\t");
    const [tag = "", mode, oid, stage] = line.slice(0, tab).split(" ");
    if (oid === undefined || stage === undefined || !isFileMode(mode)) {
      throw new WorkspaceError(
        "unsupported_repository",
        line,
        `git lists an entry of a form that is not known: ${line}`,
      );
    }
    return {
      path: line.slice(tab + 1),
      mode,
      oid,
      stage: Number(stage),
      isAssumedUnchanged: tag !== tag.toUpperCase(),
      isSkipped: tag.toUpperCase() === "S",
    };
  });
}

/** `:100644 100644 <oid> <oid> M`, then the path. */
function parseChanged(output: Buffer): Map<string, "deleted" | "changed"> {
  const changed = new Map<string, "deleted" | "changed">();
  const all = fields(output);
  for (let at = 0; at + 1 < all.length; at += 2) {
    changed.set(all[at + 1] ?? "", all[at]?.endsWith(" D") === true ? "deleted" : "changed");
  }
  return changed;
}

function isFileMode(mode: string | undefined): mode is FileMode {
  return mode === "100644" || mode === "100755" || mode === "120000" || mode === "160000";
}

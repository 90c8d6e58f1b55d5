/** Opening the working tree of a repository, or a folder without one. */
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { createWorkspace, type Workspace, WorkspaceError } from "../../../core/workspace/mod.ts";
import { codeOf } from "./disk-entry.ts";
import { type DiskForms, plainForms } from "./disk-forms.ts";
import { readFolder } from "./folder.ts";
import { GitError, runGit } from "./git.ts";
import { readWorkingTree } from "./working-tree.ts";

/** A workspace whose baseline is a directory of the disk. */
export interface RepositoryWorkspace extends Workspace {
  /** The directory, links resolved. Every path of the tree is below it. */
  readonly root: string;
  /** The git directory of this working tree, or null where the folder is none. */
  readonly gitDirectory: string | null;
  /** How the files on disk and their blobs relate: what writing back needs. */
  readonly forms: DiskForms;
  /** Ends the processes that read for this workspace. It can still be used; they are started anew. */
  close(): Promise<void>;
}

/**
 * Opens the working tree that `dir` lies in, as it stands: with untracked files and with what is not committed, without
 * ignored files. The tree is that of the whole repository. Nothing is written: not the index, not an object, and no hook, monitor or filter
 * of the repository runs. `.yada/runs` is never part of the tree.
 *
 * - The tree's id is that of `git write-tree` after `git add -A`, except for files that a `filter`, `ident` or
 *   `working-tree-encoding` attribute converts: these are held by their bytes on disk, and a notice names them.
 * - A submodule or a nested repository is one entry: the commit that it stands at.
 * - Files of at most 10 MB that git does not hold are read into memory; of others a change on disk is noticed when they are read.
 * - A folder without git is walked; dependency folders and caches are left out, and a notice says so.
 *
 * @throws `WorkspaceError` with code `not_found` where the directory is missing, `unsupported_repository` (bare, SHA-256 ids, owned by someone
 * else, broken), and `changed_while_reading`.
 */
export async function openRepository(dir: string): Promise<RepositoryWorkspace> {
  const directory = await realpath(resolve(dir)).catch((cause: unknown) => {
    throw new WorkspaceError("not_found", dir, `${dir}: there is no such directory.`, { cause });
  });
  const place = await findRepository(directory);
  if ("why" in place) {
    const folder = await readFolder(directory);
    const without = `${place.why}: the folder was read as it is. Ignore rules, unchanged files by reference and writing to a branch are missing; \`git init\` gives them.`;
    const notices = [without, ...folder.notices];
    return Object.assign(createWorkspace({ ...folder, notices }), {
      root: directory,
      gitDirectory: null,
      forms: plainForms,
      close: async () => {},
    });
  }
  const found = await readWorkingTree(place.root, place.gitDirectory);
  return Object.assign(createWorkspace(found), { ...place, forms: found.forms, close: found.close });
}

type Place = { readonly root: string; readonly gitDirectory: string };

async function findRepository(directory: string): Promise<Place | { readonly why: string }> {
  const ask = async (...args: string[]) => (await runGit(directory, ["rev-parse", ...args])).toString().slice(0, -1);
  try {
    const [format, gitDirectory] = await Promise.all([ask("--show-object-format"), ask("--absolute-git-dir")]);
    if (format !== "sha1") {
      throw new WorkspaceError(
        "unsupported_repository",
        directory,
        `${directory}: the repository names its objects by ${format}. Yada reads repositories with SHA-1 ids.`,
      );
    }
    const root = await ask("--show-toplevel");
    if (root !== directory && (await isIgnored(root, directory))) {
      return { why: `${directory} is ignored by the repository at ${root}` };
    }
    return { root, gitDirectory };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    // Without the parenthesis a `.git` file is there and leads nowhere.
    if (/not a git repository \(or any/.test(error.stderr)) return { why: "No git repository" };
    if (codeOf(error.cause) === "ENOENT") return { why: "git is not installed" };
    throw unsupported(directory, error);
  }
}

async function isIgnored(root: string, directory: string): Promise<boolean> {
  try {
    await runGit(root, ["check-ignore", "-q", "--", directory]);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.status !== null) return false;
    throw error;
  }
}

function unsupported(directory: string, error: GitError): WorkspaceError {
  const reason = /must be run in a work tree/.test(error.stderr)
    ? "there is no working tree here (a bare repository or a git directory). Check one out and open that"
    : /dubious ownership/.test(error.stderr)
      ? `the repository belongs to another user, so git does not trust it. If you do: git config --global --add safe.directory ${directory}`
      : `git cannot read the repository: ${error.stderr.trim()}`;
  return new WorkspaceError("unsupported_repository", directory, `${directory}: ${reason}.`, { cause: error });
}

/** A commit of a git directory as a workspace, through isomorphic-git. This module is browser compatible. */
import { missingObject, objectsOver } from "./memory-objects.ts";
import { emptyTree, treeFrom } from "./tree.ts";
import { decodeTree } from "./tree-codec.ts";
import type { Entry, Oid, Workspace } from "./types.ts";
import { createWorkspace } from "./virtual-workspace.ts";
import { WorkspaceError } from "./workspace-error.ts";

type FsMethod = (...args: never[]) => unknown;
type FsMethods = Readonly<
  Record<
    "readFile" | "writeFile" | "unlink" | "readdir" | "mkdir" | "rmdir" | "stat" | "lstat" | "readlink" | "symlink",
    FsMethod
  >
>;

/** A file system of Node's form, with promises or with callbacks: `node:fs`, memfs, LightningFS, ZenFS. */
export type FsLike = { readonly promises: FsMethods } | FsMethods;

/** Opens the tree of a commit. See `openWorkspace`. */
export async function openGit(source: {
  readonly fs: FsLike;
  readonly gitdir: string;
  readonly ref?: string;
}): Promise<Workspace> {
  const { default: git } = await import("isomorphic-git");
  const repo = { fs: source.fs, gitdir: source.gitdir, cache: {} };
  const config = async (path: string): Promise<unknown> => git.getConfig({ ...repo, path });

  const format = await config("extensions.objectformat");
  if (typeof format === "string" && format !== "sha1") {
    throw new WorkspaceError(
      "unsupported_repository",
      source.gitdir,
      `${source.gitdir}: the repository names its objects by ${format}. Yada reads repositories with SHA-1 ids.`,
    );
  }

  const body = async (oid: Oid): Promise<Uint8Array> => {
    let found: Awaited<ReturnType<typeof git.readObject>>;
    try {
      found = await git.readObject({ ...repo, oid, format: "content" });
    } catch (cause) {
      throw missingObject(oid, cause);
    }
    if (found.object instanceof Uint8Array) return found.object;
    throw new WorkspaceError("unsupported_repository", oid, `The object ${oid} could not be read as bytes.`);
  };

  const commit = await resolve(source.ref ?? "HEAD");
  const tree = commit === null ? emptyTree : treeFrom(await entriesOf(await treeOf(commit), ""));
  const isIgnoringCase = (await config("core.ignorecase")) === true;
  return createWorkspace({
    tree,
    objects: objectsOver({ read: async (oid) => new Uint8Array(await body(oid)) }),
    ignoreCase: isIgnoringCase,
    notices: commit === null ? ["The repository has no commit yet: the tree is empty."] : [],
  });

  async function resolve(ref: string): Promise<Oid | null> {
    try {
      return await git.resolveRef({ ...repo, ref });
    } catch (cause) {
      if (ref === "HEAD" && (await git.currentBranch({ ...repo }).catch(() => undefined)) !== undefined) return null;
      if (/^[0-9a-f]{4,40}$/.test(ref)) return git.expandOid({ ...repo, oid: ref }).catch(() => unknownRef(ref, cause));
      return unknownRef(ref, cause);
    }
  }

  function unknownRef(ref: string, cause: unknown): never {
    throw new WorkspaceError("not_found", ref, `${ref}: no such commit in ${source.gitdir}.`, { cause });
  }

  /** The tree of a commit, a tag or a tree. */
  async function treeOf(oid: Oid): Promise<Oid> {
    try {
      return (await git.readTree({ ...repo, oid })).oid;
    } catch (cause) {
      throw missingObject(oid, cause);
    }
  }

  async function entriesOf(oid: Oid, prefix: string): Promise<[string, Entry][]> {
    const entries: [string, Entry][] = [];
    for (const line of decodeTree(await body(oid))) {
      const path = prefix + line.name;
      if (line.mode === "40000") entries.push(...(await entriesOf(line.oid, `${path}/`)));
      else entries.push([path, { mode: line.mode, oid: line.oid }]);
    }
    return entries;
  }
}

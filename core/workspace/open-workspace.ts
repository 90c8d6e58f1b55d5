/** Opening a workspace without a host. This module is browser compatible. */
import { type FsLike, openGit } from "./git-source.ts";
import { memoryObjects } from "./memory-objects.ts";
import { treeFrom } from "./tree.ts";
import type { Entry, Workspace } from "./types.ts";
import { createWorkspace } from "./virtual-workspace.ts";

/** Where a workspace comes from: files by path, or a commit of a git directory on any file system of Node's form. */
export type WorkspaceSource =
  | { readonly files: Readonly<Record<string, string | Uint8Array>> }
  | { readonly fs: FsLike; readonly gitdir: string; readonly ref?: string };

/**
 * Opens a workspace over plain files or over a git directory (`ref` is `HEAD` where it is not given). Nothing is written to
 * the source; of a git directory all trees are read, and a blob when it is asked for.
 *
 * @throws `WorkspaceError` with code `unsupported_target` or `path_conflict` for files that no tree can hold, `not_found` for
 * an unknown ref, and `unsupported_repository` for a repository with SHA-256 ids or without one of its objects.
 *
 * @example
 * ```ts
 * import { openWorkspace } from "yada-runtime";
 * const workspace = await openWorkspace({ files: { "a.txt": "hello\n" } });
 * await workspace.oid(); // "2e81171448eb9f2ee3821e3d447aa6b2fe3ddba1"
 * ```
 */
export async function openWorkspace(source: WorkspaceSource): Promise<Workspace> {
  if (!("files" in source)) return openGit(source);
  const objects = memoryObjects();
  const encoder = new TextEncoder();
  const entries: [string, Entry][] = [];
  for (const [path, content] of Object.entries(source.files)) {
    const oid = await objects.write(typeof content === "string" ? encoder.encode(content) : content);
    entries.push([path, { mode: "100644", oid }]);
  }
  return createWorkspace({ tree: treeFrom(entries), objects });
}

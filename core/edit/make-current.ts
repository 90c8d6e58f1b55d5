/** Making an edit current in a workspace, in one step. This module is browser compatible. */
import { snapshotOf, type Workspace } from "../workspace/mod.ts";
import { proposeApplyPatch } from "./apply-patch.ts";
import { proposeReplaceText } from "./replace-text.ts";
import type {
  ApplyPatchInput,
  EditedFile,
  EditFailure,
  EditProposal,
  EditResult,
  EditSource,
  ReplaceTextInput,
  TouchedFile,
} from "./types.ts";

/**
 * Replaces exact texts in existing files of the workspace, all or nothing. The rules are those of `proposeReplaceText`.
 *
 * @example
 * ```ts
 * import { openWorkspace, replaceText } from "yada-runtime";
 * const workspace = await openWorkspace({ files: { "a.txt": "one\ntwo\n" } });
 * const { sha256 } = await workspace.readText("a.txt");
 * const result = await replaceText(workspace, { files: [{ path: "a.txt", sha256, edits: [{ old: "two", new: "2" }] }] });
 * result.ok && (await workspace.readText("a.txt")).text; // "one\n2\n"
 * ```
 */
export function replaceText(workspace: Workspace, input: ReplaceTextInput): Promise<EditResult> {
  return inOrder(workspace, (source) => proposeReplaceText(source, input));
}

/**
 * Applies a patch to the workspace, all or nothing. The rules are those of `proposeApplyPatch`.
 *
 * @example
 * ```ts
 * import { applyPatch, openWorkspace } from "yada-runtime";
 * const workspace = await openWorkspace({ files: {} });
 * const patch = "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+hello\n";
 * const result = await applyPatch(workspace, { patch, expected_files: { "a.txt": null } });
 * result.ok && (await workspace.readText("a.txt")).text; // "hello\n"
 * ```
 */
export function applyPatch(workspace: Workspace, input: ApplyPatchInput): Promise<EditResult> {
  return inOrder(workspace, (source) => proposeApplyPatch(source, input));
}

/** For each workspace the end of its last edit. It holds a workspace no longer than others do. */
const lastEdits = new WeakMap<Workspace, Promise<unknown>>();

/** Edits of one workspace that are in flight at once are made in the order of their calls. */
function inOrder(
  workspace: Workspace,
  propose: (source: EditSource) => Promise<EditProposal | EditFailure>,
): Promise<EditResult> {
  const before = lastEdits.get(workspace) ?? Promise.resolve();
  const edit = before.then(() => edited(workspace, propose));
  lastEdits.set(
    workspace,
    edit.catch(() => undefined),
  );
  return edit;
}

async function edited(
  workspace: Workspace,
  propose: (source: EditSource) => Promise<EditProposal | EditFailure>,
): Promise<EditResult> {
  for (;;) {
    const { tree, objects, ignoreCase } = workspace;
    const result = await propose({ tree, objects, ignoreCase });
    // Somebody restored another tree meanwhile: what was proposed belongs to a tree that is gone.
    if (workspace.tree !== tree) continue;
    if (!result.ok) return result;
    workspace.restore(snapshotOf(result.tree));
    return { ok: true, oid: result.tree.oid, touched: result.files.map(touchedFile), patch: result.patch };
  }
}

function touchedFile({ path, kind, sha256 }: EditedFile): TouchedFile {
  return { path, kind, ...(sha256 === undefined ? {} : { sha256 }) };
}

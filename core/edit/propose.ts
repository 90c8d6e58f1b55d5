/** From edited files to a proposal: blobs into the store, the new tree, the canonical patch. This module is browser compatible. */
import { sha256Hex } from "../hash/mod.ts";
import { comparePaths, type Entry, type FileMode } from "../workspace/mod.ts";
import { type FileDiff, formatPatch } from "./canonical-patch.ts";
import type { LineEdit } from "./line-diff.ts";
import { storageFailure, type TargetFile } from "./targets.ts";
import type { EditCode, EditedFile, EditFailure, EditProposal, EditSource, LineRange } from "./types.ts";

/** One file as an edit leaves it. */
export interface FileDraft {
  readonly path: string;
  /** What stood at the path, or at `origin`; null for a new file. */
  readonly before: TargetFile | null;
  readonly origin?: { readonly kind: "rename" | "copy"; readonly path: string };
  readonly after: { readonly bytes: Uint8Array; readonly mode: FileMode } | null;
  readonly oldLines: readonly string[];
  /** In order, none touching another. */
  readonly edits: readonly LineEdit[];
}

/** Writes the new blobs and returns the proposal. Fails only where the store does (`apply_failed`). */
export async function proposal(
  source: EditSource,
  drafts: readonly FileDraft[],
): Promise<EditProposal | EditFailure<EditCode>> {
  const changes = new Map<string, Entry | null>();
  const files: EditedFile[] = [];
  const diffs: FileDiff[] = [];
  for (const draft of drafts) {
    const { path, before, origin, after } = draft;
    let entry: Entry | null = null;
    if (after !== null) {
      try {
        entry = { mode: after.mode, oid: await source.objects.write(after.bytes) };
      } catch (cause) {
        return storageFailure(path, cause);
      }
    }
    changes.set(path, entry);
    if (origin?.kind === "rename") {
      changes.set(origin.path, null);
      files.push({ path: origin.path, kind: "delete", before: before?.entry ?? null, after: null, ranges: [] });
    }
    const isNew = before === null || origin !== undefined;
    files.push({
      path,
      kind: entry === null ? "delete" : isNew ? "add" : "modify",
      before: isNew ? null : before.entry,
      after: entry,
      ...(after === null ? {} : { sha256: sha256Hex(after.bytes) }),
      ...(origin === undefined ? {} : { from: origin.path }),
      ranges: after === null ? [] : isNew ? wholeFile(draft) : changedRanges(draft.edits),
    });
    diffs.push({
      path,
      ...(origin === undefined ? {} : { origin }),
      before: before === null ? null : { bytes: before.bytes, mode: before.entry.mode },
      after,
      oldLines: draft.oldLines,
      edits: draft.edits,
    });
  }
  return {
    ok: true,
    tree: source.tree.with(changes),
    files: files.sort((a, b) => comparePaths(a.path, b.path)),
    patch: formatPatch(diffs),
  };
}

function changedRanges(edits: readonly LineEdit[]): LineRange[] {
  let delta = 0;
  return edits.map(({ at, del, ins }) => {
    const from = at + delta + 1;
    delta += ins.length - del;
    return { from, to: from + ins.length - 1 };
  });
}

function wholeFile({ oldLines, edits }: FileDraft): LineRange[] {
  let lines = oldLines.length;
  for (const { del, ins } of edits) lines += ins.length - del;
  return lines === 0 ? [] : [{ from: 1, to: lines }];
}

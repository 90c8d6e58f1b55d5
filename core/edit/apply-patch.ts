/** The tool `apply_patch`: a patch, applied exactly or refused. This module is browser compatible. */
import type { FileMode } from "../workspace/mod.ts";
import { encodeBytes } from "./byte-text.ts";
import { failure, quoted } from "./failure.ts";
import type { LineEdit } from "./line-diff.ts";
import { splitLines } from "./lines.ts";
import { parsePatch, touchesOf } from "./parse-patch.ts";
import type { FilePatch } from "./patch.ts";
import { misplacedHunk } from "./patch-failure.ts";
import { placeHunks } from "./place-hunks.ts";
import { type FileDraft, proposal } from "./propose.ts";
import { readApplyPatch } from "./read-input.ts";
import { readTarget, refusedTarget, type TargetFile, type Touch, unsupportedPath } from "./targets.ts";
import type { AllowPath, ApplyPatchInput, EditCode, EditFailure, EditProposal, EditSource } from "./types.ts";

/**
 * What `apply_patch` would do, without doing it.
 *
 * - A unified diff in git's form, or with bare `---` and `+++` headers, or the `*** Begin Patch` envelope; one file or many.
 * - Counts in a hunk's header are a hint: right where they end at a boundary, otherwise the body is counted. An omitted count is 1.
 *   `@@` without numbers is a hunk that is found by its text alone.
 * - A hunk lands where its old lines equal the file's, after the hunk before it; of several such places only at the one that the
 *   header names, and only where its starts agree with what came before. Never fuzzy, and nothing else is an anchor.
 * - `expected_files` names exactly the paths that the patch touches, each with the sha256 that the agent last read, or null
 *   where no file may be. A rename touches both paths; a copy as well, for its content comes from one of them.
 * - Each path is touched by one part of the patch. All parts are read against the tree as it was, so their order does not matter.
 *
 * @returns the proposal, or a refusal with code `invalid_patch`, `unsupported_target`, `stale_hash`, `ambiguous_match`,
 * `patch_context_mismatch` or `apply_failed`, or the refusal of `allow`. All or nothing: the source is never changed.
 */
export async function proposeApplyPatch(
  source: EditSource,
  input: ApplyPatchInput,
  allow?: AllowPath,
): Promise<EditProposal | EditFailure> {
  const parsedInput = readApplyPatch(input);
  if (!parsedInput.ok) return parsedInput;
  const { patch, expected_files: expected } = parsedInput.input;
  const parsed = parsePatch(patch, new Set(Object.keys(expected)));
  if (!parsed.ok) return parsed;
  const touches = parsed.files.flatMap(touchesOf);
  const refused = refusedPaths(touches, expected) ?? refusedTarget(source, touches, allow);
  if (refused !== null) return refused;
  const drafts: FileDraft[] = [];
  for (const file of parsed.files) {
    const draft = await draftOf(source, file, expected);
    if ("code" in draft) return draft;
    drafts.push(draft);
  }
  return proposal(source, drafts);
}

type Expected = ApplyPatchInput["expected_files"];

function refusedPaths(touches: readonly Touch[], expected: Expected): EditFailure<EditCode> | null {
  const changed = new Set<string>();
  for (const { path, kind } of touches) {
    const refused = unsupportedPath(path);
    if (refused !== null) return refused;
    if (kind === "read") continue;
    if (changed.has(path)) {
      return failure(
        "invalid_patch",
        `${quoted(path)}: two parts of the patch touch this path.`,
        { path },
        "Put all hunks of a file into one part. Nothing was changed.",
      );
    }
    changed.add(path);
  }
  const touched = new Set(touches.map(({ path }) => path));
  const missing = [...touched].filter((path) => expected[path] === undefined);
  const extra = Object.keys(expected).filter((path) => !touched.has(path));
  if (missing.length + extra.length === 0) return null;
  return failure(
    "invalid_patch",
    `expected_files does not name exactly the files that the patch touches${missing.length > 0 ? `; missing: ${missing.map((path) => quoted(path)).join(", ")}` : ""}${extra.length > 0 ? `; not touched: ${extra.map((path) => quoted(path)).join(", ")}` : ""}.`,
    { field: "expected_files", missing, extra },
    "Name every touched path with the sha256 you last read, or null for a file that is to be created (both paths of a rename or copy). Nothing was changed.",
  );
}

async function draftOf(
  source: EditSource,
  file: FilePatch,
  expected: Expected,
): Promise<FileDraft | EditFailure<EditCode>> {
  const { path, kind, origin } = file;
  if (kind === "add" && expected[path] !== null) {
    return failure(
      "stale_hash",
      `${quoted(path)}: expected_files has a hash for this path, but no file is there.`,
      { path, expected_sha256: expected[path], sha256: null },
      "Use null for a file that the patch creates. Nothing was changed.",
    );
  }
  if (kind === "add" && origin === undefined) {
    return changed(path, null, [], file.newMode ?? "100644", file);
  }
  const from = origin?.path ?? path;
  const target = await readTarget(source, from, expected[from] ?? null);
  if (!target.ok) return target;
  const { entry, sha256 } = target.file;
  if (file.oldMode !== undefined && file.oldMode !== entry.mode) {
    return failure(
      "patch_context_mismatch",
      `${quoted(from)}: the patch says the mode is ${file.oldMode}, and it is ${entry.mode}.`,
      { path: from, expected: file.oldMode, found: entry.mode, patch_line: file.at, sha256 },
      "Write the file's mode after `old mode`. Nothing was changed.",
    );
  }
  return changed(path, target.file, splitLines(target.file.text), file.newMode ?? entry.mode, file);
}

function changed(
  path: string,
  before: TargetFile | null,
  oldLines: readonly string[],
  mode: FileMode,
  file: FilePatch,
): FileDraft | EditFailure<EditCode> {
  const sha256 = before?.sha256 ?? null;
  const draft = { path, before, oldLines, ...(file.origin === undefined ? {} : { origin: file.origin }) };
  if (file.isWholeFile) {
    const edits = oldLines.length === 0 ? [] : [{ at: 0, del: oldLines.length, ins: [] }];
    return { ...draft, after: null, edits };
  }
  const placed = placeHunks(oldLines, file.hunks);
  if (!placed.ok) {
    return misplacedHunk(before?.path ?? path, sha256 ?? "", oldLines, file.hunks.length, placed.misplaced);
  }
  const { edits } = placed;
  if (file.kind === "delete") {
    const kept = oldLines.length - edits.reduce((sum, { del }) => sum + del, 0);
    if (kept === 0) return { ...draft, after: null, edits };
    return failure(
      "patch_context_mismatch",
      `${quoted(path)}: the patch deletes the file, but ${kept} of its ${oldLines.length} lines are not in the patch.`,
      { path, line_count: oldLines.length, missing_lines: kept, sha256 },
      "Delete every line, or use `*** Delete File: `, which needs none. Nothing was changed.",
    );
  }
  if (edits.length === 0 && file.kind === "modify" && mode === before?.entry.mode) {
    return failure(
      "invalid_patch",
      `${quoted(path)}: the patch changes nothing in this file.`,
      { path, patch_line: file.at, sha256 },
      "Leave the file out, or send the change that was meant. Nothing was changed.",
    );
  }
  return { ...draft, after: { bytes: editedBytes(oldLines, edits), mode }, edits };
}

function editedBytes(oldLines: readonly string[], edits: readonly LineEdit[]): Uint8Array {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of edits) {
    for (; at < edit.at; at += 1) pieces.push(oldLines[at] ?? "");
    for (const line of edit.ins) pieces.push(line);
    at = edit.at + edit.del;
  }
  for (; at < oldLines.length; at += 1) pieces.push(oldLines[at] ?? "");
  return encodeBytes(pieces.join(""));
}

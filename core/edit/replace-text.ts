/** The tool `replace_text`: exact replacements in existing files. This module is browser compatible. */
import { encodeBytes } from "./byte-text.ts";
import { clip, failure, quoted } from "./failure.ts";
import { smallestEdits } from "./line-diff.ts";
import { lineAt, lineStarts, splitLines, withoutFeed } from "./lines.ts";
import { explainMiss, type Miss } from "./near-miss.ts";
import { occurrences } from "./occurrences.ts";
import { type FileDraft, proposal } from "./propose.ts";
import { readReplaceText } from "./read-input.ts";
import { lineEdits, type Splice, spliced } from "./splice.ts";
import { readTarget, refusedTarget, type TargetFile } from "./targets.ts";
import type { AllowPath, EditCode, EditFailure, EditProposal, EditSource, ReplaceTextInput } from "./types.ts";

type Edit = ReplaceTextInput["files"][number]["edits"][number];

/** How many places a message lists. */
const maxPlaces = 5;

/**
 * What `replace_text` would do, without doing it. Each file is bound to the sha256 that the agent last read; each `old` is sought
 * in the original bytes, must stand there exactly once or exactly `count` times (overlapping places counted), and is replaced by
 * offset. Edits of one file must not overlap. All bytes outside of them stay, whatever their encoding and line endings.
 *
 * @returns the proposal, or a refusal with code `invalid_edit`, `unsupported_target`, `stale_hash`, `no_match`, `ambiguous_match` or
 * `apply_failed`, or the refusal of `allow`. All or nothing: the source is never changed.
 */
export async function proposeReplaceText(
  source: EditSource,
  input: ReplaceTextInput,
  allow?: AllowPath,
): Promise<EditProposal | EditFailure> {
  const parsed = readReplaceText(input);
  if (!parsed.ok) return parsed;
  const { files } = parsed.input;
  const touches = files.map(({ path }) => ({ path, kind: "modify" as const }));
  const refused = refusedTarget(source, touches, allow);
  if (refused !== null) return refused;
  const drafts: FileDraft[] = [];
  for (const [index, { path, sha256, edits }] of files.entries()) {
    const target = await readTarget(source, path, sha256);
    if (!target.ok) return target;
    const draft = editedFile(target.file, edits, `files[${index}]`);
    if ("code" in draft) return draft;
    drafts.push(draft);
  }
  return proposal(source, drafts);
}

function editedFile(file: TargetFile, edits: readonly Edit[], field: string): FileDraft | EditFailure<EditCode> {
  const starts = lineStarts(file.text);
  const placed: (Splice & { readonly edit: number })[] = [];
  for (const [index, edit] of edits.entries()) {
    const places = occurrences(file.text, edit.old);
    if (places.length !== (edit.count ?? 1)) {
      const where = { path: file.path, edit: `${field}.edits[${index}]` };
      return places.length === 0 ? noMatch(file, edit, where) : wrongCount(file, edit, where, places, starts);
    }
    for (const from of places) placed.push({ from, to: from + edit.old.length, text: edit.new, edit: index });
  }
  placed.sort((a, b) => a.from - b.from);
  for (const [index, splice] of placed.entries()) {
    const next = placed[index + 1];
    if (next === undefined || splice.to <= next.from) continue;
    return failure(
      "invalid_edit",
      splice.edit === next.edit
        ? `${quoted(file.path)}: the places of ${field}.edits[${splice.edit}] overlap each other, so they cannot all be replaced.`
        : `${quoted(file.path)}: ${field}.edits[${splice.edit}] and ${field}.edits[${next.edit}] overlap.`,
      {
        path: file.path,
        edits: [splice, next].map(({ edit, from }) => ({
          edit: `${field}.edits[${edit}]`,
          line: lineAt(starts, from) + 1,
        })),
      },
      "Join edits that touch the same text into one edit with a longer old. Nothing was changed.",
    );
  }
  const text = spliced(file.text, placed);
  if (text === file.text) {
    return failure(
      "invalid_edit",
      `${quoted(file.path)}: the edits together change nothing.`,
      { path: file.path, sha256: file.sha256 },
      "Leave the file out, or send the edits that were meant. Nothing was changed.",
    );
  }
  const oldLines = splitLines(file.text);
  return {
    path: file.path,
    before: file,
    after: { bytes: encodeBytes(text), mode: file.entry.mode },
    oldLines,
    edits: smallestEdits(oldLines, lineEdits(file.text, starts, placed)),
  };
}

type Where = { readonly path: string; readonly edit: string };

function noMatch(file: TargetFile, edit: Edit, where: Where): EditFailure<EditCode> {
  const miss = explainMiss(file.text, edit.old, edit.new);
  const [reason, next] = adviceFor(miss);
  return failure(
    "no_match",
    `${quoted(file.path)}: old does not occur in the file${reason}.`,
    { ...where, ...miss, sha256: file.sha256, old: clip(edit.old, 120) },
    `${next} Nothing was changed.`,
  );
}

function adviceFor({ cause, line }: Miss): readonly [reason: string, next: string] {
  switch (cause) {
    case "line_endings":
      return [
        `; line endings alone make it miss at line ${line} (one has CRLF where the other has LF)`,
        "Send old and new with the file's own line endings.",
      ];
    case "white_space":
      return [
        `; white space or typographic quotes and dashes alone make it miss at line ${line}`,
        "Copy the text from read_file exactly, with its indentation.",
      ];
    case "escapes":
      return [
        `; it is escaped once too often: without its backslashes it stands at line ${line}`,
        "Send the text as it stands in the file, not as a string literal of it.",
      ];
    case "line_numbers":
      return [`; without its line numbers it stands at line ${line}`, "Send the text without the line numbers."];
    case "already_applied":
      return [
        `, but new does, at line ${line}`,
        "This edit may already be made: read the file before you edit it again.",
      ];
    default:
      return line === undefined
        ? ["", "Read the file again and copy old from what it says now."]
        : [`; the nearest place is line ${line}`, `Read the file around line ${line} and copy old from there.`];
  }
}

function wrongCount(
  file: TargetFile,
  edit: Edit,
  where: Where,
  places: readonly number[],
  starts: readonly number[],
): EditFailure<EditCode> {
  const expected = edit.count ?? 1;
  return failure(
    "ambiguous_match",
    `${quoted(file.path)}: old occurs ${places.length === 1 ? "once" : `${places.length} times`}, expected ${expected === 1 ? "once" : `${expected} times`}.`,
    {
      ...where,
      found: places.length,
      expected,
      places: places.slice(0, maxPlaces).map((offset) => {
        const line = lineAt(starts, offset);
        return { line: line + 1, text: around(file.text, starts, line) };
      }),
      sha256: file.sha256,
    },
    places.length > expected
      ? "Make old longer, with text around it that only the place you mean has, or give count to replace all of them. Nothing was changed."
      : "Give the count that is there, or look for the missing places: their text may differ. Nothing was changed.",
  );
}

/** The line, with the line before and after it. */
function around(text: string, starts: readonly number[], line: number): string[] {
  const lines: string[] = [];
  for (let at = Math.max(0, line - 1); at <= line + 1; at += 1) {
    const start = starts[at];
    const end = starts[at + 1];
    if (start !== undefined && end !== undefined) lines.push(clip(withoutFeed(text.slice(start, end)), 100));
  }
  return lines;
}

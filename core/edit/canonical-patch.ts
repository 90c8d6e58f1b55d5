/** Patches as we write them: one form for one difference, which plain `git apply` accepts. This module is browser compatible. */
import { blobOid } from "../hash/mod.ts";
import { comparePaths, type FileMode } from "../workspace/mod.ts";
import { binaryPatchBody } from "./binary-patch.ts";
import { decodeBytes, isBinary, isWellFormed } from "./byte-text.ts";
import { quoteName } from "./git-names.ts";
import { diffLines, type LineEdit } from "./line-diff.ts";
import { splitLines, withoutFeed } from "./lines.ts";

const contextLines = 3;
const noOid = "0".repeat(40);

/** A file on one side of a difference. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly mode: FileMode;
}

/** One path and what stands there before and after; null where nothing does. */
export interface FileChange {
  readonly path: string;
  readonly before: FileContent | null;
  readonly after: FileContent | null;
}

/** A change whose line edits are known, and where a renamed or copied file came from. `before` is then that file. */
export interface FileDiff extends FileChange {
  readonly origin?: { readonly kind: "rename" | "copy"; readonly path: string };
  readonly oldLines: readonly string[];
  readonly edits: readonly LineEdit[];
}

/**
 * The patch of these changes in git's form: `diff --git` headers, modes where they matter, three lines of context, true lines and
 * counts, files in git's order. Plain `git apply` of it on the same base gives the same bytes and modes. Nothing for a file that does not change.
 *
 * Where the changed lines or all lines beside them are not UTF-8, and for binary files, the file's part is a `GIT binary patch` of its
 * whole new content: a string can hold no other exact form. A submodule has no content and is left out.
 *
 * @example
 * ```ts
 * import { canonicalPatch } from "yada-runtime";
 * const content = (text: string) => ({ bytes: new TextEncoder().encode(text), mode: "100644" as const });
 * const patch = canonicalPatch([{ path: "a.txt", before: content("a\n"), after: content("b\n") }]);
 * patch; // "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n"
 * ```
 */
export function canonicalPatch(changes: readonly FileChange[]): string {
  const diffs: FileDiff[] = [];
  for (const { path, before, after } of changes) {
    if (before?.mode === "160000" || after?.mode === "160000") continue;
    // Git tells a change of type as a deletion and a creation.
    const isOneType = before === null || after === null || (before.mode === "120000") === (after.mode === "120000");
    if (isOneType) diffs.push(diffOf({ path, before, after }));
    else diffs.push(diffOf({ path, before, after: null }), diffOf({ path, before: null, after }));
  }
  return formatPatch(diffs);
}

function diffOf(change: FileChange): FileDiff {
  const { before, after } = change;
  if ((before && isBinary(before.bytes)) || (after && isBinary(after.bytes))) {
    return { ...change, oldLines: [], edits: [] };
  }
  const oldLines = before ? splitLines(decodeBytes(before.bytes)) : [];
  const newLines = after ? splitLines(decodeBytes(after.bytes)) : [];
  return { ...change, oldLines, edits: diffLines(oldLines, newLines) };
}

/** The patch of files whose edits are known. */
export function formatPatch(diffs: readonly FileDiff[]): string {
  // Sorting is stable: the deletion of a file that changes its type stays before its creation.
  return [...diffs]
    .sort((a, b) => comparePaths(a.path, b.path))
    .map(formatFile)
    .join("");
}

function formatFile({ path, origin, before, after, oldLines, edits }: FileDiff): string {
  const isSame = before !== null && after !== null && isEqual(before.bytes, after.bytes);
  const isModeChange = before !== null && after !== null && before.mode !== after.mode;
  if (isSame && !isModeChange && origin === undefined) return "";
  const oldName = quoteName(`a/${origin?.path ?? path}`);
  const newName = quoteName(`b/${path}`);
  let text = `diff --git ${oldName} ${newName}\n`;
  if (before === null) text += `new file mode ${after?.mode}\n`;
  else if (after === null) text += `deleted file mode ${before.mode}\n`;
  else if (isModeChange) text += `old mode ${before.mode}\nnew mode ${after.mode}\n`;
  if (origin !== undefined) {
    text += `${origin.kind} from ${quoteName(origin.path)}\n${origin.kind} to ${quoteName(path)}\n`;
  }
  const isEmpty = (before?.bytes.length ?? 0) === 0 && (after?.bytes.length ?? 0) === 0;
  if (isSame || isEmpty) return text;
  const isText = !(before && isBinary(before.bytes)) && !(after && isBinary(after.bytes));
  const hunks = isText ? formatHunks(oldLines, edits) : null;
  if (hunks === null) {
    const mode = before !== null && after !== null && !isModeChange ? ` ${after.mode}` : "";
    const oids = `${before ? blobOid(before.bytes) : noOid}..${after ? blobOid(after.bytes) : noOid}`;
    return `${text}index ${oids}${mode}\n${binaryPatchBody(after?.bytes ?? new Uint8Array())}`;
  }
  const minus = before === null ? "/dev/null" : ended(oldName);
  const plus = after === null ? "/dev/null" : ended(newName);
  return `${text}--- ${minus}\n+++ ${plus}\n${hunks}`;
}

/** Git ends a name that holds a space with a tab, so that nobody takes what follows the space for a time. */
function ended(name: string): string {
  return !name.startsWith('"') && name.includes(" ") ? `${name}\t` : name;
}

interface Group {
  readonly edits: LineEdit[];
  /** First line of the leading context, and the end (exclusive) of the trailing. */
  from: number;
  to: number;
}

/** The hunks, or null where lines that are not UTF-8 would have to be written. */
function formatHunks(oldLines: readonly string[], edits: readonly LineEdit[]): string | null {
  const isWritable = (at: number) => isWellFormed(oldLines[at] ?? "");
  const groups: Group[] = [];
  for (const [index, edit] of edits.entries()) {
    for (let at = edit.at; at < edit.at + edit.del; at += 1) if (!isWritable(at)) return null;
    if (!edit.ins.every(isWellFormed)) return null;
    const previous = groups.at(-1);
    const nextAt = edits[index + 1]?.at ?? oldLines.length;
    let from = edit.at;
    while (from > (previous?.to ?? 0) && edit.at - from < contextLines && isWritable(from - 1)) from -= 1;
    let to = edit.at + edit.del;
    const end = to;
    while (to < nextAt && to - end < contextLines && isWritable(to)) to += 1;
    if (previous !== undefined && previous.to === from) {
      previous.edits.push(edit);
      previous.to = to;
    } else groups.push({ edits: [edit], from, to });
  }
  let delta = 0;
  const parts: string[] = [];
  for (const { edits: own, from, to } of groups) {
    const last = own.at(-1);
    const end = last === undefined ? to : last.at + last.del;
    // Without a line after the change, `git apply` takes the hunk for the end of the file; without any old line, for an empty file.
    if ((to === end && to < oldLines.length) || (from === to && oldLines.length > 0)) return null;
    let added = 0;
    let removed = 0;
    for (const edit of own) {
      added += edit.ins.length;
      removed += edit.del;
    }
    parts.push(`@@ -${span(from, to - from)} +${span(from + delta, to - from + added - removed)} @@\n`);
    let at = from;
    for (const edit of own) {
      for (; at < edit.at; at += 1) parts.push(marked(" ", oldLines[at] ?? ""));
      for (; at < edit.at + edit.del; at += 1) parts.push(marked("-", oldLines[at] ?? ""));
      for (const line of edit.ins) parts.push(marked("+", line));
    }
    for (; at < to; at += 1) parts.push(marked(" ", oldLines[at] ?? ""));
    delta += added - removed;
  }
  return parts.join("");
}

/** `start,count` as a hunk's header has it: the count 1 is left out, and of no line the start is the line before. */
function span(from: number, count: number): string {
  return count === 1 ? `${from + 1}` : `${count === 0 ? from : from + 1},${count}`;
}

function marked(marker: string, line: string): string {
  return line.endsWith("\n") ? marker + line : `${marker}${withoutFeed(line)}\n\\ No newline at end of file\n`;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

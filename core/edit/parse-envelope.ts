/** Reading the `*** Begin Patch` envelope. This module is browser compatible. */
import { quoted } from "./failure.ts";
import { type HunkSurroundings, isBlank, parseHunk, skipBlank } from "./parse-hunk.ts";
import { type FilePatch, type Hunk, type HunkLine, PatchError } from "./patch.ts";

const beginLine = /^\*\*\* Begin Patch\s*$/;
const endLine = /^\*\*\* End Patch\s*$/;
const fileLine = /^\*\*\* (Add|Update|Delete) File: (.*?)\r?$/;
const moveLine = /^\*\*\* Move to: (.*?)\r?$/;
const endOfFileLine = /^\*\*\* End of File\s*$/;

/** Whether the patch is an envelope. */
export function isEnvelope(lines: readonly string[]): boolean {
  return beginLine.test(lines[skipBlank(lines, 0)] ?? "");
}

/** The files of an envelope. `lines` are without their line feeds. Throws `PatchError`. */
export function parseEnvelope(lines: readonly string[]): FilePatch[] {
  const files: FilePatch[] = [];
  let at = skipBlank(lines, skipBlank(lines, 0) + 1);
  while (!endLine.test(lines[at] ?? "")) {
    if (at >= lines.length) {
      throw new PatchError(lines.length, "the last line must be `*** End Patch`; the patch may be cut off");
    }
    const read = readFile(lines, at);
    files.push(read.file);
    at = skipBlank(lines, read.next);
  }
  const after = skipBlank(lines, at + 1);
  if (after < lines.length) {
    throw new PatchError(after + 1, `${quoted(lines[after] ?? "", 80)} follows the end of the patch`, {
      next: "Send the patch alone, without fences and prose around it.",
    });
  }
  if (files.length === 0) throw new PatchError(null, "the patch names no file and has no hunk");
  return files;
}

interface ReadFile {
  readonly file: FilePatch;
  readonly next: number;
}

function readFile(lines: readonly string[], from: number): ReadFile {
  const [, action, path] = fileLine.exec(lines[from] ?? "") ?? [];
  if (action === undefined || path === undefined) {
    throw new PatchError(from + 1, `${quoted(lines[from] ?? "", 80)} is no part of a patch here`, {
      next: "Each file starts with `*** Add File: `, `*** Update File: ` or `*** Delete File: ` and its path.",
    });
  }
  if (path === "") throw new PatchError(from + 1, "the header names no file");
  if (action === "Delete") {
    return { file: { at: from + 1, kind: "delete", path, isWholeFile: true, hunks: [] }, next: from + 1 };
  }
  return action === "Add" ? addedFile(lines, from, path) : updatedFile(lines, from, path);
}

function addedFile(lines: readonly string[], from: number, path: string): ReadFile {
  const around = surroundings(lines);
  if (around.isBoundary(skipBlank(lines, from + 1))) {
    return { file: { at: from + 1, kind: "add", path, hunks: [] }, next: from + 1 };
  }
  const { hunk, next } = parseHunk(lines, from + 1, around);
  const other: HunkLine | undefined = hunk.lines.find((line) => line.marker !== "+");
  if (other !== undefined || lines[next]?.startsWith("@@")) {
    throw new PatchError(other?.at ?? next + 1, "every line of a new file starts with +, and this one does not");
  }
  return { file: { at: from + 1, kind: "add", path, hunks: [hunk] }, next };
}

function updatedFile(lines: readonly string[], from: number, path: string): ReadFile {
  const [, target] = moveLine.exec(lines[from + 1] ?? "") ?? [];
  if (target === path) throw new PatchError(from + 2, "the file is moved to its own name");
  const around = surroundings(lines);
  const hunks: Hunk[] = [];
  let at = target === undefined ? from + 1 : from + 2;
  for (at = skipBlankBeforeDirective(lines, at); !isDirective(lines[at]); at = skipBlankBeforeDirective(lines, at)) {
    if (at >= lines.length) break;
    const { hunk, next } = parseHunk(lines, at, around);
    at = next;
    if (hunk.lines.length === 0) {
      // `@@ class A` and then `@@ method`: two headings of one hunk, which its text finds anyway.
      if (lines[next]?.startsWith("@@") && hunk.header === null) continue;
      throw new PatchError(hunk.at, "this hunk has no line");
    }
    hunks.push(hunk);
    if (endOfFileLine.test(lines[at] ?? "")) {
      hunk.atEnd = true;
      at += 1;
    }
  }
  if (hunks.length === 0 && target === undefined) throw new PatchError(from + 1, "this file has zero hunks");
  return {
    file:
      target === undefined
        ? { at: from + 1, kind: "modify", path, hunks }
        : { at: from + 1, kind: "add", path: target, origin: { kind: "rename", path }, hunks },
    next: at,
  };
}

/** Blank lines before a directive lie between files; before anything else they are context. */
function skipBlankBeforeDirective(lines: readonly string[], at: number): number {
  const next = skipBlank(lines, at);
  return next >= lines.length || isDirective(lines[next]) || !isBlank(lines[at]) ? next : at;
}

function isDirective(line: string | undefined): boolean {
  return line?.startsWith("*** ") ?? false;
}

function surroundings(lines: readonly string[]): HunkSurroundings {
  return {
    isBoundary: (at) => at >= lines.length || isDirective(lines[at]) || (lines[at]?.startsWith("@@") ?? false),
    isCertainBoundary: () => false,
  };
}

/** Reading a unified diff: git's form, or bare `---` and `+++` headers. This module is browser compatible. */
import { quoted } from "./failure.ts";
import { type HunkSurroundings, isBlank, parseHunk, skipBlank } from "./parse-hunk.ts";
import { type FilePatch, type Hunk, PatchError, type RegularMode } from "./patch.ts";
import {
  type NamedHeader,
  namesExpected,
  type PathPair,
  parseHeaderName,
  parseWholeName,
  resolvePaths,
} from "./patch-paths.ts";

/**
 * How a `---`, `+++`, `@@` triple inside a body of the bare form is told from content (a deleted line `-- x`, an added `++ y`):
 * by the counts of the hunk's header, or by whether the names are expected ones. In git's form such lines are always content.
 */
export type TripleReading = "counts" | "names";

type ExtendedHeader =
  | "old mode"
  | "new mode"
  | "deleted file mode"
  | "new file mode"
  | "copy from"
  | "copy to"
  | "rename from"
  | "rename to"
  | "similarity index"
  | "dissimilarity index"
  | "index";

const extendedHeader =
  /^(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|similarity index|dissimilarity index|index) (.*)$/;

interface Section {
  readonly at: number;
  readonly git?: string;
  readonly extended: ReadonlyMap<ExtendedHeader, { readonly text: string; readonly at: number }>;
  readonly minus?: string | null;
  readonly plus?: string | null;
  readonly hunks: readonly Hunk[];
}

/** The files of a unified diff. `lines` are without their line feeds. Throws `PatchError`. */
export function parseUnified(
  lines: readonly string[],
  expected: ReadonlySet<string>,
  reading: TripleReading,
): FilePatch[] {
  const isGitForm = lines[skipBlank(lines, 0)]?.startsWith("diff --git ") ?? false;
  const sections: Section[] = [];
  const isTriple = (at: number) =>
    !isGitForm &&
    (lines[at]?.startsWith("--- ") ?? false) &&
    (lines[at + 1]?.startsWith("+++ ") ?? false) &&
    (lines[at + 2]?.startsWith("@@") ?? false);
  const isExpected = (at: number) =>
    namesExpected((lines[at] ?? "").slice(4), (lines[at + 1] ?? "").slice(4), expected);
  const around: HunkSurroundings = {
    isBoundary(at) {
      const line = lines[at];
      if (line === undefined || line.startsWith("@@") || line.startsWith("diff --git ")) return true;
      return isTriple(at) && (reading === "counts" || isExpected(at));
    },
    isCertainBoundary: (at) => reading === "names" && isTriple(at) && isExpected(at),
  };
  for (let at = skipBlank(lines, 0); at < lines.length; at = skipBlank(lines, at)) {
    const line = lines[at] ?? "";
    const isGit = line.startsWith("diff --git ");
    if (!isGit && !line.startsWith("--- ")) throw stray(lines, at);
    if (isGit !== isGitForm) {
      throw new PatchError(at + 1, "some files have a `diff --git` line and some have not", {
        next: "Write all files in one form.",
      });
    }
    const read = isGit ? gitSection(lines, at, around) : bareSection(lines, at, around);
    sections.push(read.section);
    at = read.next;
  }
  if (sections.length === 0) throw new PatchError(null, "the patch names no file and has no hunk");
  const pairs = resolvePaths(sections.map(namedHeader), expected);
  return sections.map((section, index) => filePatch(section, pairs[index] ?? { old: "", new: "" }));
}

interface ReadSection {
  readonly section: Section;
  readonly next: number;
}

function bareSection(lines: readonly string[], from: number, around: HunkSurroundings): ReadSection {
  const names = nameLines(lines, from);
  const { hunks, next } = hunksFrom(lines, from + 2, around);
  if (hunks.length === 0) throw noHunk(lines, from + 2);
  return { section: { at: from + 1, extended: new Map(), ...names, hunks }, next };
}

function gitSection(lines: readonly string[], from: number, around: HunkSurroundings): ReadSection {
  const git = header(lines[from]).slice("diff --git ".length);
  const extended = new Map<ExtendedHeader, { text: string; at: number }>();
  let at = from + 1;
  for (; at < lines.length; at += 1) {
    const [, name, text] = extendedHeader.exec(header(lines[at])) ?? [];
    if (name === undefined || text === undefined) break;
    if (!isExtendedHeader(name)) break;
    if (extended.has(name)) throw new PatchError(at + 1, `this file has two lines \`${name}\``);
    extended.set(name, { text, at });
  }
  const line = lines[at] ?? "";
  if (line.startsWith("GIT binary patch") || line.startsWith("Binary files ")) {
    throw new PatchError(at + 1, "this file is binary, and the edit tools change text only", {
      code: "unsupported_target",
    });
  }
  if (!line.startsWith("--- ")) {
    if (line.startsWith("@@") || line.startsWith("+++ ")) {
      throw new PatchError(at + 1, "half a header: `---` and `+++` must stand before the first hunk");
    }
    return { section: { at: from + 1, git, extended, hunks: [] }, next: at };
  }
  const names = nameLines(lines, at);
  const { hunks, next } = hunksFrom(lines, at + 2, around);
  if (hunks.length === 0) throw noHunk(lines, at + 2);
  return { section: { at: from + 1, git, extended, ...names, hunks }, next };
}

function isExtendedHeader(name: string): name is ExtendedHeader {
  return extendedHeader.test(`${name} `);
}

function nameLines(lines: readonly string[], at: number): { minus: string | null; plus: string | null } {
  if (!lines[at + 1]?.startsWith("+++ ")) {
    throw new PatchError(at + 1, "half a header: no `+++` line follows this `---` line");
  }
  const minus = parseHeaderName(header(lines[at]).slice(4), at);
  const plus = parseHeaderName(header(lines[at + 1]).slice(4), at + 1);
  if (minus === null && plus === null) throw new PatchError(at + 1, "both sides are /dev/null, so no file is named");
  return { minus, plus };
}

function hunksFrom(lines: readonly string[], from: number, around: HunkSurroundings): { hunks: Hunk[]; next: number } {
  const hunks: Hunk[] = [];
  let next = from;
  while (lines[next]?.startsWith("@@")) {
    const read = parseHunk(lines, next, around);
    if (read.hunk.lines.length === 0) throw new PatchError(next + 1, "this hunk has no line");
    hunks.push(read.hunk);
    next = skipBlank(lines, read.next);
  }
  return { hunks, next };
}

/** A header line without the carriage return that a patch with CRLF has. */
function header(line: string | undefined): string {
  return line?.replace(/\r$/, "") ?? "";
}

function namedHeader({ at, git, minus, plus, extended }: Section): NamedHeader {
  const name = (key: ExtendedHeader) => {
    const line = extended.get(key);
    return line === undefined ? undefined : parseWholeName(line.text, line.at);
  };
  const from = name("rename from") ?? name("copy from");
  const to = name("rename to") ?? name("copy to");
  if ((from === undefined) !== (to === undefined)) {
    throw new PatchError(at, "half a header: a rename or copy needs its `from` and its `to` line");
  }
  return {
    at,
    ...(git === undefined ? {} : { git }),
    ...(minus === undefined ? {} : { minus }),
    ...(plus === undefined ? {} : { plus }),
    ...(from === undefined || to === undefined ? {} : { from, to }),
  };
}

function filePatch(section: Section, paths: PathPair): FilePatch {
  const { at, extended, minus, plus, hunks } = section;
  const isAdd = minus === null || extended.has("new file mode");
  const isDelete = plus === null || extended.has("deleted file mode");
  const isRename = extended.has("rename from");
  const isCopy = extended.has("copy from");
  const oldMode = mode(section, isDelete ? "deleted file mode" : "old mode");
  const newMode = mode(section, isAdd ? "new file mode" : "new mode");
  mode(section, "index");
  const contradictions: readonly (readonly [isBroken: boolean, message: string])[] = [
    [isAdd && isDelete, "the headers say both that the file is new and that it is deleted"],
    [isAdd && minus !== null && minus !== undefined, "the file is new, but `---` names one; it must be /dev/null"],
    [isDelete && plus !== null && plus !== undefined, "the file is deleted, but `+++` names one; it must be /dev/null"],
    [(isAdd || isDelete) && (isRename || isCopy), "a renamed or copied file is neither new nor deleted"],
    [isRename && isCopy, "the headers say both rename and copy"],
    [(isRename || isCopy) && paths.old === paths.new, "the file is renamed or copied to its own name"],
    [
      (isAdd || isDelete) && (extended.has("old mode") || extended.has("new mode")),
      "a new or deleted file changes no mode",
    ],
    [
      !isAdd && !isDelete && (oldMode === undefined) !== (newMode === undefined),
      "half a header: `old mode` and `new mode` go together",
    ],
    [oldMode !== undefined && oldMode === newMode, "`old mode` and `new mode` are the same"],
    [
      hunks.length === 0 && !isAdd && !isDelete && !isRename && !isCopy && newMode === undefined,
      "this file has no hunk and no other change",
    ],
  ];
  for (const [isBroken, message] of contradictions) if (isBroken) throw new PatchError(at, message);
  if (isAdd || isDelete) checkWholeFile(hunks, isAdd ? "+" : "-");
  return {
    at,
    kind: isDelete ? "delete" : isAdd || isRename || isCopy ? "add" : "modify",
    path: paths.new,
    ...(isRename || isCopy ? { origin: { kind: isRename ? "rename" : "copy", path: paths.old } } : {}),
    ...(oldMode === undefined || isDelete ? {} : { oldMode }),
    ...(newMode === undefined ? {} : { newMode }),
    hunks,
  };
}

/** A new file has only additions, a deleted one only deletions, in one hunk. */
function checkWholeFile(hunks: readonly Hunk[], marker: "+" | "-"): void {
  const second = hunks[1];
  const what = marker === "+" ? "new" : "deleted";
  if (second !== undefined) throw new PatchError(second.at, `a ${what} file has one hunk, and this is a second one`);
  const other = hunks[0]?.lines.find((line) => line.marker !== marker);
  if (other !== undefined) {
    throw new PatchError(other.at, `every line of a ${what} file starts with ${marker}, and this one does not`);
  }
}

function mode({ extended }: Section, name: ExtendedHeader): RegularMode | undefined {
  const line = extended.get(name);
  if (line === undefined) return undefined;
  const text = name === "index" ? (/^[0-9a-f]+\.\.[0-9a-f]+(?: (\S+))?$/i.exec(line.text)?.[1] ?? "100644") : line.text;
  if (text === "100644" || text === "100755") return text;
  if (text === "120000" || text === "160000") {
    throw new PatchError(
      line.at + 1,
      `mode ${text} is a ${text === "120000" ? "symbolic link" : "submodule"}; the edit tools change regular files only`,
      { code: "unsupported_target" },
    );
  }
  throw new PatchError(line.at + 1, `${quoted(text)} is no mode of a file; it is 100644 or 100755`);
}

function noHunk(lines: readonly string[], at: number): PatchError {
  return lines[at] === undefined
    ? new PatchError(at - 1, "this file has zero hunks")
    : new PatchError(at + 1, `a hunk must start here with @@, and this is ${quoted(lines[at] ?? "", 80)}`);
}

/** A line where a file's part of the patch would have to start. */
function stray(lines: readonly string[], at: number): PatchError {
  const line = lines[at] ?? "";
  const shown = quoted(line, 80);
  const alone = { next: "Send the patch alone, without fences and prose around it." };
  if (line.startsWith("```")) return new PatchError(at + 1, "this is a code fence, not part of a patch", alone);
  if (line.startsWith("@@"))
    return new PatchError(at + 1, "half a header: this hunk belongs to no file; `---` and `+++` lines come first");
  if (line.startsWith("+++ "))
    return new PatchError(at + 1, "half a header: no `---` line stands before this `+++` line");
  if (line.startsWith("*** ") && !isBlank(line)) {
    return new PatchError(at + 1, `${shown} belongs to another form of patch`, {
      next: "Send a unified diff, or `*** Begin Patch` on the first line and `*** End Patch` on the last.",
    });
  }
  return new PatchError(at + 1, `${shown} is no part of a patch`, alone);
}

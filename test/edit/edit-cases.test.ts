/**
 * The rules of the two edit tools as a table of named cases: the files, the call, and its result or its code.
 * Each accepted case is also given to git: plain `git apply` of the canonical patch makes the same tree.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApplyPatchInput, EditCode, EditResult, ReplaceTextInput } from "../../core/edit/mod.ts";
import { applyPatch, replaceText } from "../../core/edit/mod.ts";
import { type FileSpec, type Files, GitOracle, hashOf, treeOf, workspaceOf } from "./fixtures.ts";

interface Outcome {
  /** The files that differ afterwards; null for one that is gone. */
  readonly result?: Readonly<Record<string, FileSpec | null>>;
  readonly code?: EditCode;
  /** What the refusal's details hold at least. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly message?: RegExp;
}

interface PatchCase extends Outcome {
  readonly files?: Files;
  readonly patch: string | readonly string[];
  /** Paths for `expected_files`, each with its true hash; without it, the paths of the result, or all files. */
  readonly touch?: readonly string[];
  readonly expected?: ApplyPatchInput["expected_files"];
}

interface ReplaceCase extends Outcome {
  readonly files: Files;
  readonly edits?: readonly { readonly old: string; readonly new: string; readonly count?: number }[];
  readonly input?: ReplaceTextInput;
}

const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
const executable = (content: string): FileSpec => ({ mode: "100755", content });
const link = (content: string): FileSpec => ({ mode: "120000", content });
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");
/** A patch from lines; each gets a line feed. */
const text = (lines: string | readonly string[]) =>
  typeof lines === "string" ? lines : lines.map((line) => `${line}\n`).join("");

const abc = { "a.txt": "one\ntwo\nthree\n" };
const repeated = "start\nx\ny\nx\nend\nstart\nx\ny\nx\nend\n";

const patchCases: Readonly<Record<string, PatchCase>> = {
  "git form, one file": {
    files: abc,
    patch: [
      "diff --git a/a.txt b/a.txt",
      "index 1..2 100644",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,3 +1,3 @@",
      " one",
      "-two",
      "+2",
      " three",
    ],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "bare headers": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", " one", "-two", "+2", " three"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "bare headers without prefixes": {
    files: abc,
    patch: ["--- a.txt", "+++ a.txt", "@@ -2 +2 @@", "-two", "+2"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "git form without prefixes": {
    files: abc,
    patch: ["diff --git a.txt a.txt", "--- a.txt", "+++ a.txt", "@@ -2 +2 @@", "-two", "+2"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "the envelope": {
    files: abc,
    patch: ["*** Begin Patch", "*** Update File: a.txt", "@@", " one", "-two", "+2", "*** End Patch"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "envelope: first hunk without @@": {
    files: abc,
    patch: ["*** Begin Patch", "*** Update File: a.txt", "-two", "+2", "*** End Patch"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "envelope: @@ with a heading is no anchor, the text decides": {
    files: { "a.py": "class A:\n    def f():\n        return 1\n" },
    patch: [
      "*** Begin Patch",
      "*** Update File: a.py",
      "@@ class B:",
      "-        return 1",
      "+        return 2",
      "*** End Patch",
    ],
    result: { "a.py": "class A:\n    def f():\n        return 2\n" },
  },
  "envelope: two headings in a row are one hunk": {
    files: { "a.py": "class A:\n    def f():\n        return 1\n" },
    patch: [
      "*** Begin Patch",
      "*** Update File: a.py",
      "@@ class A:",
      "@@ def f():",
      "-        return 1",
      "+        return 2",
      "*** End Patch",
    ],
    result: { "a.py": "class A:\n    def f():\n        return 2\n" },
  },
  "envelope: a heading does not choose between two places": {
    files: { "a.py": "class A:\n  x = 1\nclass B:\n  x = 1\n" },
    patch: ["*** Begin Patch", "*** Update File: a.py", "@@ class B:", "-  x = 1", "+  x = 2", "*** End Patch"],
    code: "ambiguous_match",
  },
  "envelope: several files of every kind": {
    files: { "a.txt": "one\ntwo\n", "b.txt": "bee\n", "c.txt": "sea\nsee\n" },
    patch: [
      "*** Begin Patch",
      "*** Add File: d/new.txt",
      "+hello",
      "+",
      "+world",
      "*** Delete File: b.txt",
      "*** Update File: c.txt",
      "*** Move to: moved/c.txt",
      "@@",
      "-sea",
      "+C",
      "*** Update File: a.txt",
      "@@",
      "-one",
      "+1",
      "*** End Patch",
    ],
    result: {
      "d/new.txt": "hello\n\nworld\n",
      "b.txt": null,
      "c.txt": null,
      "moved/c.txt": "C\nsee\n",
      "a.txt": "1\ntwo\n",
    },
  },
  "envelope: a pure move": {
    files: abc,
    patch: ["*** Begin Patch", "*** Update File: a.txt", "*** Move to: b.txt", "*** End Patch"],
    result: { "a.txt": null, "b.txt": "one\ntwo\nthree\n" },
  },
  "envelope: an empty new file": {
    patch: ["*** Begin Patch", "*** Add File: empty", "*** End Patch"],
    result: { empty: "" },
  },
  "envelope: *** End of File holds": {
    files: abc,
    patch: [
      "*** Begin Patch",
      "*** Update File: a.txt",
      "@@",
      " two",
      "-three",
      "+3",
      "*** End of File",
      "*** End Patch",
    ],
    result: { "a.txt": "one\ntwo\n3\n" },
  },
  "envelope: *** End of File does not hold": {
    files: abc,
    patch: ["*** Begin Patch", "*** Update File: a.txt", "@@", "-two", "+2", "*** End of File", "*** End Patch"],
    code: "patch_context_mismatch",
  },
  "envelope: *** End of File does not choose between two places": {
    files: { "a.txt": "x\ny\nx\n" },
    patch: ["*** Begin Patch", "*** Update File: a.txt", "@@", "-x", "+z", "*** End of File", "*** End Patch"],
    code: "ambiguous_match",
  },
  "envelope: blank lines between files": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    patch: [
      "",
      "*** Begin Patch",
      "",
      "*** Update File: a.txt",
      "",
      "@@",
      "-one",
      "+1",
      "",
      "*** Update File: b.txt",
      "@@",
      "-two",
      "+2",
      "",
      "*** End Patch",
      "",
    ],
    result: { "a.txt": "1\n", "b.txt": "2\n" },
  },
  "envelope: numbers after @@ are the hint that they are": {
    files: { "a.txt": repeated },
    patch: ["*** Begin Patch", "*** Update File: a.txt", "@@ -7,3 +7,3 @@", " x", "-y", "+why", " x", "*** End Patch"],
    result: { "a.txt": "start\nx\ny\nx\nend\nstart\nx\nwhy\nx\nend\n" },
  },
  "envelope: without its end": {
    files: abc,
    patch: ["*** Begin Patch", "*** Update File: a.txt", "@@", "-two", "+2"],
    code: "invalid_patch",
    message: /cut off/,
  },
  "envelope: prose after its end": {
    files: abc,
    patch: ["*** Begin Patch", "*** Update File: a.txt", "@@", "-two", "+2", "*** End Patch", "This fixes it."],
    code: "invalid_patch",
  },
  "envelope: no file": { patch: ["*** Begin Patch", "*** End Patch"], code: "invalid_patch" },
  "envelope: an update without a hunk": {
    files: abc,
    patch: ["*** Begin Patch", "*** Update File: a.txt", "*** End Patch"],
    code: "invalid_patch",
  },
  "envelope: a new file with a line that has no +": {
    patch: ["*** Begin Patch", "*** Add File: new.txt", "+one", "two", "*** End Patch"],
    touch: ["new.txt"],
    code: "invalid_patch",
  },
  "envelope: an unknown directive": {
    files: abc,
    patch: ["*** Begin Patch", "*** Rename File: a.txt", "*** End Patch"],
    code: "invalid_patch",
  },
  "envelope: create over an existing file": {
    files: abc,
    patch: ["*** Begin Patch", "*** Add File: a.txt", "+new", "*** End Patch"],
    code: "unsupported_target",
  },
  "envelope: a move over an existing file": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    patch: ["*** Begin Patch", "*** Update File: a.txt", "*** Move to: b.txt", "*** End Patch"],
    code: "unsupported_target",
  },
  "envelope: a change in a file without a final newline says so": {
    files: { "a.txt": "one\ntwo" },
    patch: ["*** Begin Patch", "*** Update File: a.txt", "@@", " one", "-two", "+2", "*** End Patch"],
    code: "patch_context_mismatch",
    details: { cause: "final_newline" },
  },
  "envelope: the marker of a missing newline works there too": {
    files: { "a.txt": "one\ntwo" },
    patch: [
      "*** Begin Patch",
      "*** Update File: a.txt",
      "@@",
      " one",
      "-two",
      "\\ No newline at end of file",
      "+2",
      "*** End Patch",
    ],
    result: { "a.txt": "one\n2\n" },
  },

  "several files in git form": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    patch: [
      "diff --git a/a.txt b/a.txt",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      "-one",
      "+1",
      "diff --git a/b.txt b/b.txt",
      "--- a/b.txt",
      "+++ b/b.txt",
      "@@ -1 +1 @@",
      "-two",
      "+2",
    ],
    result: { "a.txt": "1\n", "b.txt": "2\n" },
  },
  "two files in one patch without diff --git": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      "-one",
      "+1",
      "--- a/b.txt",
      "+++ b/b.txt",
      "@@ -1 +1 @@",
      "-two",
      "+2",
    ],
    result: { "a.txt": "1\n", "b.txt": "2\n" },
  },
  "two files without diff --git, the first count too high by what the header takes": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,2 +1,2 @@",
      "-one",
      "+1",
      "--- a/b.txt",
      "+++ b/b.txt",
      "@@ -1 +1 @@",
      "-two",
      "+2",
    ],
    result: { "a.txt": "1\n", "b.txt": "2\n" },
  },
  "two files without diff --git, the first count too low": {
    files: { "a.txt": "one\nmore\n", "b.txt": "two\n" },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      " one",
      "-more",
      "+less",
      "--- a/b.txt",
      "+++ b/b.txt",
      "@@ -1 +1 @@",
      "-two",
      "+2",
    ],
    result: { "a.txt": "one\nless\n", "b.txt": "2\n" },
  },
  "a deleted line that looks like a header": {
    files: { "a.sql": "select 1;\n-- x\nend\n" },
    patch: ["--- a/a.sql", "+++ b/a.sql", "@@ -1,3 +1,2 @@", " select 1;", "--- x", " end"],
    result: { "a.sql": "select 1;\nend\n" },
  },
  "an added line that looks like a header": {
    files: { "a.txt": "one\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1,2 @@", " one", "+++ y"],
    result: { "a.txt": "one\n++ y\n" },
  },
  "a deleted and an added line that look like headers, before another hunk": {
    files: { "a.txt": `-- x\n${numbered(1, 20)}` },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,2 +1,2 @@",
      "--- x",
      "+++ y",
      " line 1",
      "@@ -20,2 +20,1 @@",
      " line 19",
      "-line 20",
    ],
    result: { "a.txt": `++ y\n${numbered(1, 19)}` },
  },
  "a header-like pair right before the next hunk, counts right": {
    files: { "a.txt": `line 0\n-- x\n${numbered(1, 20)}` },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,2 +1,2 @@",
      " line 0",
      "--- x",
      "+++ y",
      "@@ -21,2 +21 @@",
      " line 19",
      "-line 20",
    ],
    result: { "a.txt": `line 0\n++ y\n${numbered(1, 19)}` },
  },
  "a header-like pair right before the next hunk, counts wrong": {
    files: { "a.txt": `line 0\n-- x\n${numbered(1, 20)}` },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,9 +1,9 @@",
      " line 0",
      "--- x",
      "+++ y",
      "@@ -21,2 +21 @@",
      " line 19",
      "-line 20",
    ],
    result: { "a.txt": `line 0\n++ y\n${numbered(1, 19)}` },
  },
  "header-like content in git form with wrong counts": {
    files: { "a.txt": `line 0\n-- x\n${numbered(1, 20)}` },
    patch: [
      "diff --git a/a.txt b/a.txt",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      " line 0",
      "--- x",
      "+++ y",
      "@@ -21,2 +21 @@",
      " line 19",
      "-line 20",
    ],
    result: { "a.txt": `line 0\n++ y\n${numbered(1, 19)}` },
  },
  "the text of the newline marker as content": {
    files: { "a.txt": "\\ No newline at end of file\nend\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,2 +1,2 @@", "-\\ No newline at end of file", "+\\ No newline", " end"],
    result: { "a.txt": "\\ No newline\nend\n" },
  },
  "content that looks like a hunk header and a git line": {
    files: { "a.diff": "@@ -1 +1 @@\ndiff --git a/x b/x\nend\n" },
    patch: [
      "--- a/a.diff",
      "+++ b/a.diff",
      "@@ -1,3 +1,3 @@",
      "-@@ -1 +1 @@",
      "+@@ -1 +2 @@",
      " diff --git a/x b/x",
      " end",
    ],
    result: { "a.diff": "@@ -1 +2 @@\ndiff --git a/x b/x\nend\n" },
  },
  "a file named a/a": {
    files: { "a/a": "one\n" },
    patch: ["--- a/a/a", "+++ b/a/a", "@@ -1 +1 @@", "-one", "+1"],
    result: { "a/a": "1\n" },
  },
  "a file named a/a, without prefixes": {
    files: { "a/a": "one\n", a2: "" },
    patch: ["--- a/a", "+++ a/a", "@@ -1 +1 @@", "-one", "+1"],
    result: { "a/a": "1\n" },
  },
  "a new file in a folder named b, without prefixes": {
    files: {},
    patch: ["--- /dev/null", "+++ b/new.txt", "@@ -0,0 +1 @@", "+one"],
    expected: { "b/new.txt": null },
    result: { "b/new.txt": "one\n" },
  },
  "a new file with git's prefix": {
    files: {},
    patch: ["--- /dev/null", "+++ b/new.txt", "@@ -0,0 +1 @@", "+one"],
    expected: { "new.txt": null },
    result: { "new.txt": "one\n" },
  },
  "names with spaces, with and without git's tab": {
    files: { "my file.txt": "one\n", "my other.txt": "two\n" },
    patch: [
      "--- a/my file.txt\t",
      "+++ b/my file.txt\t",
      "@@ -1 +1 @@",
      "-one",
      "+1",
      "--- a/my other.txt",
      "+++ b/my other.txt",
      "@@ -1 +1 @@",
      "-two",
      "+2",
    ],
    result: { "my file.txt": "1\n", "my other.txt": "2\n" },
  },
  "a mode change of a name with spaces": {
    files: { "my file.txt": "one\n" },
    patch: ["diff --git a/my file.txt b/my file.txt", "old mode 100644", "new mode 100755"],
    result: { "my file.txt": executable("one\n") },
  },
  "a quoted name with octal escapes": {
    files: { "grün.txt": "one\n" },
    patch: [
      'diff --git "a/gr\\303\\274n.txt" "b/gr\\303\\274n.txt"',
      '--- "a/gr\\303\\274n.txt"',
      '+++ "b/gr\\303\\274n.txt"',
      "@@ -1 +1 @@",
      "-one",
      "+1",
    ],
    result: { "grün.txt": "1\n" },
  },
  "the same name unquoted": {
    files: { "grün.txt": "one\n" },
    patch: ["--- a/grün.txt", "+++ b/grün.txt", "@@ -1 +1 @@", "-one", "+1"],
    result: { "grün.txt": "1\n" },
  },
  "a quoted name with a quote": {
    files: { 'say "hi".txt': "one\n" },
    patch: ['--- "a/say \\"hi\\".txt"', '+++ "b/say \\"hi\\".txt"', "@@ -1 +1 @@", "-one", "+1"],
    result: { 'say "hi".txt': "1\n" },
  },
  "a quoted name with a tab is read, and no edit may make such a path": {
    patch: ["--- /dev/null", '+++ "b/tab\\there"', "@@ -0,0 +1 @@", "+one"],
    expected: { "tab\there": null },
    code: "unsupported_target",
  },
  "a quoted name that is not UTF-8": {
    patch: ["--- /dev/null", '+++ "b/\\377"', "@@ -0,0 +1 @@", "+one"],
    expected: {},
    code: "unsupported_target",
  },
  "a quoted name without its end": {
    files: abc,
    patch: ['--- "a/a.txt', '+++ "b/a.txt', "@@ -2 +2 @@", "-two", "+2"],
    code: "invalid_patch",
  },
  "times after the names": {
    files: abc,
    patch: [
      "--- a/a.txt\t2024-05-01 10:00:00.000000000 +0200",
      "+++ b/a.txt\t2024-05-01 10:00:01.000000000 +0200",
      "@@ -2 +2 @@",
      "-two",
      "+2",
    ],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "/dev/null on both sides": {
    patch: ["--- /dev/null", "+++ /dev/null", "@@ -0,0 +1 @@", "+one"],
    expected: {},
    code: "invalid_patch",
  },

  "a new file": {
    patch: [
      "diff --git a/n.txt b/n.txt",
      "new file mode 100644",
      "index 0000000..1111111",
      "--- /dev/null",
      "+++ b/n.txt",
      "@@ -0,0 +1,2 @@",
      "+one",
      "+two",
    ],
    result: { "n.txt": "one\ntwo\n" },
  },
  "a new executable": {
    patch: [
      "diff --git a/n.sh b/n.sh",
      "new file mode 100755",
      "--- /dev/null",
      "+++ b/n.sh",
      "@@ -0,0 +1 @@",
      "+exit",
    ],
    result: { "n.sh": executable("exit\n") },
  },
  "a new empty file": {
    patch: ["diff --git a/n.txt b/n.txt", "new file mode 100644", "index 0000000..e69de29"],
    result: { "n.txt": "" },
  },
  "a new file without a final newline": {
    patch: ["--- /dev/null", "+++ b/n.txt", "@@ -0,0 +1 @@", "+one", "\\ No newline at end of file"],
    result: { "n.txt": "one" },
  },
  "a new file with a context line": {
    patch: ["--- /dev/null", "+++ b/n.txt", "@@ -0,0 +1,2 @@", "+one", " two"],
    touch: ["n.txt"],
    code: "invalid_patch",
  },
  "a new file with two hunks": {
    patch: ["--- /dev/null", "+++ b/n.txt", "@@ -0,0 +1 @@", "+one", "@@ -0,0 +2 @@", "+two"],
    touch: ["n.txt"],
    code: "invalid_patch",
  },
  "a create over an existing file": {
    files: abc,
    patch: ["--- /dev/null", "+++ b/a.txt", "@@ -0,0 +1 @@", "+one"],
    code: "unsupported_target",
  },
  "a create over an existing file that claims there is none": {
    files: abc,
    patch: ["--- /dev/null", "+++ b/a.txt", "@@ -0,0 +1 @@", "+one"],
    expected: { "a.txt": null },
    code: "unsupported_target",
  },
  "a create with a hash for a file that is not there": {
    patch: ["--- /dev/null", "+++ b/n.txt", "@@ -0,0 +1 @@", "+one"],
    expected: { "n.txt": "0".repeat(64) },
    code: "stale_hash",
    details: { path: "n.txt", sha256: null },
  },
  "a deleted file": {
    files: { "a.txt": "one\ntwo\n", "b.txt": "" },
    patch: [
      "diff --git a/a.txt b/a.txt",
      "deleted file mode 100644",
      "index 1..0",
      "--- a/a.txt",
      "+++ /dev/null",
      "@@ -1,2 +0,0 @@",
      "-one",
      "-two",
    ],
    touch: ["a.txt"],
    result: { "a.txt": null },
  },
  "a deleted file with bare headers": {
    files: { "a.txt": "one\n", keep: "" },
    patch: ["--- a/a.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-one"],
    result: { "a.txt": null },
  },
  "a deleted empty file": {
    files: { "a.txt": "", keep: "" },
    patch: ["diff --git a/a.txt b/a.txt", "deleted file mode 100644"],
    result: { "a.txt": null },
  },
  "a deletion that leaves lines over": {
    files: abc,
    patch: ["--- a/a.txt", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-one", "-two"],
    code: "patch_context_mismatch",
  },
  "a deletion that shows no content of a file that has some": {
    files: abc,
    patch: ["diff --git a/a.txt b/a.txt", "deleted file mode 100644"],
    code: "patch_context_mismatch",
  },
  "a deletion with an added line": {
    files: abc,
    patch: ["--- a/a.txt", "+++ /dev/null", "@@ -1,3 +1 @@", "-one", "-two", "-three", "+four"],
    code: "invalid_patch",
  },
  "a deletion of what is not there": {
    patch: ["--- a/a.txt", "+++ /dev/null", "@@ -1 +0,0 @@", "-one"],
    expected: { "a.txt": "0".repeat(64) },
    code: "unsupported_target",
  },
  "all lines deleted, the file stays": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +0,0 @@", "-one", "-two", "-three"],
    result: { "a.txt": "" },
  },
  "lines into an empty file": {
    files: { "a.txt": "" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -0,0 +1 @@", "+one"],
    result: { "a.txt": "one\n" },
  },
  "a pure rename": {
    files: { "old.txt": "one\n" },
    patch: ["diff --git a/old.txt b/new.txt", "similarity index 100%", "rename from old.txt", "rename to new.txt"],
    result: { "old.txt": null, "new.txt": "one\n" },
  },
  "a rename with edits": {
    files: { "old name.txt": "one\ntwo\n" },
    patch: [
      "diff --git a/old name.txt b/dir/new name.txt",
      "similarity index 50%",
      "rename from old name.txt",
      "rename to dir/new name.txt",
      "--- a/old name.txt\t",
      "+++ b/dir/new name.txt\t",
      "@@ -1,2 +1,2 @@",
      " one",
      "-two",
      "+2",
    ],
    result: { "old name.txt": null, "dir/new name.txt": "one\n2\n" },
  },
  "a rename with a change of mode": {
    files: { "old.sh": "one\n" },
    patch: [
      "diff --git a/old.sh b/new.sh",
      "old mode 100644",
      "new mode 100755",
      "similarity index 100%",
      "rename from old.sh",
      "rename to new.sh",
    ],
    result: { "old.sh": null, "new.sh": executable("one\n") },
  },
  "a rename keeps the mode": {
    files: { "old.sh": executable("one\n") },
    patch: ["diff --git a/old.sh b/new.sh", "similarity index 100%", "rename from old.sh", "rename to new.sh"],
    result: { "old.sh": null, "new.sh": executable("one\n") },
  },
  "a rename over an existing file": {
    files: { "old.txt": "one\n", "new.txt": "two\n" },
    patch: ["diff --git a/old.txt b/new.txt", "rename from old.txt", "rename to new.txt"],
    code: "unsupported_target",
  },
  "a rename of what is not there": {
    patch: ["diff --git a/old.txt b/new.txt", "rename from old.txt", "rename to new.txt"],
    expected: { "old.txt": "0".repeat(64), "new.txt": null },
    code: "unsupported_target",
  },
  "a rename without its new name in expected_files": {
    files: { "old.txt": "one\n" },
    patch: ["diff --git a/old.txt b/new.txt", "rename from old.txt", "rename to new.txt"],
    touch: ["old.txt"],
    code: "invalid_patch",
    details: { missing: ["new.txt"], extra: [] },
  },
  "a rename whose git line names others": {
    files: { "old.txt": "one\n" },
    patch: ["diff --git a/other.txt b/new.txt", "rename from old.txt", "rename to new.txt"],
    touch: ["old.txt", "new.txt"],
    code: "invalid_patch",
  },
  "half a rename": {
    files: { "old.txt": "one\n" },
    patch: ["diff --git a/old.txt b/new.txt", "rename from old.txt"],
    touch: ["old.txt", "new.txt"],
    code: "invalid_patch",
  },
  "a rename to the same name": {
    files: { "old.txt": "one\n" },
    patch: ["diff --git a/old.txt b/old.txt", "rename from old.txt", "rename to old.txt"],
    code: "invalid_patch",
  },
  "two names without a rename": {
    files: { "old.txt": "one\n" },
    patch: ["--- a/old.txt", "+++ b/new.txt", "@@ -1 +1 @@", "-one", "+1"],
    touch: ["old.txt", "new.txt"],
    code: "invalid_patch",
  },
  "one path renamed twice": {
    files: { "old.txt": "one\n" },
    patch: [
      "diff --git a/old.txt b/x.txt",
      "rename from old.txt",
      "rename to x.txt",
      "diff --git a/old.txt b/y.txt",
      "rename from old.txt",
      "rename to y.txt",
    ],
    touch: ["old.txt", "x.txt", "y.txt"],
    code: "invalid_patch",
  },
  "a copy": {
    files: { "a.txt": "one\n" },
    patch: ["diff --git a/a.txt b/b.txt", "similarity index 100%", "copy from a.txt", "copy to b.txt"],
    touch: ["a.txt", "b.txt"],
    result: { "b.txt": "one\n" },
  },
  "a copy with edits, of a file that changes too: both start from what was there": {
    files: abc,
    patch: [
      "diff --git a/a.txt b/a.txt",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      "-one",
      "+1",
      "diff --git a/a.txt b/b.txt",
      "similarity index 60%",
      "copy from a.txt",
      "copy to b.txt",
      "--- a/a.txt",
      "+++ b/b.txt",
      "@@ -1,2 +1,2 @@",
      " one",
      "-two",
      "+2",
    ],
    result: { "a.txt": "1\ntwo\nthree\n", "b.txt": "one\n2\nthree\n" },
  },
  "a copy and a rename of one file": {
    files: { "a.txt": "one\n" },
    patch: [
      "diff --git a/a.txt b/b.txt",
      "copy from a.txt",
      "copy to b.txt",
      "diff --git a/a.txt b/c.txt",
      "rename from a.txt",
      "rename to c.txt",
    ],
    result: { "a.txt": null, "b.txt": "one\n", "c.txt": "one\n" },
  },
  "a copy whose source expected_files does not bind": {
    files: { "a.txt": "one\n" },
    patch: ["diff --git a/a.txt b/b.txt", "copy from a.txt", "copy to b.txt"],
    touch: ["b.txt"],
    code: "invalid_patch",
  },
  "a mode change": {
    files: { "a.sh": "one\n" },
    patch: ["diff --git a/a.sh b/a.sh", "old mode 100644", "new mode 100755"],
    result: { "a.sh": executable("one\n") },
  },
  "a mode change with edits": {
    files: { "a.sh": executable("one\n") },
    patch: [
      "diff --git a/a.sh b/a.sh",
      "old mode 100755",
      "new mode 100644",
      "index 1..2",
      "--- a/a.sh",
      "+++ b/a.sh",
      "@@ -1 +1 @@",
      "-one",
      "+1",
    ],
    result: { "a.sh": "1\n" },
  },
  "a mode change from a mode that the file does not have": {
    files: { "a.sh": "one\n" },
    patch: ["diff --git a/a.sh b/a.sh", "old mode 100755", "new mode 100644"],
    code: "patch_context_mismatch",
  },
  "half a mode change": {
    files: { "a.sh": "one\n" },
    patch: ["diff --git a/a.sh b/a.sh", "new mode 100755"],
    code: "invalid_patch",
  },
  "a mode that no file has": {
    patch: ["diff --git a/n b/n", "new file mode 100600"],
    touch: ["n"],
    code: "invalid_patch",
  },
  "an edit keeps the executable mode": {
    files: { "a.sh": executable("one\n") },
    patch: ["--- a/a.sh", "+++ b/a.sh", "@@ -1 +1 @@", "-one", "+1"],
    result: { "a.sh": executable("1\n") },
  },
  "a file becomes a folder": {
    files: { a: "one\n" },
    patch: [
      "diff --git a/a b/a",
      "deleted file mode 100644",
      "--- a/a",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-one",
      "diff --git a/a/b b/a/b",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/a/b",
      "@@ -0,0 +1 @@",
      "+two",
    ],
    result: { a: null, "a/b": "two\n" },
  },
  "a folder becomes a file": {
    files: { "a/b": "one\n" },
    patch: [
      "diff --git a/a b/a",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/a",
      "@@ -0,0 +1 @@",
      "+two",
      "diff --git a/a/b b/a/b",
      "deleted file mode 100644",
      "--- a/a/b",
      "+++ /dev/null",
      "@@ -1 +0,0 @@",
      "-one",
    ],
    result: { "a/b": null, a: "two\n" },
  },

  "counts that are wrong": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,7 +1,9 @@", " one", "-two", "+2", " three"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "counts that are too low": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,1 +1,1 @@", " one", "-two", "+2", " three"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "counts of zero over a body": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,0 +1,0 @@", " one", "-two", "+2"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "an omitted count is 1": {
    files: { "a.txt": "one\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1 @@", "-one", "+1"],
    result: { "a.txt": "1\n" },
  },
  "start lines that are wrong, one place": {
    files: { "a.txt": numbered(1, 30) },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", " line 20", "-line 21", "+21", " line 22"],
    result: { "a.txt": numbered(1, 30).replace("line 21\n", "21\n") },
  },
  "several places, the header names one": {
    files: { "a.txt": repeated },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -7,3 +7,3 @@", " x", "-y", "+why", " x"],
    result: { "a.txt": "start\nx\ny\nx\nend\nstart\nx\nwhy\nx\nend\n" },
  },
  "several places, the header names none": {
    files: { "a.txt": repeated },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -6,3 +6,3 @@", " x", "-y", "+why", " x"],
    code: "ambiguous_match",
    details: {
      places: [
        { line: 2, text: ["start", "x", "y"] },
        { line: 7, text: ["start", "x", "y"] },
      ],
    },
  },
  "several places, the old start is right and the new one is not": {
    files: { "a.txt": repeated },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -7,3 +9,3 @@", " x", "-y", "+why", " x"],
    code: "ambiguous_match",
  },
  "several places, the new start counts what came before": {
    files: { "a.txt": repeated },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,2 +1,4 @@",
      " start",
      "+1",
      "+2",
      " x",
      "@@ -7,3 +9,3 @@",
      " x",
      "-y",
      "+why",
      " x",
    ],
    result: { "a.txt": "start\n1\n2\nx\ny\nx\nend\nstart\nx\nwhy\nx\nend\n" },
  },
  "several places and a bare @@": {
    files: { "a.txt": repeated },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@", " x", "-y", "+why"],
    code: "ambiguous_match",
  },
  "several places, all but one before the hunk before it": {
    files: { "a.txt": repeated },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -6,2 +6,2 @@", " start", "-x", "+ex", "@@", " y", "-x", "+ex"],
    result: { "a.txt": "start\nx\ny\nx\nend\nstart\nex\ny\nex\nend\n" },
  },
  "the second of two places, once a hunk has passed the first": {
    files: { "a.txt": "x\nmiddle\nx\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@", "-middle", "+m", "@@", "-x", "+y"],
    result: { "a.txt": "x\nm\ny\n" },
  },
  "a bare @@": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@", "-two", "+2"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "@@ ... @@": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ ... @@", "-two", "+2"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "a section heading after the numbers": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@ function two() {", "-two", "+2"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "an overlap of two identical places counts": {
    files: { "a.txt": "x\nx\nx\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@", " x", "-x", "+y"],
    code: "ambiguous_match",
    details: {
      places: [
        { line: 1, text: ["x", "x"] },
        { line: 2, text: ["x", "x", "x"] },
      ],
    },
  },
  "git's missing trailing context is no anchor": {
    files: { "a.txt": "x\ny\nx\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -8 +8,2 @@", " x", "+z"],
    code: "ambiguous_match",
  },
  "no trailing context in the middle of a file": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1,2 @@", " one", "+1.5"],
    result: { "a.txt": "one\n1.5\ntwo\nthree\n" },
  },
  "a hunk without an old line in a file that has lines": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -3,0 +4 @@", "+four"],
    code: "patch_context_mismatch",
  },
  "a hunk that touches the line that the hunk before it added": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1,2 @@", " one", "+new", "@@ -2,2 +2,2 @@", " new", "-two", "+2"],
    code: "patch_context_mismatch",
    details: { hunk: 2 },
  },
  "a hunk whose context the hunk before it has": {
    files: abc,
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1,2 +1,2 @@",
      "-one",
      "+1",
      " two",
      "@@ -2,2 +2,2 @@",
      " two",
      "-three",
      "+3",
    ],
    code: "patch_context_mismatch",
    details: { hunk: 2, cause: "hunk_order", line: 2 },
  },
  "hunks that touch": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1 @@", "-one", "+1", "@@ -2 +2 @@", "-two", "+2"],
    result: { "a.txt": "1\n2\nthree\n" },
  },
  "hunks in the wrong order": {
    files: { "a.txt": numbered(1, 30) },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -20 +20 @@", "-line 20", "+20", "@@ -5 +5 @@", "-line 5", "+5"],
    code: "patch_context_mismatch",
    details: { hunk: 2, cause: "hunk_order", line: 5 },
  },
  "additions before deletions": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,2 +1,2 @@", "+1", "-one", "+2", "-two"],
    result: { "a.txt": "1\n2\nthree\n" },
  },
  "a line deleted and added again": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,2 +1,2 @@", "-one", "-two", "+one", "+2"],
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "a patch that changes nothing": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1 @@", "-one", "+one"],
    code: "invalid_patch",
  },
  "context that is not there": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", " one", "-too", "+2", " three"],
    code: "patch_context_mismatch",
    details: { path: "a.txt", line: 2, difference: { line: 2, expected: "too", found: "two" } },
  },
  "white space drift in context": {
    files: { "a.py": "def f():\n    return 1\n" },
    patch: ["--- a/a.py", "+++ b/a.py", "@@ -1,2 +1,2 @@", " def f():", "-  return 1", "+  return 2"],
    code: "patch_context_mismatch",
    details: { cause: "white_space", line: 2 },
  },
  "a change that is there already": {
    files: { "a.txt": "one\nsecond\nthree\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", " one", "-two", "+second", " three"],
    code: "patch_context_mismatch",
    details: { cause: "already_applied", line: 1 },
  },

  "an empty line is a blank context line": {
    files: { "a.txt": "one\n\ntwo\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", " one", "", "-two", "+2"],
    result: { "a.txt": "one\n\n2\n" },
  },
  "an empty line is a blank context line, counts wrong": {
    files: { "a.txt": "one\n\ntwo\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1 @@", " one", "", "-two", "+2", "", ""],
    result: { "a.txt": "one\n\n2\n" },
  },
  "an empty last line that the counts take for context": {
    files: { "a.txt": "x\n\nx\ny\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -7,2 +7,2 @@", "-x", "+z", ""],
    result: { "a.txt": "z\n\nx\ny\n" },
  },
  "a lone CR is a blank context line of a file with CRLF": {
    files: { "a.txt": "one\r\n\r\ntwo\r\n" },
    patch: "--- a/a.txt\r\n+++ b/a.txt\r\n@@ -1,3 +1,3 @@\r\n one\r\n\r\n-two\r\n+2\r\n",
    result: { "a.txt": "one\r\n\r\n2\r\n" },
  },
  "a lone CR is a blank context line of a file with LF": {
    files: { "a.txt": "one\n\ntwo\n" },
    patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n\r\n-two\n+2\n",
    result: { "a.txt": "one\n\n2\n" },
  },
  "blank lines between hunks and files": {
    files: { "a.txt": numbered(1, 30), "b.txt": "two\n" },
    patch: [
      "",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -2 +2 @@",
      "-line 2",
      "+2",
      "",
      "@@ -20 +20 @@",
      "-line 20",
      "+20",
      "",
      "",
      "--- a/b.txt",
      "+++ b/b.txt",
      "@@ -1 +1 @@",
      "-two",
      "+2",
      "",
    ],
    result: { "a.txt": numbered(1, 30).replace("line 2\n", "2\n").replace("line 20\n", "20\n"), "b.txt": "2\n" },
  },
  "a patch without a final line feed": {
    files: abc,
    patch: "--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-two\n+2",
    result: { "a.txt": "one\n2\nthree\n" },
  },
  "CRLF in the file, LF in the patch": {
    files: { "a.txt": "one\r\ntwo\r\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,2 +1,2 @@", " one", "-two", "+2"],
    code: "patch_context_mismatch",
    details: { cause: "line_endings" },
    message: /line endings/,
  },
  "LF in the file, CRLF in the patch": {
    files: abc,
    patch: "--- a/a.txt\r\n+++ b/a.txt\r\n@@ -2 +2 @@\r\n-two\r\n+2\r\n",
    code: "patch_context_mismatch",
    details: { cause: "line_endings" },
  },
  "CRLF in both": {
    files: { "a.txt": "one\r\ntwo\r\n" },
    patch: "--- a/a.txt\r\n+++ b/a.txt\r\n@@ -1,2 +1,2 @@\r\n one\r\n-two\r\n+2\r\n",
    result: { "a.txt": "one\r\n2\r\n" },
  },
  "git's own patch of a file with CRLF": {
    files: { "a.txt": "one\r\ntwo\r\n" },
    patch: "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\n",
    result: { "a.txt": "one\r\n2\n" },
  },
  "a byte order mark stays": {
    files: { "a.txt": "\ufeffone\ntwo\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2"],
    result: { "a.txt": "\ufeffone\n2\n" },
  },
  "bytes that are not UTF-8 stay": {
    files: { "a.txt": latin1("caf\xe9\none\ntwo\nthree\nfour\n") },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -3 +3 @@", "-two", "+2"],
    result: { "a.txt": latin1("caf\xe9\none\n2\nthree\nfour\n") },
  },
  "bytes that are not UTF-8 right below the change": {
    files: { "a.txt": latin1("one\ntwo\ncaf\xe9\n") },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2"],
    result: { "a.txt": latin1("one\n2\ncaf\xe9\n") },
  },
  "a lone carriage return inside a line is content": {
    files: { "a.txt": "one\rstill one\ntwo\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,2 +1,2 @@", " one\rstill one", "-two", "+2"],
    result: { "a.txt": "one\rstill one\n2\n" },
  },
  "the last line lacks its newline and stays so": {
    files: { "a.txt": "one\ntwo" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,2 +1,2 @@", "-one", "+1", " two", "\\ No newline at end of file"],
    result: { "a.txt": "1\ntwo" },
  },
  "the last line gets its newline": {
    files: { "a.txt": "one\ntwo" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "\\ No newline at end of file", "+two"],
    result: { "a.txt": "one\ntwo\n" },
  },
  "the last line loses its newline": {
    files: { "a.txt": "one\ntwo\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+two", "\\ No newline at end of file"],
    result: { "a.txt": "one\ntwo" },
  },
  "both sides lack the newline": {
    files: { "a.txt": "one\ntwo" },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -2 +2 @@",
      "-two",
      "\\ No newline at end of file",
      "+2",
      "\\ No newline at end of file",
    ],
    result: { "a.txt": "one\n2" },
  },
  "lines after a last line without newline": {
    files: { "a.txt": "one" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1,2 @@", "-one", "\\ No newline at end of file", "+one", "+two"],
    result: { "a.txt": "one\ntwo\n" },
  },
  "a newline marker where the file has its newline": {
    files: { "a.txt": "one\ntwo\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "\\ No newline at end of file", "+2"],
    code: "patch_context_mismatch",
    details: { cause: "final_newline" },
  },
  "no newline marker where the file lacks its newline": {
    files: { "a.txt": "one\ntwo" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2"],
    code: "patch_context_mismatch",
    details: { cause: "final_newline" },
  },
  "a newline marker after a new line in the middle of the file": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2", "\\ No newline at end of file"],
    code: "patch_context_mismatch",
  },
  "a newline marker after a context line that is not the new last one": {
    files: { "a.txt": "one" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1,2 @@", " one", "\\ No newline at end of file", "+two"],
    code: "patch_context_mismatch",
  },
  "a newline marker before any line": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "\\ No newline at end of file", "-two", "+2"],
    code: "invalid_patch",
  },
  "two newline markers in a row": {
    files: { "a.txt": "one" },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      "-one",
      "\\ No newline at end of file",
      "\\ No newline at end of file",
      "+1",
    ],
    code: "invalid_patch",
  },

  "an empty patch": { patch: "", expected: {}, code: "invalid_patch" },
  "prose before the patch": {
    files: abc,
    patch: ["Here is the patch:", "--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2"],
    code: "invalid_patch",
    details: { patch_line: 1 },
  },
  "prose after the patch": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2", "", "This should work."],
    code: "invalid_patch",
  },
  "prose between files": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      "-one",
      "+1",
      "And:",
      "--- a/b.txt",
      "+++ b/b.txt",
      "@@ -1 +1 @@",
      "-two",
      "+2",
    ],
    code: "invalid_patch",
  },
  "fences around the patch": {
    files: abc,
    patch: ["```diff", "--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2", "```"],
    code: "invalid_patch",
    message: /fence/,
  },
  "a fence after the patch": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2", "```"],
    code: "invalid_patch",
    message: /fence/,
  },
  "a mail's signature": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2", "-- ", "2.39.5"],
    code: "invalid_patch",
  },
  "an elision in a hunk": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", " one", "...", "-three", "+3"],
    code: "invalid_patch",
    message: /leaves lines out/,
  },
  "a body line without a marker": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", "one", "-two", "+2"],
    code: "invalid_patch",
    details: { patch_line: 4, text: "one" },
  },
  "a tab in place of the marker": {
    files: { "a.c": "\tone\n\ttwo\n" },
    patch: ["--- a/a.c", "+++ b/a.c", "@@ -1,2 +1,2 @@", "\tone", "-\ttwo", "+\t2"],
    code: "invalid_patch",
  },
  "half a header: --- alone": {
    files: abc,
    patch: ["--- a/a.txt", "@@ -2 +2 @@", "-two", "+2"],
    code: "invalid_patch",
    message: /half a header/,
  },
  "half a header: +++ alone": {
    files: abc,
    patch: ["+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2"],
    code: "invalid_patch",
    message: /half a header/,
  },
  "half a header: a hunk without a file": {
    files: abc,
    patch: ["@@ -2 +2 @@", "-two", "+2"],
    code: "invalid_patch",
    message: /half a header/,
  },
  "half a header: git line and hunk": {
    files: abc,
    patch: ["diff --git a/a.txt b/a.txt", "@@ -2 +2 @@", "-two", "+2"],
    code: "invalid_patch",
  },
  "half a hunk header": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2,1", "-two", "+2"],
    code: "invalid_patch",
  },
  "names that contradict each other": {
    files: { "a.txt": "one\n", "b.txt": "one\n" },
    patch: ["diff --git a/a.txt b/a.txt", "--- a/b.txt", "+++ b/b.txt", "@@ -1 +1 @@", "-one", "+1"],
    touch: ["a.txt"],
    code: "invalid_patch",
  },
  "mixed prefixes in one file": {
    files: abc,
    patch: ["--- a/a.txt", "+++ a.txt", "@@ -2 +2 @@", "-two", "+2"],
    code: "invalid_patch",
  },
  "mixed prefixes in two files": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      "-one",
      "+1",
      "--- b.txt",
      "+++ b.txt",
      "@@ -1 +1 @@",
      "-two",
      "+2",
    ],
    code: "invalid_patch",
  },
  "mixed forms": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      "-one",
      "+1",
      "diff --git a/b.txt b/b.txt",
      "--- a/b.txt",
      "+++ b/b.txt",
      "@@ -1 +1 @@",
      "-two",
      "+2",
    ],
    code: "invalid_patch",
  },
  "zero hunks after bare headers": { files: abc, patch: ["--- a/a.txt", "+++ b/a.txt"], code: "invalid_patch" },
  "zero hunks after a git line": {
    files: abc,
    patch: ["diff --git a/a.txt b/a.txt", "index 1..2 100644"],
    code: "invalid_patch",
  },
  "a hunk without a line": { files: abc, patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@"], code: "invalid_patch" },
  "a context diff": {
    files: abc,
    patch: ["*** a/a.txt", "--- b/a.txt", "***************", "*** 1,3 ****"],
    code: "invalid_patch",
  },
  "a combined diff": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@@ -1,2 -1,2 +1,2 @@@", "  one", "--two", "++2"],
    code: "invalid_patch",
  },
  "new and deleted at once": {
    patch: ["diff --git a/n b/n", "new file mode 100644", "deleted file mode 100644"],
    touch: ["n"],
    code: "invalid_patch",
  },
  "one file in two parts": {
    files: abc,
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      "-one",
      "+1",
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -2 +2 @@",
      "-two",
      "+2",
    ],
    code: "invalid_patch",
  },

  "a symbolic link": {
    files: { link: link("a.txt") },
    patch: ["--- a/link", "+++ b/link", "@@ -1 +1 @@", "-a.txt", "+b.txt"],
    code: "unsupported_target",
  },
  "a new symbolic link": {
    patch: [
      "diff --git a/link b/link",
      "new file mode 120000",
      "--- /dev/null",
      "+++ b/link",
      "@@ -0,0 +1 @@",
      "+a.txt",
      "\\ No newline at end of file",
    ],
    touch: ["link"],
    code: "unsupported_target",
  },
  "a path through a symbolic link": {
    files: { link: link("dir"), "dir/a.txt": "one\n" },
    patch: ["--- a/link/a.txt", "+++ b/link/a.txt", "@@ -1 +1 @@", "-one", "+1"],
    touch: ["link/a.txt"],
    code: "unsupported_target",
  },
  "a submodule": {
    files: { sub: { mode: "160000", content: "1".repeat(40) } },
    patch: [
      "diff --git a/sub b/sub",
      "index 1..2 160000",
      "--- a/sub",
      "+++ b/sub",
      "@@ -1 +1 @@",
      "-Subproject commit 1",
      "+Subproject commit 2",
    ],
    code: "unsupported_target",
  },
  "a path into a submodule": {
    files: { sub: { mode: "160000", content: "1".repeat(40) } },
    patch: ["--- /dev/null", "+++ b/sub/a.txt", "@@ -0,0 +1 @@", "+one"],
    touch: ["sub/a.txt"],
    code: "unsupported_target",
  },
  "a binary file": {
    files: { "a.bin": "one\0\n" },
    patch: ["--- a/a.bin", "+++ b/a.bin", "@@ -1 +1 @@", "-one", "+1"],
    code: "unsupported_target",
  },
  "a binary patch": {
    files: { "a.bin": "one\0\n" },
    patch: ["diff --git a/a.bin b/a.bin", "index 1..2 100644", "GIT binary patch", "literal 0", "HcmV?d00001", ""],
    code: "unsupported_target",
  },
  "Binary files differ": {
    files: { "a.bin": "one\0\n" },
    patch: ["diff --git a/a.bin b/a.bin", "index 1..2 100644", "Binary files a/a.bin and b/a.bin differ"],
    code: "unsupported_target",
  },
  "a path in .git": {
    patch: ["--- /dev/null", "+++ b/.git/hooks/pre-commit", "@@ -0,0 +1 @@", "+one"],
    touch: [".git/hooks/pre-commit"],
    code: "unsupported_target",
  },
  "a path in .GIT": {
    patch: ["--- /dev/null", "+++ b/.GIT/config", "@@ -0,0 +1 @@", "+one"],
    touch: [".GIT/config"],
    code: "unsupported_target",
  },
  "a traversal": {
    patch: ["--- /dev/null", "+++ b/../out.txt", "@@ -0,0 +1 @@", "+one"],
    touch: ["../out.txt"],
    code: "unsupported_target",
  },
  "an absolute path": {
    patch: ["*** Begin Patch", "*** Add File: /tmp/out.txt", "+one", "*** End Patch"],
    touch: ["/tmp/out.txt"],
    code: "unsupported_target",
  },
  "a path that is not in plain form": {
    files: { "src/a.txt": "one\n" },
    patch: ["*** Begin Patch", "*** Update File: ./src/a.txt", "-one", "+1", "*** End Patch"],
    touch: ["./src/a.txt"],
    code: "unsupported_target",
  },
  "a twin in case": {
    files: abc,
    patch: ["--- /dev/null", "+++ b/A.TXT", "@@ -0,0 +1 @@", "+one"],
    touch: ["A.TXT"],
    code: "unsupported_target",
    details: { twin: "a.txt" },
  },
  "a twin of a folder in case": {
    files: { "Src/a.txt": "one\n" },
    patch: ["--- /dev/null", "+++ b/src/b.txt", "@@ -0,0 +1 @@", "+one"],
    touch: ["src/b.txt"],
    code: "unsupported_target",
  },
  "a twin in Unicode normal form": {
    files: { "caf\u00e9.txt": "one\n" },
    patch: ["--- /dev/null", "+++ b/cafe\u0301.txt", "@@ -0,0 +1 @@", "+one"],
    touch: ["cafe\u0301.txt"],
    code: "unsupported_target",
  },
  "a change of a file by its twin's name": {
    files: abc,
    patch: ["--- a/A.txt", "+++ b/A.txt", "@@ -2 +2 @@", "-two", "+2"],
    expected: { "A.txt": hashOf(abc["a.txt"]) },
    code: "unsupported_target",
    details: { twin: "a.txt" },
  },
  "two new files that are twins": {
    patch: [
      "--- /dev/null",
      "+++ b/n.txt",
      "@@ -0,0 +1 @@",
      "+one",
      "--- /dev/null",
      "+++ b/N.txt",
      "@@ -0,0 +1 @@",
      "+two",
    ],
    touch: ["n.txt", "N.txt"],
    code: "unsupported_target",
  },
  "a new file below another new file": {
    patch: ["--- /dev/null", "+++ b/n", "@@ -0,0 +1 @@", "+one", "--- /dev/null", "+++ b/n/m", "@@ -0,0 +1 @@", "+two"],
    touch: ["n", "n/m"],
    code: "unsupported_target",
  },
  "a new file below an existing file": {
    files: { n: "one\n" },
    patch: ["--- /dev/null", "+++ b/n/m", "@@ -0,0 +1 @@", "+two"],
    touch: ["n/m"],
    code: "unsupported_target",
  },
  "a rename that changes only the case": {
    files: abc,
    patch: ["diff --git a/a.txt b/A.txt", "rename from a.txt", "rename to A.txt"],
    touch: ["a.txt", "A.txt"],
    code: "unsupported_target",
  },
  "a change of a missing file": {
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2"],
    touch: ["a.txt"],
    code: "unsupported_target",
  },
  "a change of a folder": {
    files: { "dir/a.txt": "one\n" },
    patch: ["--- a/dir", "+++ b/dir", "@@ -2 +2 @@", "-two", "+2"],
    touch: ["dir"],
    code: "unsupported_target",
  },
  "a stale hash": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2"],
    expected: { "a.txt": "0".repeat(64) },
    code: "stale_hash",
    details: { sha256: hashOf(abc["a.txt"]) },
  },
  "null for a file that is there": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2"],
    expected: { "a.txt": null },
    code: "stale_hash",
    details: { sha256: hashOf(abc["a.txt"]) },
  },
  "a stale hash of the second file leaves the first as it was": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    patch: [
      "--- a/a.txt",
      "+++ b/a.txt",
      "@@ -1 +1 @@",
      "-one",
      "+1",
      "--- a/b.txt",
      "+++ b/b.txt",
      "@@ -1 +1 @@",
      "-two",
      "+2",
    ],
    expected: { "a.txt": hashOf("one\n"), "b.txt": hashOf("three\n") },
    code: "stale_hash",
    details: { path: "b.txt" },
  },
  "an expected file that the patch does not touch": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -1 +1 @@", "-one", "+1"],
    touch: ["a.txt", "b.txt"],
    code: "invalid_patch",
    details: { missing: [], extra: ["b.txt"] },
  },
  "a touched file that is not expected": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2"],
    expected: {},
    code: "invalid_patch",
    details: { missing: ["a.txt"], extra: [] },
  },
  "a file named __proto__": {
    patch: ["--- /dev/null", "+++ b/__proto__", "@@ -0,0 +1 @@", "+one"],
    expected: JSON.parse('{"__proto__":null}'),
    result: JSON.parse('{"__proto__":"one\\n"}'),
  },
  "NUL in the patch": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2\0"],
    code: "invalid_patch",
    details: { field: "patch" },
  },
  "half a surrogate pair in the patch": {
    files: abc,
    patch: ["--- a/a.txt", "+++ b/a.txt", "@@ -2 +2 @@", "-two", "+2\ud800"],
    code: "invalid_patch",
    details: { field: "patch" },
  },
};

const replaceCases: Readonly<Record<string, ReplaceCase>> = {
  "one text, found once": { files: abc, edits: [{ old: "two", new: "2" }], result: { "a.txt": "one\n2\nthree\n" } },
  "several edits of one file": {
    files: abc,
    edits: [
      { old: "three", new: "3" },
      { old: "one", new: "1" },
    ],
    result: { "a.txt": "1\ntwo\n3\n" },
  },
  "edits that touch": {
    files: { "a.txt": "onetwo\n" },
    edits: [
      { old: "one", new: "1" },
      { old: "two", new: "2" },
    ],
    result: { "a.txt": "12\n" },
  },
  "edits are matched on the original, not on each other's result": {
    files: { "a.txt": "a b\n" },
    edits: [
      { old: "a", new: "b" },
      { old: "b", new: "a" },
    ],
    result: { "a.txt": "b a\n" },
  },
  "edits that overlap": {
    files: abc,
    edits: [
      { old: "one\ntw", new: "x" },
      { old: "two", new: "y" },
    ],
    code: "invalid_edit",
  },
  "an edit inside another": {
    files: abc,
    edits: [
      { old: "one\ntwo\n", new: "x\n" },
      { old: "two", new: "y" },
    ],
    code: "invalid_edit",
  },
  "a text found twice": {
    files: { "a.txt": "x\ny\nx\n" },
    edits: [{ old: "x", new: "z" }],
    code: "ambiguous_match",
    details: {
      found: 2,
      expected: 1,
      places: [
        { line: 1, text: ["x", "y"] },
        { line: 3, text: ["y", "x"] },
      ],
    },
  },
  "a text found twice, as said": {
    files: { "a.txt": "x\ny\nx\n" },
    edits: [{ old: "x", new: "z", count: 2 }],
    result: { "a.txt": "z\ny\nz\n" },
  },
  "fewer places than said": {
    files: { "a.txt": "x\ny\nx\n" },
    edits: [{ old: "x", new: "z", count: 3 }],
    code: "ambiguous_match",
    details: { found: 2, expected: 3 },
  },
  "overlapping places count": {
    files: { "a.txt": "aaa\n" },
    edits: [{ old: "aa", new: "b" }],
    code: "ambiguous_match",
    details: { found: 2 },
  },
  "overlapping places cannot all be replaced": {
    files: { "a.txt": "aaa\n" },
    edits: [{ old: "aa", new: "b", count: 2 }],
    code: "invalid_edit",
  },
  "patterns of String.replace are text": {
    files: abc,
    edits: [{ old: "two", new: "$& $1 $$ $`" }],
    result: { "a.txt": "one\n$& $1 $$ $`\nthree\n" },
  },
  "an empty old": { files: abc, edits: [{ old: "", new: "x" }], code: "invalid_edit" },
  "old equals new": { files: abc, edits: [{ old: "two", new: "two" }], code: "invalid_edit" },
  "edits that undo each other": {
    files: { "a.txt": "ab\n" },
    edits: [
      { old: "a", new: "" },
      { old: "b", new: "ab" },
    ],
    code: "invalid_edit",
  },
  "a text that is not there": {
    files: abc,
    edits: [{ old: "four", new: "4" }],
    code: "no_match",
    details: { path: "a.txt", edit: "files[0].edits[0]", sha256: hashOf(abc["a.txt"]) },
  },
  "a miss by line endings alone": {
    files: { "a.txt": "one\r\ntwo\r\nthree\r\n" },
    edits: [{ old: "one\ntwo", new: "x" }],
    code: "no_match",
    message: /line endings/,
    details: { cause: "line_endings", line: 1 },
  },
  "a miss by indentation": {
    files: { "a.py": "def f():\n    return 1\n" },
    edits: [{ old: "def f():\n  return 1", new: "x" }],
    code: "no_match",
    details: { cause: "white_space", line: 1, difference: { line: 2, expected: "  return 1", found: "    return 1" } },
  },
  "a miss by typographic quotes": {
    files: { "a.txt": "say \u201chi\u201d\n" },
    edits: [{ old: 'say "hi"', new: "x" }],
    code: "no_match",
    details: { cause: "white_space" },
  },
  "a text that was escaped once too often": {
    files: abc,
    edits: [{ old: "one\\ntwo", new: "x" }],
    code: "no_match",
    details: { cause: "escapes", line: 1 },
  },
  "a text with line numbers": {
    files: abc,
    edits: [{ old: "2\ttwo\n3\tthree", new: "x" }],
    code: "no_match",
    details: { cause: "line_numbers", line: 2 },
  },
  "an edit that is made already": {
    files: { "a.txt": "one\nsecond\n" },
    edits: [{ old: "two", new: "second" }],
    code: "no_match",
    details: { cause: "already_applied", line: 2 },
  },
  "the nearest place of a text that is not there": {
    files: { "a.ts": "function alpha() {\n  const total = 1;\n  return total;\n}\n" },
    edits: [{ old: "  const total = 2;\n  return total;\n", new: "x" }],
    code: "no_match",
    details: { line: 2, difference: { line: 2, expected: "  const total = 2;", found: "  const total = 1;" } },
  },
  "a file without a final newline keeps it so": {
    files: { "a.txt": "one\ntwo" },
    edits: [{ old: "two", new: "2" }],
    result: { "a.txt": "one\n2" },
  },
  "a final newline is added": {
    files: { "a.txt": "one\ntwo" },
    edits: [{ old: "two", new: "two\n" }],
    result: { "a.txt": "one\ntwo\n" },
  },
  "the final newline is removed": {
    files: { "a.txt": "one\ntwo\n" },
    edits: [{ old: "two\n", new: "two" }],
    result: { "a.txt": "one\ntwo" },
  },
  "lines are joined": {
    files: abc,
    edits: [{ old: "one\n", new: "one " }],
    result: { "a.txt": "one two\nthree\n" },
  },
  "a line is split": {
    files: abc,
    edits: [{ old: "wo", new: "\nw\no" }],
    result: { "a.txt": "one\nt\nw\no\nthree\n" },
  },
  "all content is removed": {
    files: { "a.txt": "one\n" },
    edits: [{ old: "one\n", new: "" }],
    result: { "a.txt": "" },
  },
  "whole lines are removed": { files: abc, edits: [{ old: "two\n", new: "" }], result: { "a.txt": "one\nthree\n" } },
  "CRLF outside the edit stays": {
    files: { "a.txt": "one\r\ntwo\r\n" },
    edits: [{ old: "two", new: "2" }],
    result: { "a.txt": "one\r\n2\r\n" },
  },
  "a byte order mark stays where it is": {
    files: { "a.txt": "\ufeffone\n" },
    edits: [{ old: "one", new: "1" }],
    result: { "a.txt": "\ufeff1\n" },
  },
  "bytes that are not UTF-8 stay, in the same line": {
    files: { "a.txt": latin1("caf\xe9 one\n") },
    edits: [{ old: "one", new: "1" }],
    result: { "a.txt": latin1("caf\xe9 1\n") },
  },
  "bytes that are not UTF-8 stay, in other lines": {
    files: { "a.txt": latin1("caf\xe9\n1\n2\n3\n4\none\n") },
    edits: [{ old: "one", new: "two" }],
    result: { "a.txt": latin1("caf\xe9\n1\n2\n3\n4\ntwo\n") },
  },
  "a character beyond the basic plane": {
    files: { "a.txt": "\u{1f600}\u{1f601}\n" },
    edits: [{ old: "\u{1f601}", new: "\u{1f602}" }],
    result: { "a.txt": "\u{1f600}\u{1f602}\n" },
  },
  "Unicode normal forms are not the same text": {
    files: { "a.txt": "caf\u00e9\n" },
    edits: [{ old: "cafe\u0301", new: "x" }],
    code: "no_match",
  },
  "an executable stays one": {
    files: { "a.sh": executable("one\n") },
    edits: [{ old: "one", new: "1" }],
    result: { "a.sh": executable("1\n") },
  },
  "an empty file has nothing to replace": { files: { "a.txt": "" }, edits: [{ old: "x", new: "y" }], code: "no_match" },
  "several files": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    input: {
      files: [
        { path: "b.txt", sha256: hashOf("two\n") ?? "", edits: [{ old: "two", new: "2" }] },
        { path: "a.txt", sha256: hashOf("one\n") ?? "", edits: [{ old: "one", new: "1" }] },
      ],
    },
    result: { "a.txt": "1\n", "b.txt": "2\n" },
  },
  "a failure in the second file leaves the first as it was": {
    files: { "a.txt": "one\n", "b.txt": "two\n" },
    input: {
      files: [
        { path: "a.txt", sha256: hashOf("one\n") ?? "", edits: [{ old: "one", new: "1" }] },
        { path: "b.txt", sha256: hashOf("two\n") ?? "", edits: [{ old: "three", new: "3" }] },
      ],
    },
    code: "no_match",
    details: { path: "b.txt", edit: "files[1].edits[0]" },
  },
  "one file listed twice": {
    files: abc,
    input: {
      files: [
        { path: "a.txt", sha256: hashOf(abc["a.txt"]) ?? "", edits: [{ old: "one", new: "1" }] },
        { path: "a.txt", sha256: hashOf(abc["a.txt"]) ?? "", edits: [{ old: "two", new: "2" }] },
      ],
    },
    code: "invalid_edit",
    details: { field: "files[1].path" },
  },
  "a stale hash": {
    files: abc,
    input: { files: [{ path: "a.txt", sha256: "0".repeat(64), edits: [{ old: "one", new: "1" }] }] },
    code: "stale_hash",
    details: { sha256: hashOf(abc["a.txt"]) },
  },
  "a hash in capitals": {
    files: abc,
    input: {
      files: [{ path: "a.txt", sha256: hashOf(abc["a.txt"])?.toUpperCase() ?? "", edits: [{ old: "one", new: "1" }] }],
    },
    result: { "a.txt": "1\ntwo\nthree\n" },
  },
  "a missing file": {
    files: {},
    input: { files: [{ path: "a.txt", sha256: "0".repeat(64), edits: [{ old: "one", new: "1" }] }] },
    code: "unsupported_target",
  },
  "a symbolic link": {
    files: { link: link("a.txt") },
    edits: [{ old: "a.txt", new: "b.txt" }],
    code: "unsupported_target",
  },
  "a submodule": {
    files: { sub: { mode: "160000", content: "1".repeat(40) } },
    edits: [{ old: "1", new: "2" }],
    code: "unsupported_target",
  },
  "a binary file": { files: { "a.bin": "one\0two" }, edits: [{ old: "one", new: "1" }], code: "unsupported_target" },
  "a path in .git": {
    files: {},
    input: { files: [{ path: ".git/config", sha256: "0".repeat(64), edits: [{ old: "one", new: "1" }] }] },
    code: "unsupported_target",
  },
  "a traversal": {
    files: abc,
    input: { files: [{ path: "dir/../a.txt", sha256: hashOf(abc["a.txt"]) ?? "", edits: [{ old: "one", new: "1" }] }] },
    code: "unsupported_target",
  },
  "a twin in case": {
    files: abc,
    input: { files: [{ path: "A.txt", sha256: hashOf(abc["a.txt"]) ?? "", edits: [{ old: "one", new: "1" }] }] },
    code: "unsupported_target",
    details: { twin: "a.txt" },
  },
  "NUL in new": {
    files: abc,
    edits: [{ old: "one", new: "\0" }],
    code: "invalid_edit",
    details: { field: "files[0].edits[0].new" },
  },
  "half a surrogate pair in new": { files: abc, edits: [{ old: "one", new: "\udc00" }], code: "invalid_edit" },
  "a count of zero": { files: abc, edits: [{ old: "one", new: "1", count: 0 }], code: "invalid_edit" },
  "a count that is no whole number": {
    files: abc,
    edits: [{ old: "one", new: "1", count: 1.5 }],
    code: "invalid_edit",
  },
  "no file": { files: abc, input: { files: [] }, code: "invalid_edit", details: { field: "files" } },
  "no edit": { files: abc, edits: [], code: "invalid_edit", details: { field: "files[0].edits" } },
};

let git: GitOracle;
beforeAll(() => {
  git = new GitOracle();
});
afterAll(() => git.remove());

async function check(
  files: Files,
  outcome: Outcome,
  call: (workspace: Awaited<ReturnType<typeof workspaceOf>>) => Promise<EditResult>,
) {
  const workspace = await workspaceOf(files);
  const before = await workspace.oid();
  const result = await call(workspace);
  if (outcome.code !== undefined) {
    if (result.ok) expect.fail(`accepted:\n${result.patch}`);
    expect(result).toMatchObject({ ok: false, code: outcome.code });
    expect(JSON.parse(JSON.stringify(result.details))).toMatchObject(outcome.details ?? {});
    expect(Buffer.byteLength(JSON.stringify(result.details))).toBeLessThanOrEqual(2048);
    if (outcome.message) expect(result.message).toMatch(outcome.message);
    expect(result.next).toMatch(/Nothing was changed\.$/);
    expect(await workspace.oid()).toBe(before);
    return;
  }
  if (!result.ok) expect.fail(JSON.stringify(result, null, 2));
  const after: Record<string, FileSpec> = Object.assign(Object.create(null), files);
  for (const [path, spec] of Object.entries(outcome.result ?? {})) {
    if (spec === null) delete after[path];
    else after[path] = spec;
  }
  const tree = await treeOf(after, workspace.objects);
  expect([...workspace.tree.entries()]).toEqual([...tree.entries()]);
  expect(result.oid).toBe(tree.oid);
  expect(await workspace.oid()).toBe(tree.oid);
  expect(result.touched.map(({ path }) => path).sort()).toEqual(Object.keys(outcome.result ?? {}).sort());
  for (const touched of result.touched) expect(touched.sha256 ?? null).toBe(hashOf(after[touched.path]));
  git.checkout(files);
  git.apply(result.patch);
  expect(git.tree()).toBe(tree.oid);
}

describe("apply_patch", () => {
  it.each(Object.entries(patchCases))("%s", async (_, { files = {}, patch, touch, expected, ...outcome }) => {
    const paths = touch ?? Object.keys(outcome.result ?? files);
    const hashes = expected ?? Object.fromEntries(paths.map((path) => [path, hashOf(files[path])]));
    await check(files, outcome, (workspace) => applyPatch(workspace, { patch: text(patch), expected_files: hashes }));
  });
});

describe("replace_text", () => {
  it.each(Object.entries(replaceCases))("%s", async (_, { files, edits = [], input, ...outcome }) => {
    const [path = "", spec = ""] = Object.entries(files)[0] ?? [];
    const single = { files: [{ path, sha256: hashOf(spec) ?? "", edits }] };
    await check(files, outcome, (workspace) => replaceText(workspace, input ?? single));
  });
});

describe("the table", () => {
  it("names at least 120 cases", () => {
    expect(Object.keys(patchCases).length + Object.keys(replaceCases).length).toBeGreaterThanOrEqual(120);
  });
});

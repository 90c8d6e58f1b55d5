/** Which paths may be written, and which paths are one and the same to some file system. This module is browser compatible. */
import { encodePath, isCanonicalPath } from "./path-bytes.ts";
import { WorkspaceError } from "./workspace-error.ts";

export type NormalizedPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly code: "unsupported_target"; readonly message: string };

/** Limits of the common file systems: NAME_MAX and PATH_MAX of Linux, in bytes. */
const maxSegmentBytes = 255;
const maxPathBytes = 4095;

/** The code points that HFS+ ignores in a name. Source: utf8.c of git (`next_hfs_char`). */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const device = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)[ ]*([.:]|$)/i;

type Rule = readonly [isBroken: (path: string, segments: readonly string[]) => boolean, message: string];

const rules: readonly Rule[] = [
  [(path) => path === "", "the path is empty"],
  [(path) => path.includes("\0"), "the path holds a NUL"],
  [(path) => /[\x00-\x1f\x7f-\x9f]/.test(path), "the path holds a control character"],
  [(path) => /\p{Surrogate}/u.test(path), "the path is not valid Unicode"],
  [(path) => path.includes("\\"), "the path holds a backslash; separate names by /"],
  [(path) => path.startsWith("/"), "the path is absolute; give it relative to the repository's root"],
  [(path) => /^[a-z]:/i.test(path), "the path names a drive; give it relative to the repository's root"],
  [(_, segments) => segments.includes(".."), "the path holds the segment .."],
  [(_, segments) => segments.includes("."), "the path holds the segment ."],
  [(_, segments) => segments.includes(""), "the path holds an empty segment"],
  [
    (_, segments) => segments.some(isGitDirectory),
    "the path leads into .git or a name that a file system takes for it",
  ],
  [(_, segments) => segments.some((segment) => device.test(segment)), "the path names a device of Windows"],
  [
    (_, segments) => segments.some((segment) => encodePath(segment).length > maxSegmentBytes),
    `a name in the path is longer than ${maxSegmentBytes} bytes`,
  ],
  [(path) => encodePath(path).length > maxPathBytes, `the path is longer than ${maxPathBytes} bytes`],
];

/**
 * A path that an edit may name: POSIX, relative to the root, every segment an ordinary name on Linux, macOS and Windows.
 * Nothing is repaired; what is not in this form is refused with code `unsupported_target`.
 *
 * @example
 * ```ts
 * import { normalizePath } from "yada-runtime";
 * normalizePath("src/a.ts"); // { ok: true, path: "src/a.ts" }
 * normalizePath("../a.ts").ok; // false
 * ```
 */
export function normalizePath(path: string): NormalizedPath {
  const segments = path.split("/");
  for (const [isBroken, message] of rules) {
    if (isBroken(path, segments)) {
      return { ok: false, code: "unsupported_target", message: `${printable(path)}: ${message}` };
    }
  }
  return { ok: true, path };
}

/**
 * Whether a name is `.git` to git or to some file system: any case, code points that HFS+ ignores, the NTFS forms with
 * trailing dots, spaces or a stream, and the short name. Source: `is_ntfs_dotgit` and `is_hfs_dotgit` of git.
 */
export function isGitDirectory(segment: string): boolean {
  const name = segment.replace(ignorable, "").normalize("NFC").toLowerCase();
  return /^(\.git|git~[0-9]+)[ .]*(:.*)?$/.test(name) || /^(\.git|git~[0-9]+)[ .]*\\/.test(name);
}

/**
 * One key for all paths that name the same file: Unicode normal form C and, where the file system folds case, one case, no
 * ignored code points and no dots or spaces at the end of a name.
 */
export function pathKey(path: string, ignoreCase: boolean): string {
  return path
    .split("/")
    .map(ignoreCase ? foldedName : composedName)
    .join("/");
}

/** A name in Unicode normal form C. */
export function composedName(name: string): string {
  return isAscii(name) ? name : name.normalize("NFC");
}

/** A name as a file system sees it that folds case. It may hold two names for one that such a system tells apart, never the reverse. */
export function foldedName(name: string): string {
  const composed = isAscii(name) ? name : name.replace(ignorable, "").normalize("NFC");
  // Lower case first, so that the capital sharp s and the small one meet; upper case last, so that the two small sigmas do.
  const folded = composed.toLowerCase().toUpperCase();
  return (isAscii(folded) ? folded : folded.normalize("NFC")).replace(/[. ]+$/, "");
}

/** Throws `WorkspaceError` with code `unsupported_target` for a path that git itself takes into no tree. */
export function assertTreePath(path: string): void {
  if (!isTreePath(path)) {
    throw new WorkspaceError("unsupported_target", path, `${printable(path)}: no git tree can hold this path.`);
  }
}

/** Whether git takes the path into a tree. Much wider than `normalizePath`: a repository may hold names that no edit may make. */
export function isTreePath(path: string): boolean {
  return path !== "" && !/(^|\/)(\.{0,2}|\.git)(\/|$)/i.test(path) && !path.includes("\0") && isCanonicalPath(path);
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text);
}

/** The path as a message may show it: control and format characters escaped, cut to a bounded length. */
function printable(path: string): string {
  const shown = path.length > 200 ? `${path.slice(0, 200)}...` : path;
  return shown.replace(
    /[\p{Cc}\p{Cf}\p{Surrogate}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Which files the headers of a unified diff name. This module is browser compatible. */
import { quoted } from "./failure.ts";
import { unquoteName } from "./git-names.ts";
import { PatchError } from "./patch.ts";

/** `a/` and `b/` before the names, or nothing. */
type Prefixes = "a/b/" | "none";
const bothPrefixes: readonly Prefixes[] = ["a/b/", "none"];

/** The header lines of one file that name it. `null` in `minus` and `plus` is `/dev/null`. */
export interface NamedHeader {
  readonly at: number;
  /** What follows `diff --git `. */
  readonly git?: string;
  readonly minus?: string | null;
  readonly plus?: string | null;
  /** From `rename from` and `copy from`, which have no prefix. */
  readonly from?: string;
  readonly to?: string;
}

/** The names of one file; both the same, but for a rename or copy. */
export interface PathPair {
  readonly old: string;
  readonly new: string;
}

/** The name in a `---` or `+++` line, after its marker; null for `/dev/null`. A time may follow after a tab. */
export function parseHeaderName(text: string, at: number): string | null {
  if (text.startsWith('"')) {
    const read = unquoteName(text);
    if (read === null || !/^(\t.*)?$/.test(text.slice(read.end))) {
      throw new PatchError(at + 1, `the quoted name ${quoted(text)} does not end as git writes it`);
    }
    return read.name;
  }
  const tab = text.indexOf("\t");
  const name = tab < 0 ? text : text.slice(0, tab);
  if (name === "") throw new PatchError(at + 1, "the header names no file");
  return name === "/dev/null" ? null : name;
}

/** A name as `rename from` and its like have it: quoted or whole. */
export function parseWholeName(text: string, at: number): string {
  if (!text.startsWith('"')) {
    if (text === "") throw new PatchError(at + 1, "the header names no file");
    return text;
  }
  const read = unquoteName(text);
  if (read === null || read.end !== text.length) {
    throw new PatchError(at + 1, `the quoted name ${quoted(text)} does not end as git writes it`);
  }
  return read.name;
}

/**
 * The paths of all files of one patch. All have the prefixes `a/` and `b/`, or none has; where the headers leave it open
 * (`--- /dev/null`, `+++ b/x`), the expected paths decide, and then git's habit of prefixes.
 */
export function resolvePaths(headers: readonly NamedHeader[], expected: ReadonlySet<string>): PathPair[] {
  const readings = headers.map((header) => {
    const reading = { "a/b/": pairOf(header, "a/b/"), none: pairOf(header, "none") };
    if (reading["a/b/"] === null && reading.none === null) {
      throw new PatchError(header.at, "the names in this file's headers contradict each other", {
        next: "Name the same file in all of them, with a/ and b/ or without; a rename needs `rename from` and `rename to`.",
      });
    }
    return reading;
  });
  const possible = bothPrefixes.filter((prefixes) => readings.every((reading) => reading[prefixes] !== null));
  const isExpected = (pair: PathPair | null) => pair !== null && expected.has(pair.new);
  const chosen = possible.find((prefixes) => readings.every((reading) => isExpected(reading[prefixes]))) ?? possible[0];
  if (chosen === undefined) {
    throw new PatchError(null, "some names have the prefixes a/ and b/ and some have not", {
      next: "Write all names in one way.",
    });
  }
  return readings.map((reading) => {
    const pair = reading[chosen];
    if (pair === null) throw new Error("a reading that was possible is not");
    return pair;
  });
}

/** The paths that this header names if names have these prefixes; null where it cannot be read so. */
function pairOf(header: NamedHeader, prefixes: Prefixes): PathPair | null {
  const left = prefixes === "none" ? "" : "a/";
  const right = prefixes === "none" ? "" : "b/";
  const named: { old: string | undefined; new: string | undefined } = { old: header.from, new: header.to };
  for (const [side, name, prefix] of [
    ["old", header.minus, left],
    ["new", header.plus, right],
  ] as const) {
    if (name === undefined || name === null) continue;
    if (!name.startsWith(prefix) || name.length === prefix.length) return null;
    const path = name.slice(prefix.length);
    if (named[side] !== undefined && named[side] !== path) return null;
    named[side] = path;
  }
  const own = named.old ?? named.new;
  if (own === undefined) return header.git === undefined ? null : sameNames(header.git, left, right);
  const pair = { old: named.old ?? own, new: named.new ?? own };
  if (pair.old !== pair.new && header.from === undefined) return null;
  if (header.git !== undefined && !isGitLine(header.git, left + pair.old, right + pair.new)) return null;
  return pair;
}

/** Whether the rest of a `diff --git` line is these two names. */
function isGitLine(rest: string, left: string, right: string): boolean {
  const middle = endOfName(rest, 0, left);
  return middle !== null && rest[middle] === " " && endOfName(rest, middle + 1, right) === rest.length;
}

function endOfName(rest: string, from: number, name: string): number | null {
  if (rest[from] === '"') {
    const read = unquoteName(rest, from);
    return read?.name === name ? read.end : null;
  }
  return rest.startsWith(name, from) ? from + name.length : null;
}

/** The one path that a `diff --git` line names twice. Names may hold spaces, so the middle of the line is where they part. */
function sameNames(rest: string, left: string, right: string): PathPair | null {
  let name: string | undefined;
  if (rest.startsWith('"')) name = unquoteName(rest)?.name;
  else if (rest.endsWith('"')) name = rest.slice(0, Math.max(0, rest.indexOf(' "')));
  else name = rest.slice(0, (rest.length - 1) / 2);
  if (name === undefined || !name.startsWith(left) || name.length === left.length) return null;
  const path = name.slice(left.length);
  return isGitLine(rest, left + path, right + path) ? { old: path, new: path } : null;
}

/** Whether a `---`/`+++` pair names a path that is expected, with or without prefixes. */
export function namesExpected(minus: string, plus: string, expected: ReadonlySet<string>): boolean {
  return [minus, plus].some((text) => {
    const quotedName = text.startsWith('"') ? unquoteName(text)?.name : undefined;
    const name = quotedName ?? text.split("\t", 1)[0]?.replace(/\r$/, "") ?? "";
    return expected.has(name) || (/^[ab]\//.test(name) && expected.has(name.slice(2)));
  });
}

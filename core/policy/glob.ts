/**
 * Globs over paths: picomatch's, with `dot: true`, segment by segment. This module is browser compatible.
 *
 * A whole path is never given to one regular expression: several stars in one expression can take time that grows with a power of the
 * path's length, and paths come from an agent. Here each name is matched by itself, and `**` by looking for what follows it from left to
 * right, so the time is a sum, not a product. A test holds the answers equal to picomatch's.
 */
import picomatch from "picomatch/posix.js";
import { isGitDirectory, pathKey } from "../workspace/mod.ts";
import { matchesParts } from "./wildcard.ts";

interface PathForm {
  readonly path: string;
  readonly names: readonly string[];
}

/** A path as rules see it: as it is written, and as file systems see it that fold case, normal form and NTFS streams. */
export interface Subject extends PathForm {
  readonly folded: readonly PathForm[];
}

export function subjectOf(path: string): Subject {
  const names = path.split("/");
  const key = foldPath(path);
  const form = key === path ? { path, names } : { path: key, names: key.split("/") };
  if (!key.includes(":")) return { path, names, folded: [form] };
  const bare = form.names.map(withoutStream);
  return { path, names, folded: [form, { path: bare.join("/"), names: bare }] };
}

/** Names whose folded form is their lower case. */
const PLAIN = /^(?:[!-~](?!\.(?:\/|$))|\.(?!\/|$))*$/;

/** One form for all paths that some file system takes for the same file. It may join two paths that others tell apart, never the reverse. */
export function foldPath(path: string): string {
  return PLAIN.test(path) ? path.toLowerCase() : pathKey(path, true).toLowerCase();
}

/** `a.ts::$DATA` is `a.ts` on NTFS. */
function withoutStream(name: string): string {
  return name.replace(/(.):.*$/, "$1");
}

/** `.git` and `.yada` in every form that some file system takes for them, their short names on NTFS included. */
export function leadsIntoOwnDirectories({ path, names, folded }: Subject): ".git/**" | ".yada/**" | null {
  if (folded.some(({ names: [first = ""] }) => first === ".yada" || /^yada~\d+$/.test(first))) return ".yada/**";
  // The first test keeps the common path fast.
  return /git|[^!-~]/i.test(path) && names.some(isGitDirectory) ? ".git/**" : null;
}

/** Why a path cannot be judged, or null. Rules speak of paths in one form only, and nothing is repaired here. */
export function pathProblem(path: string): string | null {
  if (!STRANGE.test(path) && path.length <= 4096) return null;
  if (path === "") return "is empty";
  if (path.length > 4096) return "is longer than 4096 characters";
  if (/[\x00-\x1f\x7f\u2028\u2029]/.test(path)) return "holds a control character";
  if (path.includes("\\")) return "holds a backslash: separate names by /";
  if (path.startsWith("/")) return "is absolute: give it from the repository's root";
  if (/[^/]{256}/.test(path)) return "holds a name of more than 255 characters";
  return "holds an empty, . or .. segment: give it as it is named from the repository's root";
}

const STRANGE = /^$|^\/|\/$|\/\/|(?:^|\/)\.{1,2}(?:\/|$)|[\x00-\x1f\x7f\\\u2028\u2029]|[^/]{256}/;

export interface GlobMatcher {
  /** Exactly this path. */
  literal(subject: Subject): boolean;
  /** This path, or one that a file system takes for it. */
  folded(subject: Subject): boolean;
}

const compiled = new Map<string, GlobMatcher>();
const MAX_COMPILED = 4096;

/** Compiled once for each glob: policies and runners name the same ones again and again. Throws where picomatch cannot read a name of it. */
export function compileGlob(glob: string): GlobMatcher {
  const known = compiled.get(glob);
  if (known !== undefined) return known;
  const matcher = compile(glob);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(glob, matcher);
  return matcher;
}

function compile(glob: string): GlobMatcher {
  const exact = compileForm(glob, false);
  const folded = compileForm(foldPath(glob), true);
  // Folding turns "not A" into "not a", which names fewer paths: such a glob is asked in both forms.
  const hasNegation = /\[[!^]/.test(glob);
  const literal = ({ path, names }: Subject) => exact(path, names);
  return {
    literal,
    folded: (subject) => {
      for (const form of subject.folded) if (folded(form.path, form.names)) return true;
      return hasNegation && literal(subject);
    },
  };
}

function compileForm(glob: string, ignoreCase: boolean): (path: string, names: readonly string[]) => boolean {
  const alternatives = compileAlternatives(glob, ignoreCase);
  const [only] = alternatives;
  if (only === undefined || alternatives.length > 1) {
    return (_, names) => alternatives.some((parts) => pathMatches(parts, names));
  }
  // What every path of this glob starts and ends with: most rules are done with after these two looks.
  const start = /^[^*?[\]{}()\\!+@|]*/.exec(glob)?.[0].replace(/\/$/, "") ?? "";
  const end = /[^*?[\]{}()\\!+@|]*$/.exec(glob)?.[0].replace(/^\//, "") ?? "";
  return (path, names) => path.startsWith(start) && path.endsWith(end) && pathMatches(only, names);
}

type NameMatcher = (name: string) => boolean;

/** The names between the `**` of a glob: at least one list; `a/**` has the lists `[a]` and `[]`. */
type GlobParts = readonly (readonly NameMatcher[])[];

function compileAlternatives(glob: string, ignoreCase: boolean): readonly GlobParts[] {
  return expandSlashes(glob).map((one) => {
    const parts: NameMatcher[][] = [[]];
    const names = splitNames(one);
    for (const [index, name] of names.entries()) {
      if (name !== "**") parts.at(-1)?.push(compileName(name, ignoreCase));
      // `a/**` names `a` as well, and `*/**` names no file at the root: so it is in picomatch.
      else if (
        index > 0 &&
        names[index - 1] !== "**" &&
        index === names.length - 1 &&
        /[^\\]\*$|^\*$/.test(names[index - 1] ?? "")
      )
        parts.push([ANY_NAME]);
      else parts.push([]);
    }
    return parts;
  });
}

const ANY_NAME: NameMatcher = () => true;

function pathMatches(parts: GlobParts, names: readonly string[]): boolean {
  const [head = [], ...others] = parts;
  const tail = others.pop();
  if (tail === undefined) return head.length === names.length && matchesAt(head, names, 0);
  if (head.length + tail.length > names.length) return false;
  const end = names.length - tail.length;
  if (!matchesAt(head, names, 0) || !matchesAt(tail, names, end)) return false;
  let from = head.length;
  for (const middle of others) {
    while (from + middle.length <= end && !matchesAt(middle, names, from)) from++;
    if (from + middle.length > end) return false;
    from += middle.length;
  }
  return true;
}

function matchesAt(matchers: readonly NameMatcher[], names: readonly string[], at: number): boolean {
  for (let index = 0; index < matchers.length; index++) {
    const name = names[at + index];
    if (name === undefined || matchers[index]?.(name) !== true) return false;
  }
  return true;
}

function compileName(name: string, ignoreCase: boolean): NameMatcher {
  if (!/[\\{}[\]()!+@?|]/.test(name)) {
    if (!name.includes("*")) return (given) => given === name;
    const parts = name.split(/\*+/);
    return (given) => matchesParts(parts, given);
  }
  const expression = picomatch.makeRe(name, { dot: true, nonegate: true, strictBrackets: true, nocase: ignoreCase });
  // Like picomatch: a name with brackets also names itself.
  return (given) => given === name || expression.test(given);
}

const MAX_ALTERNATIVES = 256;

/** The globs that braces with a / inside stand for: `{a,b/**}/c` is `a/c` and `b/**` + `/c`. Other braces stay. */
export function expandSlashes(glob: string): readonly string[] {
  const pending = [glob];
  const done: string[] = [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const braces = bracesWithSlash(next);
    if (braces === null) done.push(next);
    else pending.push(...braces.options.map((option) => braces.before + option + braces.after));
    if (pending.length + done.length > MAX_ALTERNATIVES) throw new RangeError("the braces stand for too many paths");
  }
  return done;
}

function bracesWithSlash(glob: string): { before: string; options: string[]; after: string } | null {
  for (let open = 0; open < glob.length; open++) {
    if (glob[open] === "\\") open++;
    else if (glob[open] === "[") open = endOfClass(glob, open);
    else if (glob[open] === "{") {
      const braces = readBraces(glob, open);
      if (braces !== null && braces.options.length > 1 && braces.options.some((option) => /\/|\*\*/.test(option)))
        return braces;
    }
  }
  return null;
}

function readBraces(glob: string, open: number): { before: string; options: string[]; after: string } | null {
  const options: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let index = open; index < glob.length; index++) {
    const character = glob[index];
    if (character === "\\") index++;
    else if (character === "[") index = endOfClass(glob, index);
    else if (character === "{" || character === "(") depth++;
    else if (character === "," && depth === 1) {
      options.push(glob.slice(from, index));
      from = index + 1;
    } else if ((character === "}" || character === ")") && --depth === 0) {
      options.push(glob.slice(from, index));
      return { before: glob.slice(0, open), options, after: glob.slice(index + 1) };
    }
  }
  return null;
}

/** The index of the `]` that ends a class, or of its `[` where nothing does. A `]` that stands first is a member. */
export function endOfClass(glob: string, open: number): number {
  const first = /^\[[!^]?\]?/.exec(glob.slice(open))?.[0].length ?? 1;
  let index = open + first;
  while (index < glob.length && glob[index] !== "]") {
    // `[[:alpha:]]`
    const named = glob.startsWith("[:", index) ? glob.indexOf(":]", index + 2) : -1;
    index = named >= 0 ? named + 2 : index + (glob[index] === "\\" ? 2 : 1);
  }
  return index < glob.length ? index : open;
}

/** The glob at the `/` that stand outside groups and classes. */
function splitNames(glob: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < glob.length; index++) {
    const character = glob[index];
    if (character === "\\") index++;
    else if (character === "[") index = endOfClass(glob, index);
    else if (character === "{" || character === "(") depth++;
    else if (character === "}" || character === ")") depth--;
    else if (character === "/" && depth === 0) {
      names.push(glob.slice(from, index));
      from = index + 1;
    }
  }
  return [...names, glob.slice(from)];
}

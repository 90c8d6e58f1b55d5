/**
 * Path patterns: globs, named sets and keys of JSON files. This module is browser compatible.
 *
 * What picomatch reads in another way than the person who wrote it is refused when the policy is loaded.
 */
import { compileGlob, endOfClass } from "./glob.ts";
import { nearest } from "./suggest.ts";
import { matchesParts } from "./wildcard.ts";

const NAMED_SETS = ["$tests", "$tests.config", "$tests.changed", "$frozen", "$spec"] as const;
export type NamedSet = (typeof NAMED_SETS)[number];

export type PathPattern =
  | { readonly kind: "set"; readonly set: NamedSet }
  | { readonly kind: "glob"; readonly glob: string }
  /** A part of a JSON file. `pointer` is split at `/`; `*` in a segment stands for any text. */
  | { readonly kind: "key"; readonly glob: string; readonly pointer: readonly string[] };

/** What may stand at a place beside globs. */
export interface PatternPlace {
  readonly sets?: boolean;
  readonly keys?: boolean;
  /** `$frozen` has no meaning where something is allowed. */
  readonly allows?: boolean;
}

const KEY = /^(.*\.(?:json|jsonc|json5|toml|ya?ml|cfg|ini))#(\/.*)?$/i;

export function readPattern(pattern: string): PathPattern {
  const set = NAMED_SETS.find((name) => name === pattern);
  if (set !== undefined) return { kind: "set", set };
  const key = KEY.exec(pattern);
  if (key === null) return { kind: "glob", glob: pattern };
  return { kind: "key", glob: key[1] ?? "", pointer: splitPointer(key[2] ?? "") };
}

/** The segments of a JSON pointer (RFC 6901), unescaped. */
export function splitPointer(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

const MAX_GLOBSTARS = 3;
const MAX_STARS_IN_NAME = 3;

/** What is wrong with a pattern, as one sentence that says what is right; null where it is fine. */
export function patternProblem(pattern: string, place: PatternPlace): { message: string; suggestion?: string } | null {
  if (/^\$[\w.]+$/.test(pattern)) return setProblem(pattern, place);
  const read = readPattern(pattern);
  if (read.kind === "key" && place.keys !== true) {
    return { message: `"${pattern}" names a key of a file, which only tests.config, protect and phases can do` };
  }
  const glob = read.kind === "set" ? pattern : read.glob;
  for (const [isBroken, message, repair] of GLOB_RULES) {
    if (!isBroken(glob)) continue;
    const suggestion = repair?.(pattern);
    const advice = suggestion === undefined ? "" : `: write "${suggestion}"`;
    return { message: `"${pattern}" ${message}${advice}`, ...(suggestion === undefined ? {} : { suggestion }) };
  }
  return null;
}

function setProblem(pattern: string, place: PatternPlace): { message: string; suggestion?: string } | null {
  if (!NAMED_SETS.some((name) => name === pattern)) {
    const near = nearest(pattern, NAMED_SETS);
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    const message = `"${pattern}" is no named set.${hint} The sets: ${NAMED_SETS.join(", ")}`;
    return { message, ...(near === undefined ? {} : { suggestion: near }) };
  }
  if (place.sets !== true) return { message: `"${pattern}" can only stand in the write rules of phases and roles` };
  if (place.allows === true && pattern === "$frozen") {
    return { message: '"$frozen" cannot be allowed: a frozen test is what the work is judged by' };
  }
  return null;
}

type GlobRule = readonly [isBroken: (glob: string) => boolean, message: string, repair?: (pattern: string) => string];

const GLOB_RULES: readonly GlobRule[] = [
  [(glob) => glob.trim() === "", "is empty: a glob names at least one path"],
  [(glob) => glob !== glob.trim(), "starts or ends with a space", (pattern) => pattern.trim()],
  [(glob) => /[\x00-\x1f\x7f\u2028\u2029]/.test(glob), "holds a control character"],
  [(glob) => /!\(/.test(glob), "holds !(, which names other paths than it seems to: name the exception in ask or deny"],
  [(glob) => glob.startsWith("!"), "starts with !, which is not read here: name the exception in ask or deny"],
  [(glob) => /^[A-Za-z]:[\\/]/.test(glob), "names a drive: globs start at the repository's root"],
  [
    (glob) => glob.startsWith("/"),
    "starts with /, but globs start at the repository's root",
    (p) => p.replace(/^\/+/, ""),
  ],
  [
    (glob) => /\\(?=[A-Za-z0-9]|$)/.test(glob),
    "holds a backslash, but paths are written with /",
    (p) => p.replaceAll("\\", "/"),
  ],
  [(glob) => /(^|\/)\.\.(\/|$)/.test(glob), "leads out of the repository: remove the .. segment"],
  [(glob) => /(^|\/)\.(\/|$)/.test(glob), "holds a . segment", (p) => p.replace(/(^|\/)(\.\/)+/g, "$1")],
  [(glob) => /\/\//.test(glob), "holds an empty segment", (p) => p.replace(/\/{2,}/g, "/")],
  [(glob) => glob.endsWith("/"), "names a directory, and rules name files", (pattern) => `${pattern}**`],
  [
    (glob) => glob.split(/[/{},()|]/).some((word) => word.includes("**") && word !== "**"),
    "holds ** inside a word, where it means the same as *",
    (pattern) => pattern.replace(/(^|\/)\*\*(?=[^/*])/g, "$1**/*"),
  ],
  [
    (glob) => /(^|\/)\*\*\/\*\*(\/|$)/.test(glob),
    "holds ** twice in a row",
    (pattern) => pattern.replace(/(\*\*\/)+(?=\*\*(\/|$))/g, ""),
  ],
  [(glob) => !isBalanced(glob), "opens a bracket or brace and never closes it, or closes one that is not open"],
  [
    (glob) => /(^|[^\\@!+*?])\(/.test(glob),
    "holds a bare parenthesis, which groups instead of naming a character",
    (pattern) => pattern.replace(/(^|[^\\@!+*?])\(([^()]*)\)/g, "$1\\($2\\)"),
  ],
  [(glob) => /\{-?\d+\.\.-?\d+/.test(glob), "holds a range of numbers: write the numbers out, as in {1,2,3}"],
  [(glob) => count(glob, /\*\*/g) > MAX_GLOBSTARS, `holds more than ${MAX_GLOBSTARS} times **`],
  [
    (glob) => glob.split("/").some((name) => name !== "**" && count(name, /\*+/g) > MAX_STARS_IN_NAME),
    `holds more than ${MAX_STARS_IN_NAME} times * in one name`,
  ],
  [(glob) => /[@!+*?]\([^)]*\//.test(glob), "holds a / inside a group: write the paths out"],
  [(glob) => /[+*]\([^)]*[*+(]/.test(glob), "repeats a group that holds a repetition: write it without the inner one"],
  [(glob) => !compiles(glob), "is no glob that can be read"],
];

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}

function isBalanced(glob: string): boolean {
  const open: string[] = [];
  for (let index = 0; index < glob.length; index++) {
    const character = glob[index] ?? "";
    if (character === "\\") index++;
    else if (character === "[") {
      const end = endOfClass(glob, index);
      if (end === index) return false;
      index = end;
    } else if (character === "{" || character === "(") {
      open.push(character);
    } else if (character === "}" || character === ")") {
      if (open.pop() !== (character === "}" ? "{" : "(")) return false;
    }
  }
  return open.length === 0;
}

function compiles(glob: string): boolean {
  try {
    compileGlob(glob);
    return true;
  } catch {
    return false;
  }
}

/** Whether one pointer lies at, above or below a place that the pattern names. */
export function pointersMeet(pattern: readonly string[], pointer: readonly string[]): boolean {
  const length = Math.min(pattern.length, pointer.length);
  for (let index = 0; index < length; index++) {
    if (!matchesParts((pattern[index] ?? "").split("*"), pointer[index] ?? "")) return false;
  }
  return true;
}

/** Whether the pointer lies at or below the pattern. */
export function pointerCovers(pattern: readonly string[], pointer: readonly string[]): boolean {
  return pointer.length >= pattern.length && pointersMeet(pattern, pointer);
}

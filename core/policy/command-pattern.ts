/** Patterns of argument lists, as an `allow` reads them: literally. This module is browser compatible. */
import { firstWordProblem, splitWords, type Word } from "./parse-command.ts";
import { matchesParts } from "./wildcard.ts";

export interface CommandPattern {
  readonly words: readonly PatternWord[];
  /** The pattern ends with a word `*`: any arguments may follow, or none. */
  readonly rest: boolean;
}

/** A word between wildcards: `a*b` has the parts `a` and `b`. One part: the word is literal. */
export interface PatternWord {
  readonly parts: readonly string[];
}

/** Reads a pattern that `commandPatternProblem` found fine; null where it is not. */
export function readCommandPattern(pattern: string): CommandPattern | null {
  const split = splitWords(pattern, { stars: true });
  if (!split.ok || split.words.length === 0) return null;
  const words = split.words.map((word) => ({ parts: partsOf(word) }));
  const rest = words.length > 1 && isOneStar(words.at(-1));
  return { words: rest ? words.slice(0, -1) : words, rest };
}

/** What is wrong with a pattern, as one sentence; null where it is fine. A `grant` has to name its program. */
export function commandPatternProblem(pattern: string, list: "grant" | "restrict"): string | null {
  const split = splitWords(pattern, { stars: true });
  const refused = split.ok ? firstWordProblem(split.words) : split;
  if (refused !== null && !refused.ok)
    return `"${pattern}" is no command pattern: ${refused.message} (column ${refused.column})`;
  const program = readCommandPattern(pattern)?.words[0];
  if (list === "grant" && (program === undefined || program.parts.length > 1)) {
    return `"${pattern}" does not name a program: what is granted names it literally, as in "npx vitest *"`;
  }
  return null;
}

function partsOf({ text, quoted }: Word): string[] {
  const parts: string[] = [];
  let part = "";
  for (let index = 0; index < text.length; index++) {
    if (text[index] === "*" && quoted[index] !== true) {
      parts.push(part);
      part = "";
    } else {
      part += text[index];
    }
  }
  return [...parts, part];
}

function isOneStar(word: PatternWord | undefined): boolean {
  return word !== undefined && word.parts.length === 2 && word.parts.every((part) => part === "");
}

/** Whether a word names this argument. */
export function wordMatches({ parts }: PatternWord, argument: string): boolean {
  return matchesParts(parts, argument);
}

/**
 * Whether an argument list is one that the pattern names, word for word. `wild` are the positions that a wildcard matched:
 * whoever grants something on it has to look at these. Null where it does not match.
 */
export function matchLiterally(
  pattern: CommandPattern,
  argv: readonly string[],
): { readonly wild: readonly number[] } | null {
  if (argv.length < pattern.words.length || (!pattern.rest && argv.length > pattern.words.length)) return null;
  const wild: number[] = [];
  for (const [index, word] of pattern.words.entries()) {
    const argument = argv[index] ?? "";
    if (!wordMatches(word, argument)) return null;
    if (word.parts.length === 1) continue;
    // `node scripts/*.mjs` names files below scripts, and no way out of it.
    if (hasParentSegment(argument) && !word.parts.some(hasParentSegment)) return null;
    wild.push(index);
  }
  for (let index = pattern.words.length; index < argv.length; index++) wild.push(index);
  return { wild };
}

function hasParentSegment(text: string): boolean {
  return /(^|[/\\=])\.\.([/\\]|$)/.test(text);
}

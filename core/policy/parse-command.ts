/**
 * One line as an argument list, by the quoting rules of the POSIX shell (Shell Command Language, 2.2 Quoting and 2.3 Token Recognition).
 * No shell ever runs the line, so whatever needs one is refused with the reason. This module is browser compatible.
 */

export type CommandCode =
  | "empty"
  | "too_long"
  | "unclosed_quote"
  | "trailing_backslash"
  | "newline"
  | "control_character"
  | "unicode_space"
  | "pipe"
  | "chain"
  | "background"
  | "redirection"
  | "subshell"
  | "substitution"
  | "variable"
  | "glob"
  | "brace_expansion"
  | "tilde"
  | "comment"
  | "negation"
  | "env_assignment"
  | "shell_builtin";

export type ParsedCommand =
  | { readonly ok: true; readonly argv: readonly string[] }
  | {
      readonly ok: false;
      readonly code: CommandCode;
      /** One sentence: what is there, and what to do. */
      readonly message: string;
      /** Where in the line, 1-based. */
      readonly column: number;
    };

const MESSAGES: Readonly<Record<CommandCode, string>> = {
  empty: "the command is empty",
  too_long: "the command is longer than 32768 characters",
  unclosed_quote: "a quote is opened and never closed",
  trailing_backslash: "the command ends with a backslash, which would join it to a next line",
  newline: "a line break would start a second command: give one command",
  control_character: "a control character stands in the command",
  unicode_space: "a space that is not the plain one stands in the command: a person cannot see where words end",
  pipe: "a pipe needs a shell: run the commands one by one, or quote the |",
  chain: "; && and || need a shell: run the commands one by one, or quote them",
  background: "& needs a shell: commands run in the foreground; quote it where it is meant as text",
  redirection: "a redirection needs a shell: the output is returned anyway; quote < or > where it is meant as text",
  subshell: "parentheses and braces around commands need a shell: quote them where they are meant as text",
  substitution: "a command substitution needs a shell: put the text itself there",
  variable: "a variable needs a shell: put its value there, or use single quotes where $ is meant as text",
  glob: "no shell expands * ? [ here: name the files, or quote the pattern where the program itself reads it",
  brace_expansion: "no shell expands braces here: write the words out, or quote them",
  tilde: "no shell expands ~ here: write the path out, or quote it",
  comment: "# would start a comment: quote it where it is meant as text",
  negation: "! before a command needs a shell",
  env_assignment: "a variable set before the command needs a shell: the environment is the host's",
  shell_builtin: "is part of the shell and no program: every command starts at the repository's root",
};

/** Commands that exist inside a shell alone. */
const BUILTINS = new Set(
  (
    "cd source . eval exec export alias unalias set unset pushd popd umask ulimit trap wait builtin command type hash readonly local " +
    "declare typeset shift return break continue bg fg jobs let read times if then else elif fi for while until do done case esac " +
    "function select coproc [["
  ).split(" "),
);

/** A word, and for each of its characters whether a quote or a backslash made it plain text. */
export interface Word {
  readonly text: string;
  readonly quoted: readonly boolean[];
  readonly column: number;
}

export type Words =
  | { readonly ok: true; readonly words: readonly Word[] }
  | Extract<ParsedCommand, { readonly ok: false }>;

/**
 * Splits a command line into its arguments.
 *
 * @example
 * ```ts
 * import { parseCommand } from "yada-runtime";
 * parseCommand("npx vitest run 'a b.test.ts'"); // { ok: true, argv: ["npx", "vitest", "run", "a b.test.ts"] }
 * parseCommand("npm test && rm -rf .").ok; // false
 * ```
 */
export function parseCommand(line: string): ParsedCommand {
  const split = splitWords(line, { stars: false });
  if (!split.ok) return split;
  return firstWordProblem(split.words) ?? { ok: true, argv: split.words.map(({ text }) => text) };
}

/** Why no program starts with this first word, or null. */
export function firstWordProblem(words: readonly Word[]): Extract<ParsedCommand, { ok: false }> | null {
  const [first] = words;
  if (first === undefined) return refusal("empty", 0);
  // The value may be quoted, the name and the = not.
  const assignment = /^[A-Za-z_]\w*\+?=/.exec(first.text);
  if (assignment !== null && !first.quoted.slice(0, assignment[0].length).includes(true)) {
    return refusal("env_assignment", first.column - 1);
  }
  if (first.text === "!") return refusal("negation", first.column - 1);
  if (first.text === "{" || first.text === "}") return refusal("subshell", first.column - 1);
  if (BUILTINS.has(first.text)) {
    return {
      ok: false,
      code: "shell_builtin",
      message: `${first.text} ${MESSAGES.shell_builtin}`,
      column: first.column,
    };
  }
  return first.text === "" ? refusal("empty", first.column - 1) : null;
}

/** Splits a line into words. With `stars`, an unquoted `*` is text that its reader will see as a wildcard. */
export function splitWords(line: string, options: { readonly stars: boolean }): Words {
  if (line.length > 32_768) return refusal("too_long", 0);
  const strange = findStrange(line);
  if (strange !== null) return refusal(strange.code, strange.index);

  const words: Word[] = [];
  let text = "";
  let quoted: boolean[] = [];
  let start = -1;
  const add = (character: string, isQuoted: boolean, index: number) => {
    if (start < 0) start = index;
    text += character;
    for (let unit = 0; unit < character.length; unit++) quoted.push(isQuoted);
  };
  const end = () => {
    if (start >= 0) words.push({ text, quoted, column: start + 1 });
    text = "";
    quoted = [];
    start = -1;
  };

  let index = 0;
  while (index < line.length) {
    const character = line[index] ?? "";
    if (character === " " || character === "\t") {
      end();
      index++;
    } else if (character === "'") {
      const close = line.indexOf("'", index + 1);
      if (close < 0) return refusal("unclosed_quote", index);
      add(line.slice(index + 1, close), true, index);
      index = close + 1;
    } else if (character === '"') {
      const inside = doubleQuoted(line, index);
      if (!inside.ok) return inside.refused;
      add(inside.text, true, index);
      index = inside.end;
    } else if (character === "\\") {
      if (index + 1 >= line.length) return refusal("trailing_backslash", index);
      add(line[index + 1] ?? "", true, index);
      index += 2;
    } else {
      const code = unquotedProblem(line, index, start < 0, options.stars);
      if (code !== null) return refusal(code, index);
      add(character, false, index);
      index++;
    }
  }
  end();
  return { ok: true, words };
}

function refusal(code: CommandCode, index: number): Extract<ParsedCommand, { ok: false }> {
  return { ok: false, code, message: MESSAGES[code], column: index + 1 };
}

/** Characters that no word may hold, quoted or not. */
function findStrange(line: string): { code: CommandCode; index: number } | null {
  const index = line.search(/[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]/);
  if (index < 0) return null;
  return { code: /[\n\r\x85\u2028\u2029]/.test(line[index] ?? "") ? "newline" : "control_character", index };
}

/** Spaces that are not the plain one, and characters that show as nothing or turn the text around. */
const ODD_SPACE = /(?! )[\p{Zs}\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\u2800\u3164\ufeff\uffa0]/u;

type DoubleQuoted =
  | { ok: true; text: string; end: number }
  | { ok: false; refused: Extract<ParsedCommand, { ok: false }> };

/** The text between double quotes: a backslash escapes `$`, a backquote, `"` and itself, and stays before anything else. */
function doubleQuoted(line: string, open: number): DoubleQuoted {
  let text = "";
  let index = open + 1;
  while (index < line.length) {
    const character = line[index] ?? "";
    if (character === '"') return { ok: true, text, end: index + 1 };
    if (character === "\\" && /[$`"\\]/.test(line[index + 1] ?? "")) {
      text += line[index + 1];
      index += 2;
      continue;
    }
    if (character === "`") return { ok: false, refused: refusal("substitution", index) };
    if (character === "$" && expands(line, index))
      return { ok: false, refused: refusal(dollarCode(line, index), index) };
    text += character;
    index++;
  }
  return { ok: false, refused: refusal("unclosed_quote", open) };
}

/** Whether a shell would replace what follows this `$`. */
function expands(line: string, index: number): boolean {
  return /[A-Za-z0-9_({@*#?$!'"-]/.test(line[index + 1] ?? "");
}

function dollarCode(line: string, index: number): CommandCode {
  return line[index + 1] === "(" ? "substitution" : "variable";
}

function unquotedProblem(line: string, index: number, startsWord: boolean, stars: boolean): CommandCode | null {
  const character = line[index];
  const next = line[index + 1];
  switch (character) {
    case "|":
      return next === "|" ? "chain" : "pipe";
    case "&":
      if (next === "&") return "chain";
      return next === ">" ? "redirection" : "background";
    case ";":
      return "chain";
    case "<":
    case ">":
      return next === "(" ? "substitution" : "redirection";
    case "(":
    case ")":
      return "subshell";
    case "`":
      return "substitution";
    case "$":
      return expands(line, index) ? dollarCode(line, index) : null;
    case "*":
      return stars ? null : "glob";
    case "?":
    case "[":
      return "glob";
    case "~":
      return startsWord || /[=:]/.test(line[index - 1] ?? "") ? "tilde" : null;
    case "#":
      return startsWord ? "comment" : null;
    case "{":
      return /^\{[^{}\s]*(,|\.\.)[^{}\s]*\}/.test(line.slice(index)) ? "brace_expansion" : null;
    default:
      return ODD_SPACE.test(character ?? "") ? "unicode_space" : null;
  }
}

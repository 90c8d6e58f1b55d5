/**
 * What an argument list may come to run: itself, and the commands inside wrappers, options and shell text. A `deny` or `ask` is held against
 * all of these readings. This module is browser compatible.
 *
 * Where a form can be read with certainty, so is the reading; where it cannot, it is marked, and the decision is to ask.
 */
import { splitWords } from "./parse-command.ts";
import { canonicalProgram } from "./program.ts";
import { CARRIERS, GIT_COMMANDS, GIT_GLOBALS, INTERPRETERS, type Options, SHELLS, WRAPPERS } from "./wrappers.ts";

export interface Reading {
  /** The program in its canonical form, then its arguments. */
  readonly argv: readonly string[];
  readonly certain: boolean;
  /** More arguments may follow that nobody can see: `xargs git`. */
  readonly open: boolean;
}

export interface CommandReadings {
  /** The first one is the command as it stands, without what its program's global options say. */
  readonly readings: readonly Reading[];
  /** Code and shell text that cannot be read. `dynamic`: it may name any program. */
  readonly opaque: readonly { readonly text: string; readonly dynamic: boolean }[];
}

const MAX_DEPTH = 8;
const MAX_READINGS = 200;

interface Collector {
  readonly readings: Reading[];
  readonly opaque: { text: string; dynamic: boolean }[];
}

export function readCommand(argv: readonly string[]): CommandReadings {
  const found: Collector = { readings: [], opaque: [] };
  expand(argv, { certain: true, open: false }, 0, found);
  return found;
}

interface Sureness {
  readonly certain: boolean;
  readonly open: boolean;
}

function expand(argv: readonly string[], sure: Sureness, depth: number, found: Collector): void {
  const [word = "", ...rest] = argv;
  if (depth > MAX_DEPTH || found.readings.length >= MAX_READINGS) {
    found.opaque.push({ text: argv.join(" "), dynamic: true });
    return;
  }
  const program = canonicalProgram(word);
  const next = depth + 1;

  // git runs `git-push` for `git push`.
  if (program.startsWith("git-") && program.length > 4) {
    expand(["git", program.slice(4), ...rest], sure, next, found);
    return;
  }
  if (program === "git") {
    readGit(rest, sure, next, found);
    return;
  }
  found.readings.push({ argv: [program, ...rest], ...sure });

  if (SHELLS.has(program)) readShell(program, rest, sure, next, found);
  else if (program === "eval") expandShell(rest.join(" "), sure, next, found);
  else if (program === "find") readFind(rest, sure, next, found);
  else if (program === "npm") readNpm(rest, sure, next, found);
  else if (INTERPRETERS.has(program)) readInterpreter(program, rest, sure, next, found);

  const wrapper = WRAPPERS.get(program);
  if (wrapper !== undefined) readWrapper(rest, wrapper, sure, next, found);
  else if (CARRIERS.has(program)) scan(rest, sure, next, found);
}

/** Skips a program's own options. Null where one of them is unknown. */
function skipOptions(
  args: readonly string[],
  options: Options,
): { rest: readonly string[]; values: ReadonlyMap<string, string[]> } | null {
  const values = new Map<string, string[]>();
  const keep = (flag: string, value: string) => values.set(flag, [...(values.get(flag) ?? []), value]);
  let index = 0;
  while (index < args.length) {
    const argument = args[index] ?? "";
    if (argument === "--") return { rest: args.slice(index + 1), values };
    if (options.assignments === true && /^[^=-][^=]*=/.test(argument)) {
      index++;
      continue;
    }
    if (!argument.startsWith("-") || argument === "-") break;
    const equals = argument.indexOf("=");
    const flag = equals < 0 ? argument : argument.slice(0, equals);
    if (options.valued.has(flag)) {
      keep(flag, equals < 0 ? (args[index + 1] ?? "") : argument.slice(equals + 1));
      index += equals < 0 ? 2 : 1;
    } else if (options.flags.has(flag)) {
      index++;
    } else if (!argument.startsWith("--") && options.valued.has(argument.slice(0, 2))) {
      keep(argument.slice(0, 2), argument.slice(2));
      index++;
    } else if (
      /^-[A-Za-z]{2,}$/.test(argument) &&
      [...argument.slice(1)].every((letter) => options.flags.has(`-${letter}`))
    ) {
      index++;
    } else if (options.numeric === true && /^-\d+$/.test(argument)) {
      index++;
    } else {
      return null;
    }
  }
  return { rest: args.slice(index), values };
}

function readWrapper(args: readonly string[], wrapper: Options, sure: Sureness, depth: number, found: Collector): void {
  const skipped = skipOptions(args, wrapper);
  if (skipped === null) {
    scan(args, sure, depth, found);
    return;
  }
  for (const flag of wrapper.shell ?? []) {
    for (const text of skipped.values.get(flag) ?? [])
      expandShell([text, ...skipped.rest].join(" "), sure, depth, found);
  }
  let rest = skipped.rest.slice(wrapper.positionals ?? 0);
  if (wrapper.assignments === true) {
    while (/^[^=]+=/.test(rest[0] ?? "")) rest = rest.slice(1);
  }
  const subcommands = wrapper.subcommands;
  if (subcommands !== undefined) {
    const sub = rest[0] ?? "";
    if (!subcommands.has(sub)) return;
    const inner: Options = { ...wrapper, subcommands: undefined };
    readWrapper(rest.slice(1), inner, sure, depth, found);
    return;
  }
  if (rest.length === 0) return;
  const [name = "", ...more] = rest;
  const unversioned = wrapper.packages === true ? name.replace(/^(@[^/]+\/)?([^@]+)@.*$/, "$1$2") : name;
  expand([unversioned, ...more], { certain: sure.certain, open: sure.open || wrapper.appends === true }, depth, found);
}

/** Every place where a command may start inside these arguments. Nothing of it is certain. */
function scan(args: readonly string[], sure: Sureness, depth: number, found: Collector): void {
  const unsure = { certain: false, open: sure.open };
  for (const [index, argument] of args.entries()) {
    if (/\s/.test(argument)) expandShell(argument, unsure, depth, found);
    else if (!argument.startsWith("-")) expand(args.slice(index), unsure, depth, found);
  }
}

function readShell(program: string, args: readonly string[], sure: Sureness, depth: number, found: Collector): void {
  const joins = /^(cmd|powershell|pwsh)$/.test(program);
  let reads = false;
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? "";
    if (/^(\/c|\/k|-command|-c)$/i.test(argument) && !reads) {
      reads = true;
    } else if (/^-enc/i.test(argument)) {
      found.opaque.push({ text: args.join(" "), dynamic: true });
      return;
    } else if (/^[-+][A-Za-z]*o$/.test(argument) || /^--(rcfile|init-file)$/.test(argument)) {
      if (/^[-+][A-Za-z]*c/.test(argument)) reads = true;
      index++;
    } else if (/^[-+]/.test(argument)) {
      if (/^-[A-Za-z]*c/.test(argument)) reads = true;
      else if (/^--command=/.test(argument)) expandShell(argument.slice("--command=".length), sure, depth, found);
      else if (argument === "--command") reads = true;
    } else {
      // What follows is the rest of the command on Windows; elsewhere it is what `$0` and `$1` stand for.
      if (reads) expandShell(joins ? args.slice(index).join(" ") : argument, sure, depth, found);
      return;
    }
  }
}

function readFind(args: readonly string[], sure: Sureness, depth: number, found: Collector): void {
  for (const [index, argument] of args.entries()) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(argument)) continue;
    const inner = args.slice(index + 1);
    const end = inner.findIndex((word) => word === ";" || word === "+");
    expand(end < 0 ? inner : inner.slice(0, end), sure, depth, found);
  }
}

function readNpm(args: readonly string[], sure: Sureness, depth: number, found: Collector): void {
  for (const [index, argument] of args.entries()) {
    if (argument === "exec" || argument === "x") {
      expand(["npx", ...args.slice(index + 1)], { ...sure, certain: sure.certain && index === 0 }, depth, found);
      return;
    }
  }
}

function readInterpreter(
  program: string,
  args: readonly string[],
  sure: Sureness,
  depth: number,
  found: Collector,
): void {
  const codeFlags = INTERPRETERS.get(program) ?? [];
  for (const [index, argument] of args.entries()) {
    const flag = codeFlags.find((candidate) =>
      candidate.startsWith("--")
        ? argument === candidate || argument.startsWith(`${candidate}=`)
        : argument.startsWith(candidate),
    );
    if (flag !== undefined) found.opaque.push({ text: `${argument} ${args[index + 1] ?? ""}`, dynamic: false });
    if (program === "python" && argument === "-m" && args[index + 1] !== undefined)
      expand(args.slice(index + 1), sure, depth, found);
  }
  if (codeFlags.length === 0 && args[0] !== undefined) found.opaque.push({ text: args.join(" "), dynamic: false });
}

function readGit(args: readonly string[], sure: Sureness, depth: number, found: Collector): void {
  const skipped = skipOptions(args, GIT_GLOBALS);
  if (skipped === null) {
    found.readings.push({ argv: ["git", ...args], certain: sure.certain, open: sure.open });
    found.readings.push({ argv: ["git"], certain: false, open: true });
    return;
  }
  const [sub = "", ...rest] = skipped.rest;
  found.readings.push({ argv: ["git", ...skipped.rest], ...sure });

  const settings = skipped.values.get("-c") ?? [];
  let isAliased = false;
  for (const setting of settings) {
    const alias = /^alias\.(?:([^=]+)\.command|([^=]+))=(.*)$/is.exec(setting);
    if (alias === null) {
      // A setting can name a program (core.pager, diff.external, core.sshCommand).
      if (setting.includes("=")) found.opaque.push({ text: setting, dynamic: /!|include\./i.test(setting) });
      continue;
    }
    if ((alias[1] ?? alias[2] ?? "").toLowerCase() !== sub.toLowerCase()) continue;
    isAliased = true;
    const value = alias[3] ?? "";
    if (value.trimStart().startsWith("!")) {
      expandShell([value.trimStart().slice(1), ...rest].join(" "), sure, depth, found);
      continue;
    }
    const words = splitWords(value, { stars: true });
    if (words.ok) expand(["git", ...words.words.map(({ text }) => text), ...rest], sure, depth, found);
    else found.opaque.push({ text: value, dynamic: true });
  }
  // An alias of the repository or of the person can stand behind any other word.
  const isUnknown = sub !== "" && !GIT_COMMANDS.has(sub) && !isAliased;
  if (isUnknown || skipped.values.has("--config-env"))
    found.readings.push({ argv: ["git"], certain: false, open: true });

  for (const [index, argument] of rest.entries()) {
    const joined = /^--(?:exec|extcmd)=(.*)$/s.exec(argument)?.[1];
    if (joined !== undefined) expandShell(joined, sure, depth, found);
    else if (/^(--exec|--extcmd|-x)$/.test(argument)) expandShell(rest[index + 1] ?? "", sure, depth, found);
  }
  if (sub === "bisect" && rest[0] === "run") expand(rest.slice(1), sure, depth, found);
  if (sub === "submodule") {
    const each = rest.indexOf("foreach");
    if (each >= 0)
      expandShell(
        rest
          .slice(each + 1)
          .filter((word) => word !== "--recursive")
          .join(" "),
        sure,
        depth,
        found,
      );
  }
}

/** What may stand before the program of a simple command. */
const BEFORE_COMMAND =
  /^(?:\s*(?:[!({]|(?:if|then|else|elif|do|while|until|time)(?=\s)|[A-Za-z_]\w*=[^\s"'`$\\]*(?=\s|$)))+/;
const REDIRECTION = /\d*(?:<|>>?)&?\s*[^\s<>]+/g;

/** Text that a shell would run: its simple commands, as far as they can be read. */
function expandShell(text: string, sure: Sureness, depth: number, found: Collector): void {
  if (text.trim() === "") return;
  for (const piece of simpleCommands(text)) {
    const bare = piece
      .replace(BEFORE_COMMAND, "")
      .replace(/\s*[)}]+\s*$/, "")
      .trim();
    if (bare === "" || /^(fi|done|esac)$/.test(bare)) continue;
    const whole = splitWords(bare, { stars: true });
    const words = whole.ok ? whole : splitWords(bare.replace(REDIRECTION, " "), { stars: true });
    const parsed = words.ok ? words.words.map((word) => word.text) : null;
    if (parsed === null || parsed.length === 0) found.opaque.push({ text: piece, dynamic: true });
    else expand(parsed, sure, depth, found);
  }
}

/** The text split at the operators of a shell that stand outside quotes. */
function simpleCommands(text: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  let quote = "";
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    if (character === "\\" && quote !== "'") {
      piece += character + (text[++index] ?? "");
    } else if (quote !== "") {
      if (character === quote) quote = "";
      piece += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      piece += character;
    } else if (/[;&|\n\r]/.test(character) && !/[<>]/.test(text[index - 1] ?? "") && text[index + 1] !== ">") {
      pieces.push(piece);
      piece = "";
    } else {
      piece += character;
    }
  }
  return [...pieces, piece].filter((one) => one.trim() !== "");
}

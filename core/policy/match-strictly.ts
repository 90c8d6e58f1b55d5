/**
 * Whether a command is one that a `deny` or an `ask` means, however it is written. This module is browser compatible.
 *
 * Flags of the pattern may stand anywhere, joined or clustered; other words stand in the order of the pattern, with options between them.
 */
import { type CommandPattern, type PatternWord, wordMatches } from "./command-pattern.ts";
import { canonicalProgram } from "./program.ts";
import type { CommandReadings, Reading } from "./read-command.ts";

export type Strictness = "yes" | "maybe" | "no";

/** A pattern made ready: its program in canonical form, its flags apart from its other words. */
export interface StrictPattern {
  readonly program: PatternWord;
  readonly positionals: readonly PatternWord[];
  readonly flags: readonly string[];
  readonly rest: boolean;
}

export function strictPattern(pattern: CommandPattern): StrictPattern | null {
  const [first, ...others] = pattern.words;
  if (first === undefined) return null;
  const program = first.parts.length === 1 ? canonicalProgram(first.parts[0] ?? "") : null;
  const isFlag = ({ parts }: PatternWord) => parts.length === 1 && /^-./.test(parts[0] ?? "") && parts[0] !== "--";
  const positionals = others.filter((word) => !isFlag(word));
  return {
    program: program === null ? first : { parts: [program] },
    positionals: program === null ? positionals : canonicalWords(program, positionals),
    flags: others.filter(isFlag).map(({ parts }) => parts[0] ?? ""),
    rest: pattern.rest,
  };
}

/** The strongest answer over all readings of a command. */
export function matchStrictly(pattern: StrictPattern, command: CommandReadings): Strictness {
  let answer: Strictness = "no";
  for (const reading of command.readings) {
    const found = matchReading(pattern, reading);
    if (found === "yes") return "yes";
    if (found === "maybe") answer = "maybe";
  }
  if (answer === "maybe") return answer;
  return command.opaque.some(({ text, dynamic }) => dynamic || mentions(text, pattern.program)) ? "maybe" : "no";
}

export function matchReading(pattern: StrictPattern, { argv, certain, open }: Reading): Strictness {
  const [program = "", ...given] = argv;
  if (!wordMatches(pattern.program, program)) return "no";
  const args = canonicalArguments(program, given);
  const order = matchPositionals(pattern, args, open);
  if (order === "no") return "no";
  const flags = pattern.flags.map((flag) => hasFlag(program, flag, args, open));
  if (flags.includes("no")) return "no";
  return order === "maybe" || flags.includes("maybe") || !certain ? "maybe" : "yes";
}

function matchPositionals({ positionals, rest }: StrictPattern, args: readonly string[], open: boolean): Strictness {
  let isCertain = true;
  let index = 0;
  for (const wanted of positionals) {
    let previousIsFlag = false;
    for (;;) {
      const argument = args[index];
      if (argument === undefined) return open ? "maybe" : "no";
      index++;
      if (wordMatches(wanted, argument) && (wanted.parts.length === 1 || !argument.startsWith("-"))) break;
      if (argument.startsWith("-")) {
        previousIsFlag = argument !== "--" && !argument.includes("=");
      } else if (previousIsFlag) {
        // This word may be the value of the flag before it, or the command's own.
        isCertain = false;
        previousIsFlag = false;
      } else {
        return "no";
      }
    }
  }
  const extra = args.slice(index).filter((argument) => !argument.startsWith("-"));
  if (!rest && extra.length > 0) {
    // `-m text`: a word after a flag may be its value.
    const firstIsValue = args[args.indexOf(extra[0] ?? "", index) - 1]?.startsWith("-") === true;
    return firstIsValue ? "maybe" : "no";
  }
  return isCertain ? "yes" : "maybe";
}

function hasFlag(program: string, flag: string, args: readonly string[], open: boolean): Strictness {
  const wanted = [
    flag,
    ...(SAME_FLAGS.find(([owner, ...names]) => owner === program && names.includes(flag)) ?? []).slice(1),
  ];
  let answer: Strictness = open ? "maybe" : "no";
  for (const [index, argument] of args.entries()) {
    for (const name of wanted) {
      const found = flagGiven(name, argument, args[index + 1]);
      if (found === "yes") return "yes";
      if (found === "maybe") answer = "maybe";
    }
  }
  // `-rf` stands for `-r -f`.
  if (answer === "no" && /^-[A-Za-z]{2,}$/.test(flag)) {
    const letters = [...flag.slice(1)].map((letter) => hasFlag(program, `-${letter}`, args, open));
    if (letters.every((found) => found === "yes")) return "yes";
    if (!letters.includes("no")) return "maybe";
  }
  return answer;
}

function flagGiven(wanted: string, argument: string, next: string | undefined): Strictness {
  if (argument === wanted) return "yes";
  const [name = "", ...value] = argument.split("=");
  const [wantedName = "", ...wantedValue] = wanted.split("=");
  if (wantedValue.length > 0) {
    if (name !== wantedName) return "no";
    return (value.length > 0 ? value.join("=") : next) === wantedValue.join("=") ? "yes" : "no";
  }
  if (name === wanted) return "yes";
  if (wanted.startsWith("--"))
    return name.startsWith("--") && name.length > 3 && wanted.startsWith(name) ? "maybe" : "no";
  if (wanted.length === 2 && /^-[^-]/.test(argument)) {
    if (/^-[A-Za-z]+$/.test(argument) && argument.includes(wanted.slice(1))) return "yes";
    if (argument.startsWith(wanted)) return "yes";
  }
  return "no";
}

const SAME_FLAGS: readonly (readonly string[])[] = [
  ["rm", "-r", "-R", "--recursive"],
  ["rm", "-f", "--force"],
  ["git", "-f", "--force"],
  ["git", "-n", "--no-verify"],
  ["npm", "-g", "--global"],
];

/** Names that one program has for one command. npm also takes any beginning that only one command has. */
const SAME_COMMANDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  npm: Object.fromEntries(
    Object.entries({
      install: "i in ins inst insta instal isnt isnta isntal isntall add",
      "install-test": "it cit",
      ci: "clean-install ic install-clean isntall-clean",
      uninstall: "un unlink remove rm r",
      update: "up upgrade udpate",
      run: "run-script rum urn",
      test: "tst t",
      exec: "x",
      publish: "pub publi publis",
      config: "c",
      link: "ln",
      login: "adduser add-user",
      list: "ls la ll",
      view: "v info show",
      init: "create innit",
    }).flatMap(([name, others]) => others.split(" ").map((other) => [other, name])),
  ),
  pnpm: { i: "install", rm: "remove", uninstall: "remove", un: "remove", up: "update", upgrade: "update" },
  cargo: { b: "build", c: "check", d: "doc", t: "test", r: "run", rm: "remove" },
  gh: { co: "checkout" },
};

function canonicalWords(program: string, positionals: readonly PatternWord[]): readonly PatternWord[] {
  const [first, ...others] = positionals;
  if (first === undefined || first.parts.length > 1) return positionals;
  return [{ parts: [sameCommand(program, first.parts[0] ?? "")] }, ...others];
}

function canonicalArguments(program: string, args: readonly string[]): readonly string[] {
  const names = SAME_COMMANDS[program];
  if (names === undefined) return args;
  return args.map((argument, index) => {
    const before = args.slice(0, index);
    // Only the first word that is no flag can be the command; a word after a flag may be its value.
    return before.every((word, at) => word.startsWith("-") || args[at - 1]?.startsWith("-"))
      ? sameCommand(program, argument)
      : argument;
  });
}

function sameCommand(program: string, word: string): string {
  const names = SAME_COMMANDS[program];
  return names !== undefined && Object.hasOwn(names, word) ? (names[word] ?? word) : word;
}

/** Whether a text names the program anywhere, quotes and backslashes inside the name not counted. */
function mentions(text: string, program: PatternWord): boolean {
  if (program.parts.length > 1) return true;
  return text
    .replace(/['"`\\+\s]/g, "")
    .toLowerCase()
    .includes(program.parts[0] ?? "");
}

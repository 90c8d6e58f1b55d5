/** Commands that only name a script of package.json (`npm test`), rewritten into what the script runs. */
import type { FileView } from "../../../core/plugin/mod.ts";
import { readAssignments } from "./launch.ts";
import { splitWords } from "./words.ts";

export type ResolvedScript = { readonly argv: readonly string[] } | { readonly why: string };

/** A script may name a script, which may name another. */
const MAX_DEPTH = 5;

/**
 * Null where the command names no script, so that it stands as it is. `why` is one sentence for the person: the script is missing, needs a
 * shell, has a `pre` script, or is called with options that only the package manager understands.
 */
export async function resolvePackageScript(argv: readonly string[], files: FileView): Promise<ResolvedScript | null> {
  let current = argv;
  for (let depth = 0; ; depth++) {
    const call = readScriptCall(current);
    if (call === null) return depth === 0 ? null : { argv: current };
    if ("why" in call) return call;
    if (depth === MAX_DEPTH) return { why: `The script "${call.script}" of package.json leads back to itself.` };
    const scripts = await readScripts(files);
    if (scripts === null) return { why: "package.json is missing, or no JSON object." };
    const line = scripts[call.script];
    if (line === undefined) {
      if (call.maybeExecutable) return depth === 0 ? null : { argv: current };
      return { why: `package.json has no script "${call.script}".` };
    }
    const before = scripts[`pre${call.script}`];
    if (before !== undefined && before.trim() !== "") {
      return {
        why: `package.json runs "pre${call.script}" before "${call.script}": name the test command itself in tests.command, and what has to be built in tests.build.`,
      };
    }
    const split = splitWords(line);
    if ("why" in split) {
      return {
        why: `The script "${call.script}" of package.json is no plain command: ${split.why}. Name the test command itself.`,
      };
    }
    if (split.words.length === 0) return { why: `The script "${call.script}" of package.json is empty.` };
    // `A=1 vitest` is for a shell; `env A=1 vitest` says the same in an argument list.
    const assigned = /^[A-Za-z_][A-Za-z0-9_]*=/.test(split.words[0] ?? "");
    const outer = assignments(current);
    const inner = assigned ? ["env", ...split.words] : split.words;
    current = [...outer, ...inner, ...call.extra];
  }
}

interface ScriptCall {
  readonly script: string;
  readonly extra: readonly string[];
  /** `yarn vitest` and `pnpm vitest` start an executable where no script has that name. */
  readonly maybeExecutable: boolean;
}

/** Commands of the package managers that are no scripts. */
const YARN_COMMANDS: ReadonlySet<string> = new Set([
  "exec",
  "dlx",
  "add",
  "install",
  "node",
  "workspace",
  "workspaces",
  "create",
]);
const PNPM_COMMANDS: ReadonlySet<string> = new Set(["exec", "dlx", "add", "install", "i", "create", "node"]);

function readScriptCall(argv: readonly string[]): ScriptCall | { why: string } | null {
  const { rest } = readAssignments(argv);
  const [manager, ...words] = rest;
  switch (manager) {
    case "npm":
      return readNpm(words);
    case "yarn":
      return readPassThrough(words, YARN_COMMANDS);
    case "pnpm":
      return readPassThrough(words, PNPM_COMMANDS);
    default:
      return null;
  }
}

/** `npm test`, `npm run X`: words pass on, but npm takes options before `--` for itself. */
function readNpm(words: readonly string[]): ScriptCall | { why: string } | null {
  const dashes = words.indexOf("--");
  const own = (dashes < 0 ? words : words.slice(0, dashes)).filter((word) => !/^(-s|--silent)$/.test(word));
  const after = dashes < 0 ? [] : words.slice(dashes + 1);
  const [command, ...more] = own;
  const isTest = command === "test" || command === "t" || command === "tst";
  if (!isTest && command !== "run" && command !== "run-script") {
    return own.some((word) => word.startsWith("-")) && own.some((word) => /^(test|run|run-script)$/.test(word))
      ? { why: optionsBefore("npm", own) }
      : null;
  }
  if (own.some((word) => word.startsWith("-"))) return { why: optionsBefore("npm", own) };
  const script = isTest ? "test" : more[0];
  if (script === undefined) return { why: "npm run needs the name of a script." };
  return { script, extra: [...(isTest ? more : more.slice(1)), ...after], maybeExecutable: false };
}

/** yarn and pnpm hand on every word after the script's name. Yarn 1 takes a first `--` away; vitest and node read it as "no more options". */
function readPassThrough(words: readonly string[], commands: ReadonlySet<string>): ScriptCall | { why: string } | null {
  const own = words.filter((word, index) => !(index === 0 && /^(-s|--silent)$/.test(word)));
  const explicit = own[0] === "run" || own[0] === "run-script";
  const [script, ...rest] = explicit ? own.slice(1) : own;
  if (script === undefined || (!explicit && commands.has(script))) return null;
  if (script.startsWith("-")) return { why: optionsBefore("the package manager", own) };
  const name = script === "t" ? "test" : script;
  const extra = rest[0] === "--" ? rest.slice(1) : rest;
  return { script: name, extra, maybeExecutable: true };
}

function optionsBefore(manager: string, words: readonly string[]): string {
  const option = words.find((word) => word.startsWith("-")) ?? "";
  return `"${option}" is an option of ${manager}, which cannot be read here: put options of the tests after "--".`;
}

function assignments(argv: readonly string[]): readonly string[] {
  const entries = Object.entries(readAssignments(argv).env);
  return entries.length === 0 ? [] : ["env", ...entries.map(([name, value]) => `${name}=${value}`)];
}

async function readScripts(files: FileView): Promise<Record<string, string> | null> {
  const text = await files.text("package.json");
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const scripts: unknown = "scripts" in value ? value.scripts : {};
  if (typeof scripts !== "object" || scripts === null) return {};
  return Object.fromEntries(
    Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

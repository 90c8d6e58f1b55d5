/** `node --test` commands: which are understood, and how one is made to report. */
import type { FileView, Prepared } from "../../../core/plugin/mod.ts";
import { readAssignments, readLaunch, resolvePackageScript } from "../javascript/mod.ts";
import { type NodeArguments, type Option, readNodeArguments } from "./arguments.ts";
import { isMagic, source as operandsSource } from "./operands.ts";
import { source as preloadSource } from "./preload.generated.ts";
import { source as reporterSource } from "./reporter.generated.ts";
import { withQuotedGlobs } from "./script-globs.ts";

/** Options that the adapter sets itself, that judge something else than tests, or that make no sense for one run without a person. */
const REPLACED =
  /^--(test-reporter|test-reporter-destination|watch|watch-path|watch-preserve-output|experimental-test-coverage|test-coverage-.+|inspect|inspect-brk|inspect-wait|inspect-port|debug-port)$/;

/** Options with which the command runs no tests, or tests that cannot be evidence. The reason in words. */
const REFUSED: Readonly<Record<string, string>> = {
  "--test-shard": "it runs only a part of the files",
  "--test-rerun-failures": "it leaves out tests by what an earlier run recorded",
  "--test-update-snapshots": "it rewrites snapshots, so that a wrong result becomes the expected one",
};

const NO_RUN = new Set([
  "--eval",
  "--print",
  "--check",
  "--interactive",
  "--help",
  "--version",
  "--run",
  "--v8-options",
]);

interface TestCommand extends NodeArguments {
  readonly env: Readonly<Record<string, string>>;
  /** The words that start Node: `node`, a path of it, or `tsx`, which is Node with a loader. */
  readonly command: readonly string[];
}

/** Null where the words are no `node --test`. */
function readTestCommand(argv: readonly string[]): TestCommand | null {
  const { env, rest } = readAssignments(argv);
  const tsx = readLaunch(rest, "tsx");
  const [first, ...args] = rest;
  const start =
    tsx !== null
      ? { command: tsx.command, args: tsx.args }
      : first !== undefined && /^(.*[\\/])?node(js)?(\.exe)?$/.test(first)
        ? { command: [first], args }
        : null;
  if (start === null) return null;
  const given = readNodeArguments(start.args);
  if (!has(given, "--test") || given.options.some(({ name }) => NO_RUN.has(name))) return null;
  return { ...given, env, command: start.command };
}

function has(given: NodeArguments, name: string): boolean {
  return given.options.some((option) => option.name === name);
}

export function recognises(argv: readonly string[]): boolean {
  return readTestCommand(argv) !== null;
}

/** Follows scripts of package.json, takes coverage tools (`c8 node --test`) away, and refuses what cannot be evidence. */
export async function resolve(
  argv: readonly string[],
  files: FileView,
): Promise<{ argv: readonly string[] } | { why: string }> {
  const script = await resolvePackageScript(argv, withQuotedGlobs(files));
  if (script !== null && "why" in script) return script;
  const resolved = withoutCoverage(script?.argv ?? argv);
  const given = readTestCommand(resolved);
  if (given === null) return { why: `"${resolved.join(" ")}" is not a plain "node --test" command.` };
  const why = refusedEnvironment(given.env) ?? given.options.map(refusal).find((reason) => reason !== null);
  return why === undefined || why === null ? { argv: resolved } : { why };
}

function refusal(option: Option): string | null {
  const why = REFUSED[option.name];
  const said = option.words.join(" ");
  if (why !== undefined) return `"${said}" cannot be part of a test command: ${why}.`;
  if (/^--(experimental-)?test-isolation$/.test(option.name) && option.value === "none") {
    return `"${said}" cannot be part of a test command: production code would run in the process that judges the tests.`;
  }
  return null;
}

function refusedEnvironment(env: Readonly<Record<string, string>>): string | null {
  const options = readNodeArguments((env["NODE_OPTIONS"] ?? "").split(/\s+/).filter((word) => word !== "")).options;
  const loads = options.find(({ name }) => /^--(require|loader|experimental-loader|import)$/.test(name));
  return loads === undefined
    ? null
    : `NODE_OPTIONS with "${loads.words.join(" ")}" loads code into the process that judges the tests: write the option into the command itself.`;
}

/** `c8 [options] node --test`, with `npx` or without. Its thresholds say nothing about a test. */
function withoutCoverage(argv: readonly string[]): readonly string[] {
  const { env, rest } = readAssignments(argv);
  const tool = readLaunch(rest, "c8") ?? readLaunch(rest, "nyc");
  const at = tool?.args.findIndex((word) => word === "node" || word === "tsx") ?? -1;
  if (tool === null || at < 0) return argv;
  const assigned = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [...(assigned.length === 0 ? [] : ["env", ...assigned]), ...tool.args.slice(at)];
}

/** Options for the processes of the test files alone. With --test-force-exit, Node 20 would leave before the report is written. */
const FOR_TESTS = ["--require", "--test-force-exit"];

/**
 * One run with Yada's reporter for the host and Node's `spec` for people. What the command loads with `--require`, Node loads into the judging
 * process too, so preload.cjs does that in its place, in the processes of the test files. `--import` Node loads there only.
 */
export function prepare(argv: readonly string[], options: { readonly nonce: string }): Prepared {
  const given = readTestCommand(argv) ?? { env: {}, command: ["node"], options: [], operands: argv.slice(1) };
  const kept = given.options.filter(
    ({ name }) => !REPLACED.test(name) && !FOR_TESTS.includes(name) && name !== "--test",
  );
  const required = given.options.filter(({ name }) => name === "--require").map(({ value }) => value ?? "");
  const flags = has(given, "--test-force-exit") ? ["--test-force-exit"] : [];
  const magic = given.operands.some(isMagic);
  return {
    argv: [
      ...given.command,
      ...(magic ? ["--require={support}/operands.cjs"] : []),
      "--require={support}/preload.cjs",
      ...kept.flatMap(({ words }) => words),
      "--test",
      "--test-reporter={support}/reporter.mjs",
      "--test-reporter-destination=stderr",
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      ...operands(given.operands),
    ],
    env: {
      ...given.env,
      CI: "1",
      NO_COLOR: "1",
      YADA_REPORT: "{report}",
      YADA_NONCE: options.nonce,
      YADA_TESTS: JSON.stringify({ require: required, flags }),
    },
    files: {
      "reporter.mjs": reporterSource,
      "preload.cjs": `"use strict";\n${preloadSource}`,
      ...(magic ? { "operands.cjs": operandsSource } : {}),
    },
    report: "file",
  };
}

/** Replaces the files, folders and globs of the command. A `--test-name-pattern` stays. */
export function select(argv: readonly string[], files: readonly string[]): readonly string[] {
  const given = readTestCommand(argv);
  if (given === null) return argv;
  const assigned = Object.entries(given.env).map(([name, value]) => `${name}=${value}`);
  return [
    ...(assigned.length === 0 ? [] : ["env", ...assigned]),
    ...given.command,
    ...given.options.flatMap(({ words }) => words),
    ...operands(files),
  ];
}

/** A word that opens with a dash would be read as an option. */
function operands(words: readonly string[]): readonly string[] {
  return words.map((word) => (word.startsWith("-") ? `./${word}` : word));
}

/** vitest commands: which are understood, and how one is made to report. */
import type { FileView, Prepared } from "../../../core/plugin/mod.ts";
import { readLaunch, resolvePackageScript } from "../javascript/mod.ts";
import { isOption, type Option, readArguments } from "./arguments.ts";
import { source as reporterSource } from "./reporter.generated.ts";

/** Options that the adapter sets itself, or that make no sense for one run without a person. */
const REPLACED = ["reporter", "outputFile", "watch", "run", "ui", "open", "color", "coverage", "clearScreen", "api"];

/** Options that change the judgement and that no file of the runner surface shows, with the reason in words. */
const REFUSED: Readonly<Record<string, string>> = {
  update: "it rewrites snapshots, so that a wrong result becomes the expected one",
  mergeReports: "it reports what an earlier run recorded, and runs no test",
  standalone: "it runs no test",
  listTags: "it runs no test",
  clearCache: "it runs no test",
  help: "it runs no test",
  version: "it runs no test",
  execArgv: "it loads code into the test processes that is no part of the runner's configuration",
};

/** Options whose value may be a module of the project, which would then judge the tests. */
const MODULES = ["environment", "pool", "diff", "typecheck.checker"];

const CONFIG_NAME =
  /(^|[\\/])(vitest|vite)(\.[\w-]+)*\.config(\.[\w-]+)*\.[cm]?[jt]s$|(^|[\\/])(vitest|vite)\.config\.[^\\/]+$/;

export function recognises(argv: readonly string[]): boolean {
  const launch = readLaunch(argv, "vitest");
  if (launch === null) return false;
  const { subcommand } = readArguments(launch.args);
  return subcommand === null || subcommand === "run" || subcommand === "watch" || subcommand === "dev";
}

/** Follows scripts of package.json, and refuses what cannot be evidence. */
export async function resolve(
  argv: readonly string[],
  files: FileView,
): Promise<{ argv: readonly string[] } | { why: string }> {
  const script = await resolvePackageScript(argv, files);
  if (script !== null && "why" in script) return script;
  const resolved = script?.argv ?? argv;
  const launch = readLaunch(resolved, "vitest");
  if (launch === null)
    return { why: `"${resolved.join(" ")}" is not a plain command that starts the installed vitest.` };
  if (!recognises(resolved)) {
    return { why: `"vitest ${readArguments(launch.args).subcommand}" does not run tests and report them.` };
  }
  const refused = readArguments(launch.args)
    .options.map(refusal)
    .find((why) => why !== null);
  return refused === undefined ? { argv: resolved } : { why: refused };
}

function refusal(option: Option): string | null {
  const said = option.words.join(" ");
  if (option.name === "update" && option.value === "none") return null;
  const why = REFUSED[option.name];
  if (why !== undefined) return `"${said}" cannot be part of a test command: ${why}.`;
  if (option.name === "config" && !CONFIG_NAME.test(option.value ?? "")) {
    return `"${said}" names a configuration that is not called vitest.config.* or vite.config.*, so it is not protected like one.`;
  }
  if (MODULES.includes(option.name) && /[\\/]/.test(option.value ?? "")) {
    return `"${said}" names a module that judges the tests and that is no part of the runner's configuration.`;
  }
  return null;
}

/**
 * One run, no watching, with Yada's reporter for the host and vitest's default one for people. Coverage is switched off: its thresholds say nothing about a test, and
 * they fail where only some files run.
 */
export function prepare(argv: readonly string[], options: { readonly nonce: string }): Prepared {
  const launch = readLaunch(argv, "vitest") ?? { env: {}, command: ["vitest"], args: argv.slice(1) };
  const given = readArguments(launch.args);
  const kept = given.options.filter((option) => !REPLACED.some((name) => isOption(option, name)));
  return {
    argv: [
      ...launch.command,
      "run",
      ...given.filters,
      ...kept.flatMap((option) => option.words),
      "--reporter={support}/reporter.mjs",
      "--reporter=default",
      "--coverage.enabled=false",
      ...given.rest,
    ],
    // CI=1 keeps vitest from writing snapshots and from accepting `.only`, whatever the script assigns.
    env: { ...launch.env, CI: "1", NO_COLOR: "1", YADA_REPORT: "{report}", YADA_NONCE: options.nonce },
    files: { "reporter.mjs": reporterSource },
    report: "file",
  };
}

/**
 * Replaces the file filters. vitest takes a filter as a part of a path, so files with longer names may run as well; the report says which
 * file a test belongs to. A `-t` pattern stays.
 */
export function select(argv: readonly string[], files: readonly string[]): readonly string[] {
  const launch = readLaunch(argv, "vitest");
  if (launch === null) return argv;
  const start = argv.slice(0, argv.length - launch.args.length);
  const given = readArguments(launch.args);
  return [
    ...start,
    ...(given.subcommand === null ? [] : [given.subcommand]),
    ...files.map((file) => (file.startsWith("-") ? `./${file}` : file)),
    ...given.options.flatMap((option) => option.words),
    ...given.rest,
  ];
}

/** vitest's command line, as far as the adapter has to read it (https://vitest.dev/guide/cli). */

/** One option with its value, as the words that were given. */
export interface Option {
  /** In vitest's own spelling: `testNamePattern`, `coverage.enabled`. */
  readonly name: string;
  readonly value: string | undefined;
  readonly words: readonly string[];
}

export interface VitestArguments {
  readonly subcommand: string | null;
  readonly options: readonly Option[];
  /** File filters. */
  readonly filters: readonly string[];
  /** The words from `--` on. */
  readonly rest: readonly string[];
}

const SUBCOMMANDS: ReadonlySet<string> = new Set([
  "run",
  "watch",
  "dev",
  "related",
  "bench",
  "init",
  "list",
  "complete",
]);

/** Options that never take the next word as their value; `--no-...` and these with a dot (`coverage.enabled`) included. */
const SWITCHES: ReadonlySet<string> = new Set(
  `watch ui open coverage isolate globals dom fileParallelism passWithNoTests logHeapUsage detectAsyncLeaks allowOnly
  dangerouslyIgnoreUnhandledErrors expandSnapshotDiff disableConsoleIntercept typecheck hideSkippedTests cache run color
  printConsoleTrace includeTaskLocation clearScreen standalone clearCache strictTags expect help version threads single-thread
  coverage.enabled coverage.all coverage.clean coverage.cleanOnRerun coverage.reportOnFailure coverage.allowExternal coverage.skipFull
  coverage.thresholds coverage.thresholds.perFile coverage.thresholds.100 coverage.excludeAfterRemap
  browser.enabled browser.headless browser.isolate browser.ui browser.fileParallelism browser.trackUnhandledErrors
  sequence.shuffle sequence.shuffle.files sequence.shuffle.tests sequence.concurrent
  typecheck.enabled typecheck.only typecheck.allowJs typecheck.ignoreSourceErrors expect.requireAssertions
  poolOptions.threads.isolate poolOptions.threads.singleThread poolOptions.forks.isolate poolOptions.forks.singleFork
  diff.expand diff.includeChangeCounts diff.omitAnnotationLines diff.printBasicPrototype
  experimental.fsModuleCache`.split(/\s+/),
);

const SHORT: Readonly<Record<string, string>> = {
  r: "root",
  c: "config",
  u: "update",
  w: "watch",
  t: "testNamePattern",
  h: "help",
  v: "version",
};
const ALIASES: Readonly<Record<string, string>> = { reporters: "reporter" };

export function readArguments(args: readonly string[]): VitestArguments {
  const dashes = args.indexOf("--");
  const words = dashes < 0 ? args : args.slice(0, dashes);
  const options: Option[] = [];
  const filters: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (!word.startsWith("-") || word === "-") {
      filters.push(word);
      continue;
    }
    const { name, value } = nameOf(word);
    const next = words[index + 1];
    if (value !== undefined || isSwitch(word, name) || next === undefined || next.startsWith("-")) {
      options.push({ name, value, words: [word] });
    } else {
      options.push({ name, value: next, words: [word, next] });
      index++;
    }
  }
  const subcommand = SUBCOMMANDS.has(filters[0] ?? "") ? (filters.shift() ?? null) : null;
  return { subcommand, options, filters, rest: dashes < 0 ? [] : args.slice(dashes) };
}

/** Whether two spellings (`--outputFile.json`, `outputFile`) belong to one option. */
export function isOption(option: Option, name: string): boolean {
  return option.name === name || option.name.startsWith(`${name}.`);
}

function isSwitch(word: string, name: string): boolean {
  return word.startsWith("--no-") || SWITCHES.has(name);
}

function nameOf(word: string): { name: string; value: string | undefined } {
  const match = /^(--?)([^=]*)(?:=(.*))?$/s.exec(word);
  const dashes = match?.[1] ?? "--";
  const raw = match?.[2] ?? "";
  const value = match?.[3];
  if (dashes === "-") return { name: SHORT[raw] ?? raw, value };
  const camel = raw.replace(/^no-/, "").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { name: ALIASES[camel] ?? camel, value };
}

/** The command line of Node, read as far as `node --test` needs it (https://nodejs.org/api/cli.html). */

export interface Option {
  /** As written, without `=value`; short forms in their long spelling. */
  readonly name: string;
  readonly value: string | undefined;
  /** The words that gave it. */
  readonly words: readonly string[];
}

export interface NodeArguments {
  readonly options: readonly Option[];
  /** Words after the options: for `node --test`, the test files, folders or globs. */
  readonly operands: readonly string[];
}

/** Options that take the next word where no `=value` is written. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  `--import --require --loader --experimental-loader --conditions --eval --print --env-file --env-file-if-exists --input-type
  --experimental-default-type --experimental-config-file --config-file --experimental-sea-config --experimental-specifier-resolution
  --experimental-policy --policy-integrity --icu-data-dir --openssl-config --disable-warning --dns-result-order --title --stack-trace-limit
  --max-http-header-size --unhandled-rejections --trace-event-categories --trace-event-file-pattern --redirect-warnings --diagnostic-dir
  --report-dir --report-directory --report-filename --report-signal --cpu-prof-dir --cpu-prof-interval --cpu-prof-name --heap-prof-dir
  --heap-prof-interval --heap-prof-name --localstorage-file --allow-fs-read --allow-fs-write --watch-path --run --secure-heap --secure-heap-min
  --tls-cipher-list --tls-keylog --v8-pool-size --inspect-port --debug-port
  --test-concurrency --test-coverage-branches --test-coverage-exclude --test-coverage-functions --test-coverage-include --test-coverage-lines
  --test-global-setup --test-isolation --experimental-test-isolation --test-name-pattern --test-reporter --test-reporter-destination
  --test-rerun-failures --test-shard --test-skip-pattern --test-timeout --test-random-seed --experimental-test-tag-filter`.split(
    /\s+/,
  ),
);

const SHORT: Readonly<Record<string, string>> = {
  "-r": "--require",
  "-C": "--conditions",
  "-e": "--eval",
  "-p": "--print",
  "-pe": "--print",
  "-c": "--check",
  "-i": "--interactive",
  "-h": "--help",
  "-v": "--version",
};

/** Options end at the first operand or at `--`, as Node reads them. */
export function readNodeArguments(args: readonly string[]): NodeArguments {
  const options: Option[] = [];
  let index = 0;
  for (; index < args.length; index++) {
    const word = args[index] ?? "";
    if (word === "--") return { options, operands: args.slice(index + 1) };
    if (!word.startsWith("-") || word === "-") break;
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const written = equals < 0 ? word : word.slice(0, equals);
    // Node takes underscores for dashes.
    const name = SHORT[written] ?? written.replaceAll("_", "-");
    const next = args[index + 1];
    if (equals >= 0) options.push({ name, value: word.slice(equals + 1), words: [word] });
    else if (WITH_VALUE.has(name) && next !== undefined) {
      options.push({ name, value: next, words: [word, next] });
      index++;
    } else options.push({ name, value: undefined, words: [word] });
  }
  return { options, operands: args.slice(index) };
}

/**
 * Arguments that give a command more authority than its pattern says: they run other code, load other configuration, or write
 * elsewhere. A wildcard of an `allow` never stands for one of them. docs/policy.md lists them. This module is browser compatible.
 *
 * The list is a courtesy to people who write patterns, not a wall: a program can have flags that nobody listed. Isolation is the wall.
 */
import { canonicalProgram } from "./program.ts";

interface FlagTable {
  /** `-x`, `--long` or `-word`. */
  readonly flags: readonly string[];
  /** The program takes `--conf` for `--config`. */
  readonly abbreviates?: boolean;
  /** The program takes `-abc` for `-a -b -c`. */
  readonly clusters?: boolean;
  /** Values that take the authority away again: built-in reporters write to the standard output and load nothing. */
  readonly harmless?: Readonly<Record<string, string>>;
}

const words = (text: string): string[] => text.trim().split(/\s+/);

/** For programs that the table does not have. */
const ANY: FlagTable = {
  flags: words(
    "-c -e --config --config-file --exec --eval --call --command --require --import --loader --preload --plugin --rcfile --init-file",
  ),
  abbreviates: true,
};

const NONE: FlagTable = { flags: [] };

const SHELL: FlagTable = { flags: words("-c -i -s --rcfile --init-file --command"), clusters: true };

const TABLES: ReadonlyMap<string, FlagTable> = new Map<string, FlagTable>([
  [
    "node",
    {
      flags: words(`
        -e --eval -p -pe --print -r --require --import --loader --experimental-loader -i --interactive --run -C --conditions
        --env-file --env-file-if-exists --experimental-config-file --experimental-default-config-file --test-reporter
        --test-reporter-destination --test-global-setup --inspect --inspect-brk --inspect-port --inspect-wait --debug-port
        --openssl-config --openssl-shared-config --build-snapshot --build-snapshot-config --snapshot-blob --experimental-sea-config
        --redirect-warnings --diagnostic-dir --report-directory --report-dir --cpu-prof-dir --heap-prof-dir --trace-event-file-pattern
        --allow-addons --allow-child-process --allow-fs-read --allow-fs-write --allow-wasi --allow-worker
        --experimental-policy --policy-integrity --icu-data-dir --security-revert --test-update-snapshots --watch-path`),
      harmless: { "--test-reporter": "spec tap dot junit lcov" },
    },
  ],
  [
    "vitest",
    {
      flags: words(`
        -c --config --configLoader -r --root --dir --globalSetup --setupFiles --environment --environmentOptions --runner --reporter
        --outputFile --pool --poolOptions --execArgv --workspace --project --projects --browser --api --ui --open --coverage --attachmentsDir
        --cache --snapshotEnvironment --resolveSnapshotPath --diff --typecheck --alias --deps --server --ssr --inspect --inspectBrk --inspect-brk
        -u --update --standalone --mode --mergeReports --sequence --fakeTimers --onConsoleLog --expect --benchmark --vmMemoryLimit
        --experimental`),
      clusters: true,
      harmless: {
        "--reporter": "default basic verbose dot json tap tap-flat junit tree hanging-process github-actions",
        "--environment": "node jsdom happy-dom edge-runtime",
        "--pool": "threads forks vmThreads vmForks",
      },
    },
  ],
  [
    "jest",
    {
      flags: words(`
        -c --config --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --setupTestFrameworkScriptFile --testRunner --runner
        --env --testEnvironment --testEnvironmentOptions --transform --resolver --reporters --rootDir --roots --preset --projects
        --moduleNameMapper --modulePaths --moduleDirectories --outputFile --coverageDirectory --coverageProvider --coverageReporters
        --cacheDirectory --testSequencer --filter --testResultsProcessor --snapshotSerializers --haste --watchPlugins --dependencyExtractor
        --prettierPath --globals -u --updateSnapshot --init`),
      clusters: true,
    },
  ],
  [
    "mocha",
    {
      flags: words(`
        -r --require --import --loader --experimental-loader --config --package --opts -R --reporter -O --reporter-option --reporter-options
        -u --ui --file -n --node-option --node-options --extension --compilers --watch-files`),
      clusters: true,
      abbreviates: true,
      harmless: {
        "--reporter": "spec dot tap json min list landing nyan progress",
        "-R": "spec dot tap json min list landing nyan progress",
      },
    },
  ],
  [
    "npm",
    {
      flags: words(`
        --script-shell --prefix -C --userconfig --globalconfig --node-options --shell --registry --cache --init-module -c --call --location
        --editor --viewer --git -g --global -w --workspace --workspaces --include-workspace-root --install-links --foreground-scripts`),
      abbreviates: true,
    },
  ],
  [
    "npx",
    {
      flags: words(
        "-c --call -p --package --node-options --script-shell --shell --prefix --userconfig --globalconfig --registry --node-arg -n",
      ),
      abbreviates: true,
    },
  ],
  [
    "pnpm",
    {
      flags: words(
        "-C --dir --config --shell-mode -c --package --registry --userconfig --global-dir -g --global --modules-dir --use-node-version --pnpmfile --global-pnpmfile",
      ),
    },
  ],
  [
    "yarn",
    {
      flags: words(
        "--cwd --use-yarnrc --modules-folder --registry -p --package --global-folder --script-shell --inspect --inspect-brk -T --top-level -B --binaries-only",
      ),
    },
  ],
  [
    "bun",
    {
      flags: words(
        "-e --eval -p --print -r --preload --require --import -c --config --cwd --env-file --define --loader --conditions --shell --tsconfig-override --plugin",
      ),
    },
  ],
  [
    "deno",
    {
      flags: words(`
        -A -E -R -W -N -S -I --allow-all --allow-read --allow-write --allow-net --allow-env --allow-run --allow-ffi --allow-sys --allow-import
        --allow-scripts -c --config --import-map --preload --import --env-file --location --unsafely-ignore-certificate-errors --inspect --inspect-brk
        --inspect-wait --coverage --junit-path --lock --node-modules-dir --cert --ext -P --permission-set`),
    },
  ],
  [
    "git",
    {
      flags: words(`
        -c -C --config --config-env --exec-path --git-dir --work-tree --namespace --paginate -p --exec -x --ext-diff --textconv --ext-grep
        --open-files-in-pager -O --output -o --no-index --upload-pack --receive-pack -u --template --contents --show-signature --gpg-sign
        --pathspec-from-file --edit -e --open --tool -t --extcmd --editor --separate-git-dir --super-prefix --attr-source --ignore-revs-file`),
      abbreviates: true,
    },
  ],
  ["find", { flags: words("-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from") }],
  ["rg", { flags: words("--pre --pre-glob --hostname-bin --search-zip -z") }],
  ["grep", NONE],
  ["ls", NONE],
  ["cat", NONE],
  ["wc", NONE],
  ["head", NONE],
  ["tail", NONE],
  ["cut", NONE],
  ["uniq", NONE],
  ["echo", NONE],
  ["pwd", NONE],
  [
    "sort",
    {
      flags: words("-o --output -T --temporary-directory --compress-program --files0-from"),
      abbreviates: true,
      clusters: true,
    },
  ],
  ["sed", { flags: words("-i --in-place -e --expression -f --file"), abbreviates: true, clusters: true }],
  [
    "tar",
    {
      flags: words(
        "-I --use-compress-program --to-command --checkpoint-action --rsh-command -F --info-script --new-volume-script -C --directory -P --absolute-names",
      ),
      abbreviates: true,
    },
  ],
  ["python", { flags: words("-c -m -i -X -W -x --check-hash-based-pycs"), clusters: true }],
  [
    "pytest",
    {
      flags: words(`
        -c --config-file -p -o --override-ini --rootdir --confcutdir --basetemp --import-mode --pdbcls --pdb --trace --pastebin --junitxml
        --junit-xml --report-log --log-file --noconftest --pyargs --debug --cache-clear --pythonwarnings -W --cov-config --cov-report --tx`),
      clusters: false,
      abbreviates: true,
    },
  ],
  ["unittest", { flags: words("-s --start-directory -t --top-level-directory -p --pattern"), abbreviates: true }],
  [
    "go",
    {
      flags: words(`
        -exec -toolexec -overlay -modfile -o -c -C -ldflags -gcflags -asmflags -gccgoflags -vettool -compiler -pkgdir -outputdir
        -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -testlogfile -buildmode -workfile -fuzzcachedir -pgo`),
    },
  ],
  ["cargo", { flags: words("--config -Z -C --manifest-path --target-dir --out-dir --artifact-dir --lockfile-path") }],
  [
    "rspec",
    {
      flags: words("-r --require -I -f --format -o --out -O --options --default-path -c --drb --init"),
      abbreviates: true,
    },
  ],
  ["ruby", { flags: words("-e -r -I -C -S -x -i -E --external-encoding"), clusters: true }],
  ["perl", { flags: words("-e -E -M -m -I -i -x -d"), clusters: true }],
  [
    "php",
    {
      flags: words("-r -c -d -B -R -F -E -S -z --run --php-ini --define --process-begin --process-code --process-file"),
    },
  ],
  ["make", { flags: words("-f --file --makefile -C --directory --eval -I --include-dir -E"), abbreviates: true }],
  [
    "eslint",
    {
      flags: words(
        "-c --config --rulesdir --plugin --resolve-plugins-relative-to --parser -f --format -o --output-file --cache-location --cache-file --ext --stdin-filename --flag --rule --env",
      ),
    },
  ],
  [
    "tsc",
    {
      flags: words(
        "-p --project --outDir --outFile --declarationDir --tsBuildInfoFile --generateTrace --generateCpuProfile --init --rootDir --plugins --locale -d --declaration",
      ),
    },
  ],
  ["ssh", { flags: words("-o -F -J -L -R -D -E -w") }],
  [
    "curl",
    {
      flags: words("-o -O --output --remote-name -K --config -T --upload-file -d --data -F --form -x --proxy"),
      clusters: true,
    },
  ],
  ["xargs", ANY],
  ["env", { flags: words("-S --split-string -C --chdir"), abbreviates: true }],
  ...words("sh bash dash zsh ksh ash mksh fish").map((name): [string, FlagTable] => [name, SHELL]),
]);

/** Programs that start the program named after them, and how many words stand before its name. */
const STARTERS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ["npx", [[]]],
  ["bunx", [[]]],
  ["pnpx", [[]]],
  ["npm", [["exec"], ["x"]]],
  ["pnpm", [["exec"], ["dlx"], []]],
  ["yarn", [["exec"], ["dlx"], ["run"], []]],
  ["bun", [["x"]]],
  ["python", [["-m"]]],
  ["uv", [["run"]]],
  ["poetry", [["run"]]],
  ["pipenv", [["run"]]],
  ["bundle", [["exec"]]],
]);

/**
 * The first argument among those at the positions `wild` that adds authority, or null.
 * Arguments are judged by the program that reads them: in `npx vitest run -c x`, vitest.
 */
export function addedAuthority(argv: readonly string[], wild: readonly number[]): string | null {
  if (wild.length === 0) return null;
  const readers = readersOf(argv);
  for (const index of wild) {
    const argument = argv[index] ?? "";
    if (index === 0 || !/^[-+]./.test(argument)) continue;
    const tables = readers.filter(({ from }) => index > from).at(-1);
    const table = tables === undefined ? ANY : (TABLES.get(tables.program) ?? ANY);
    const flag = table.flags.find((candidate) => isFlag(candidate, argument, table));
    if (flag !== undefined && !isHarmless(table.harmless?.[flag], argument, argv[index + 1])) return argument;
    // After `--` of a package script, nobody knows which program reads on.
    const dashes = argv.indexOf("--");
    if (
      tables?.program === "npm" &&
      dashes >= 0 &&
      dashes < index &&
      SCRIPT.flags.some((flag) => isFlag(flag, argument, SCRIPT))
    ) {
      return argument;
    }
  }
  return null;
}

/** What the program behind a package script may be: any of the test runners. */
const SCRIPT: FlagTable = {
  flags: [
    ...new Set(
      [ANY, ...["node", "vitest", "jest", "mocha"].map((name) => TABLES.get(name) ?? ANY)].flatMap(
        ({ flags }) => flags,
      ),
    ),
  ],
};

function readersOf(argv: readonly string[]): { readonly program: string; readonly from: number }[] {
  const readers = [{ program: canonicalProgram(argv[0] ?? ""), from: 0 }];
  for (let depth = 0; depth < 4; depth++) {
    const last = readers.at(-1);
    const ways = last === undefined ? undefined : STARTERS.get(last.program);
    if (last === undefined || ways === undefined) break;
    const way = ways.find((prefix) => prefix.every((word, at) => argv[last.from + 1 + at] === word));
    if (way === undefined) break;
    let next = last.from + 1 + way.length;
    while (next < argv.length && /^-/.test(argv[next] ?? "")) next++;
    if (next >= argv.length) break;
    readers.push({ program: canonicalProgram(argv[next] ?? ""), from: next });
  }
  return readers;
}

function isFlag(flag: string, argument: string, table: FlagTable): boolean {
  if (flag.startsWith("--")) {
    if (!argument.startsWith("--") || argument === "--") return false;
    const wanted = squash(flag);
    const given = squash(argument);
    return given === wanted || (table.abbreviates === true && given !== "" && wanted.startsWith(given));
  }
  if (flag.length > 2) return squash(flag) === squash(argument);
  if (!argument.startsWith("-") || argument.startsWith("--")) return false;
  if (argument.startsWith(flag)) return true;
  const letters = /^-([A-Za-z]+)/.exec(argument)?.[1] ?? "";
  return table.clusters === true && letters.includes(flag.slice(1));
}

function isHarmless(values: string | undefined, argument: string, next: string | undefined): boolean {
  if (values === undefined) return false;
  const joined = /=(.*)$/s.exec(argument)?.[1];
  return words(values).includes(joined ?? next ?? "");
}

/** `--global-setup=x`, `--globalSetup` and `--globalSetup.y` are one flag to many programs. */
function squash(flag: string): string {
  return (flag.replace(/^-+/, "").split(/[=.]/, 1)[0] ?? "").replace(/[-_]/g, "").toLowerCase();
}

/** The programs that have flags of their own in the table. */
export const KNOWN_AUTHORITY: readonly string[] = [...TABLES].flatMap(([name, { flags }]) =>
  flags.length > 0 ? [name] : [],
);

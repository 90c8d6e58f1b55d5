/** How an argument list starts an executable of an installed package. */

export interface Launch {
  /** Assignments before the command: `env A=1 vitest`, `cross-env A=1 vitest`. */
  readonly env: Readonly<Record<string, string>>;
  /** The words that start it, without the network: found by PATH (the host puts `node_modules/.bin` of the lane there) or by the path given. */
  readonly command: readonly string[];
  readonly args: readonly string[];
}

/** Flags that change nothing about which installed executable `npx` starts. */
const NPX_FLAGS: ReadonlySet<string> = new Set([
  "--no-install",
  "--no",
  "-y",
  "--yes",
  "--offline",
  "--prefer-offline",
  "-q",
]);

/** Cuts `env A=1`, `cross-env A=1` and plain `A=1` words from the front. */
export function readAssignments(argv: readonly string[]): {
  readonly env: Readonly<Record<string, string>>;
  readonly rest: readonly string[];
} {
  const env: Record<string, string> = {};
  let index = 0;
  for (; index < argv.length; index++) {
    const word = argv[index];
    const match = assignment(word);
    if (match !== null) env[match.name] = match.value;
    else if (word !== "env" && word !== "cross-env") break;
  }
  return { env, rest: argv.slice(index) };
}

/**
 * Recognises `BIN`, `node_modules/.bin/BIN`, `node node_modules/BIN/...`, `npx BIN`, `npm exec -- BIN`, `pnpm|yarn [exec|run] BIN`, `bunx BIN`.
 * Null for anything else, `npx BIN@version` and `npx -p` included: those may fetch another version than the installed one.
 */
export function readLaunch(argv: readonly string[], bin: string): Launch | null {
  const { env, rest } = readAssignments(argv);
  const [first, ...args] = rest;
  if (first === undefined) return null;
  if (first === bin || isBinPath(first, bin)) return { env, command: [first], args };
  const installed = (words: readonly string[]): Launch | null =>
    words[0] === bin ? { env, command: [bin], args: words.slice(1) } : null;
  switch (first) {
    case "node": {
      const [script, ...more] = args;
      return script !== undefined && (isBinPath(script, bin) || isEntryPath(script, bin))
        ? { env, command: [first, script], args: more }
        : null;
    }
    case "npx":
    case "bunx": {
      const start = args.findIndex((word) => !NPX_FLAGS.has(word));
      const words = args.slice(Math.max(start, 0));
      return installed(words[0] === "--" ? words.slice(1) : words);
    }
    case "npm":
      return args[0] === "exec" || args[0] === "x" ? readNpmExec(args.slice(1), installed) : null;
    case "pnpm":
    case "yarn":
      return installed(args[0] === "exec" || args[0] === "run" ? args.slice(1) : args);
    default:
      return null;
  }
}

/** npm takes flags before `--` for itself, so only `npm exec -- BIN ...` and `npm exec BIN -- ...` are plain. */
function readNpmExec(words: readonly string[], installed: (words: readonly string[]) => Launch | null): Launch | null {
  const dashes = words.indexOf("--");
  const own = dashes < 0 ? words : words.slice(0, dashes);
  const kept = own.filter((word) => !NPX_FLAGS.has(word));
  if (kept.some((word) => word.startsWith("-"))) return null;
  return installed([...kept, ...(dashes < 0 ? [] : words.slice(dashes + 1))]);
}

function isBinPath(word: string, bin: string): boolean {
  const path = word.replaceAll("\\", "/").replace(/\.cmd$/i, "");
  return path === `node_modules/.bin/${bin}` || path.endsWith(`/node_modules/.bin/${bin}`);
}

function isEntryPath(word: string, bin: string): boolean {
  return new RegExp(`(^|/)node_modules/${bin}/[^.][^/]*\\.m?js$`).test(word.replaceAll("\\", "/"));
}

function assignment(word: string | undefined): { name: string; value: string } | null {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(word ?? "");
  return match === null ? null : { name: match[1] ?? "", value: match[2] ?? "" };
}

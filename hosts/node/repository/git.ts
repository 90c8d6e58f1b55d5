/** Running git so that it only reads: no lock, no hook, no monitor, no filter, no network, no prompt. */
import { spawn } from "node:child_process";

const pinned = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.quotePath=false",
  "protocol.allow=never",
  "credential.helper=",
  "submodule.recurse=false",
];

/** git answered with an exit status that is not 0, or could not be started (`status` is null). */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly status: number | null;
  readonly stderr: string;

  constructor(args: readonly string[], status: number | null, stderr: string, options?: { cause?: unknown }) {
    super(`git ${args[0] ?? ""} ended with ${status ?? "no status"}: ${stderr.trim()}`, options);
    this.status = status;
    this.stderr = stderr;
  }
}

/** Where a person may keep settings. All other variables of git point it at a repository or change what it does. */
const keptVariables = new Set([
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_ATTR_NOSYSTEM",
  "GIT_CEILING_DIRECTORIES",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  "GIT_EXEC_PATH",
]);

/** The environment for git: the person's own, without what would point git at another repository or make it ask. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_") || keptVariables.has(name));
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    LC_ALL: "C",
  };
}

/** The arguments before the command's name. `filters` are the names of filter drivers that are switched off. */
export function gitOptions(directory: string, filters: readonly string[] = []): string[] {
  const off = filters.flatMap((name) =>
    ["clean=", "smudge=", "process=", "required=false"].map((setting) => `filter.${name}.${setting}`),
  );
  return ["-C", directory, "--no-pager", ...[...pinned, ...off].flatMap((setting) => ["-c", setting])];
}

/** Runs git and answers with its standard output. Throws `GitError`. */
export function runGit(
  directory: string,
  args: readonly string[],
  options: { readonly input?: Uint8Array; readonly filters?: readonly string[] } = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", [...gitOptions(directory, options.filters), ...args], {
      env: gitEnvironment(),
      stdio: ["pipe", "pipe", "pipe"],
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    // A git that ends before it has read its input says why by its status.
    child.stdin.on("error", () => {});
    child.on("error", (cause) => reject(new GitError(args, null, cause.message, { cause })));
    child.on("close", (status) => {
      if (status === 0) resolve(Buffer.concat(output));
      else reject(new GitError(args, status, Buffer.concat(errors).toString()));
    });
    child.stdin.end(options.input);
  });
}

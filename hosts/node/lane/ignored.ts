/** Which paths of a lane the repository's rules ignore. */
import { decodePath, encodePath } from "../../../core/workspace/mod.ts";
import { GitError, runGit } from "../repository/git.ts";

/** The repository whose rules count besides the `.gitignore` files of the lane: its own exclude file and the person's. */
export type IgnoreRules = (lane: string, paths: readonly string[]) => Promise<ReadonlySet<string>>;

/** The rules of the repository at `checkout`. Where there is none, nothing is ignored. */
export async function ignoreRulesOf(checkout: string): Promise<IgnoreRules> {
  const directory = await gitDirectory(checkout);
  if (directory === undefined) return async () => new Set();
  return async (lane, paths) => {
    if (paths.length === 0) return new Set();
    const input = Buffer.concat(paths.map((path) => Buffer.from([...encodePath(path), 0])));
    const args = [`--git-dir=${directory}`, `--work-tree=${lane}`, "check-ignore", "--no-index", "-z", "--stdin"];
    try {
      return new Set(split(await runGit(lane, args, { input })));
    } catch (error) {
      // Status 1: not one of them is ignored.
      if (error instanceof GitError && error.status === 1) return new Set();
      throw error;
    }
  };
}

async function gitDirectory(checkout: string): Promise<string | undefined> {
  try {
    return (await runGit(checkout, ["rev-parse", "--absolute-git-dir"])).toString().replace(/\n$/, "");
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

function split(bytes: Buffer): string[] {
  const parts: string[] = [];
  for (let from = 0, end = bytes.indexOf(0); end >= 0; from = end + 1, end = bytes.indexOf(0, from)) {
    parts.push(decodePath(bytes.subarray(from, end)));
  }
  return parts;
}

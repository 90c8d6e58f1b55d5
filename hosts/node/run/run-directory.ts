/** `.yada/runs/<id>/`: what a run leaves behind. */
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ReadTrace, readTrace, type TraceHead } from "../../../core/run/mod.ts";

/** What a host must know beside the trace to go on with a run. */
export interface RunRecord {
  readonly run: string;
  readonly task: string;
  readonly startedAt: string;
  /** The policy file that was used, where it is not the repository's own. */
  readonly policyFile?: string;
  /** The text of the script that drives the run, where one does. */
  readonly script?: { readonly file: string; readonly text: string };
}

export function runsDirectory(root: string): string {
  return join(root, ".yada", "runs");
}

/** Makes the directory of a new run. The runs' folder ignores itself, so that no run shows in `git status`. */
export async function createRunDirectory(root: string, record: RunRecord): Promise<string> {
  const runs = runsDirectory(root);
  const directory = join(runs, record.run);
  await mkdir(directory, { recursive: true });
  await writeFile(join(runs, ".gitignore"), "*\n");
  await writeFile(join(directory, "run.json"), `${JSON.stringify(record, null, 2)}\n`);
  return directory;
}

/** The ids of all runs, the oldest first. */
export async function listRuns(root: string): Promise<string[]> {
  try {
    const entries = await readdir(runsDirectory(root), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The record of a run, or null where there is no such run. */
export async function readRecord(root: string, run: string): Promise<RunRecord | null> {
  try {
    return JSON.parse(await readFile(join(runsDirectory(root), run, "run.json"), "utf8")) as RunRecord;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The trace of a run, verified against the head that was kept beside it. */
export async function readRunTrace(root: string, run: string): Promise<ReadTrace> {
  const directory = join(runsDirectory(root), run);
  const text = await readFile(join(directory, "trace.jsonl"), "utf8");
  return readTrace(text, await readHead(directory));
}

export async function readHead(directory: string): Promise<TraceHead | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, "head.json"), "utf8")) as TraceHead;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Replaces a file in one step. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

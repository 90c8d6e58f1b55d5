/** `yada demo`: a small repository with a real bug; first an agent that cheats, then one that works honestly. */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createColors } from "picocolors";
import { exitCodeOf } from "../exit-code.ts";
import type { ExitCode, Io } from "../io.ts";
import { packageRoot } from "../package-root.ts";
import { printJson, say } from "../print.ts";
import { parseScript } from "../script/parse-script.ts";
import { play, summaryOf } from "./run.ts";

const run = promisify(execFile);

export interface DemoOptions {
  readonly json?: boolean;
  /** Leaves the repository where it is. */
  readonly keep?: boolean;
}

export async function demoCommand(options: DemoOptions, io: Io, signal?: AbortSignal): Promise<ExitCode> {
  const example = join(packageRoot(), "examples", "demo");
  const colours = createColors(io.colour);
  const tell = options.json ? io.err : io.out;
  const dir = await mkdtemp(join(tmpdir(), "yada-demo-"));
  try {
    await cp(join(example, "repository"), dir, { recursive: true });
    await git(dir, "init", "--quiet");
    await git(dir, "add", "--all");
    await git(dir, "commit", "--quiet", "--no-verify", "--message", "A shop that rounds refunds wrongly");
    const played = [];
    for (const name of ["cheats", "honest"] as const) {
      tell(
        `\n${colours.bold(name === "cheats" ? "An agent that wants to be believed" : "An agent that works honestly")}\n\n`,
      );
      const file = join(example, `${name}.yaml`);
      const text = await readFile(file, "utf8");
      const parsed = parseScript(text, `${name}.yaml`);
      if (!parsed.ok) return say(io, 2, parsed.problems.join("\n"));
      const result = await play(
        parsed.script,
        { dir, file: `${name}.yaml`, text, ...(options.json ? { json: true } : {}) },
        io,
        signal,
      );
      if (!result.opened.ok) return say(io, 3, result.opened.message);
      if (result.mismatch !== null)
        return say(io, 1, `The demo went another way than it should: ${JSON.stringify(result.mismatch)}`);
      played.push({ result: result.opened.result, steps: result.steps });
      if (signal?.aborted) return 130;
    }
    const [cheats, honest] = played;
    if (cheats === undefined || honest === undefined) throw new Error("The demo did not play both scripts.");
    // So that the new test shows in the diff like everything else.
    await git(dir, "add", "--intent-to-add", "--all");
    const diff = await git(dir, "diff", "HEAD", "--no-color", "--no-ext-diff");
    tell(`\n${colours.bold("What was written to the disk")}\n\n${diff}`);
    if (options.json) {
      printJson(io, {
        ...summaryOf(honest.result, honest.steps),
        cheats: cheats.steps.filter(({ ok }) => !ok),
        diff,
        ...(options.keep ? { dir } : {}),
      });
    }
    if (options.keep)
      tell(`\nThe repository and its records stay in ${dir}: yada show ${honest.result.run} --dir ${dir}\n`);
    if (cheats.result.status === "completed") return say(io, 1, "A cheat finished. That must not happen.");
    return exitCodeOf(honest.result);
  } finally {
    if (!options.keep) await rm(dir, { recursive: true, force: true });
  }
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  const fixed = [
    "-c",
    "user.name=demo",
    "-c",
    "user.email=demo@example.invalid",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "commit.gpgsign=false",
    "-c",
    "core.autocrlf=false",
  ];
  const { stdout } = await run("git", [...fixed, ...args], { cwd });
  return stdout;
}

/** `yada run --script FILE`: drives a run without a model. Also what `demo` and `resume` use to play one. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Approver, RunResult } from "../../../core/run/mod.ts";
import { type OpenedRun, resumeRun, startRun } from "../../node/run/mod.ts";
import { exitCodeOf } from "../exit-code.ts";
import type { ExitCode, Io } from "../io.ts";
import { printJson, say } from "../print.ts";
import { parseScript, type Script } from "../script/parse-script.ts";
import { type Mismatch, type PlayedStep, playScript } from "../script/script-model.ts";
import { timeline } from "../timeline.ts";

export interface RunOptions {
  readonly script?: string;
  readonly dir?: string;
  readonly policy?: string;
  readonly json?: boolean;
}

export interface Played {
  readonly opened: OpenedRun;
  readonly steps: readonly PlayedStep[];
  readonly mismatch: Mismatch | null;
}

export async function runCommand(options: RunOptions, io: Io, signal?: AbortSignal): Promise<ExitCode> {
  if (options.script === undefined) {
    return say(
      io,
      2,
      "yada run needs --script FILE: this version drives no model. Example: yada run --script fix.yaml",
    );
  }
  const file = resolve(io.cwd, options.script);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    return say(io, 2, `There is no script ${options.script} (looked for ${file}).`);
  }
  const parsed = parseScript(text, options.script);
  if (!parsed.ok)
    return say(
      io,
      2,
      `The script is not valid:\n${parsed.problems.join("\n")}\nThe format is in docs/scripts.md. Nothing was run.`,
    );
  const played = await play(
    parsed.script,
    { ...options, file: options.script, text, dir: resolve(io.cwd, options.dir ?? ".") },
    io,
    signal,
  );
  return report(played, parsed.script, options, io);
}

/** Plays a script over a repository, from its start or, with `resume`, from where its trace ends. */
export async function play(
  script: Script,
  options: {
    readonly dir: string;
    readonly file: string;
    readonly text: string;
    readonly policy?: string;
    readonly json?: boolean;
    readonly resume?: string;
    readonly quiet?: boolean;
    readonly approver?: Approver;
  },
  io: Io,
  signal?: AbortSignal,
): Promise<Played> {
  const player = playScript(script);
  const line = timeline(io, options.json ? io.err : io.out);
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  let mismatch: Mismatch | null = null;
  const answers = [...script.approvals];
  const scripted: Approver = {
    ask: async () => {
      const answer = answers.shift();
      return answer === undefined ? null : { answer, by: "script", reason: `approvals of ${options.file}` };
    },
  };
  const request = {
    dir: options.dir,
    model: player.model,
    approver: options.approver ?? scripted,
    signal: stop.signal,
    script: { file: options.file, text: options.text },
    ...(options.policy === undefined ? {} : { policyFile: resolve(io.cwd, options.policy) }),
    onEvent: (event: Parameters<typeof line.event>[0]) => {
      if (!options.quiet) line.event(event);
      mismatch ??= player.onEvent(event);
      if (mismatch !== null) stop.abort();
    },
  };
  try {
    const opened =
      options.resume === undefined ? await startRun(script.task, request) : await resumeRun(options.resume, request);
    return { opened, steps: player.steps, mismatch };
  } finally {
    line.end();
    signal?.removeEventListener("abort", abort);
  }
}

/** Says how it ended, and gives the exit code. */
export function report(
  { opened, steps, mismatch }: Played,
  script: Script,
  options: { readonly json?: boolean; readonly script?: string },
  io: Io,
): ExitCode {
  if (!opened.ok) {
    const lines = (opened.problems ?? []).map(
      (problem) => `${problem.file}:${problem.line}:${problem.column}: ${problem.message}`,
    );
    return say(io, opened.code === "policy_invalid" ? 2 : 3, [opened.message, ...lines].join("\n"));
  }
  const { result } = opened;
  const wrong = mismatch === null ? unexpected(script, result) : sayMismatch(mismatch, options.script ?? "the script");
  if (options.json) printJson(io, summaryOf(result, steps));
  if (wrong !== null) return say(io, 1, wrong);
  const code = exitCodeOf(result);
  if (result.status === "waiting_approval")
    io.err(`The run waits for a person: yada approve ${result.run} --accept | --deny | --retry | --abort\n`);
  return code;
}

/** What `--json` prints of a run. */
export function summaryOf(result: RunResult, steps: readonly PlayedStep[]): Record<string, unknown> {
  return { run: result.run, status: result.status, outcome: result.outcome, transitions: result.transitions, steps };
}

function sayMismatch({ session, step, line, tool, expected, got }: Mismatch, file: string): string {
  return `${file}:${line}: session ${session + 1}, step ${step} (${tool}) expected ${JSON.stringify(expected)} and got ${JSON.stringify(got).slice(0, 2000)}`;
}

function unexpected({ expect }: Script, { status, outcome, transitions }: RunResult): string | null {
  if (expect.status !== undefined && expect.status !== status)
    return `The script expects the run to end ${expect.status}; it is ${status}${outcome === null ? "" : ` (${outcome.classification}: ${outcome.reasons[0] ?? ""})`}.`;
  if (expect.outcome !== undefined && expect.outcome !== outcome?.classification)
    return `The script expects the outcome ${expect.outcome}; it is ${outcome?.classification ?? "none"}.`;
  if (expect.transitions !== undefined && expect.transitions.join(" ") !== transitions.join(" "))
    return `The script expects the transitions ${expect.transitions.join(" ")}; they are ${transitions.join(" ")}.`;
  return null;
}

/** `yada resume` and `yada approve`: going on with a run that was killed or that waits for a person. */
import { resolve } from "node:path";
import type { ApprovalAnswer, Approver } from "../../../core/run/mod.ts";
import { readRecord } from "../../node/run/mod.ts";
import type { ExitCode, Io } from "../io.ts";
import { say } from "../print.ts";
import { parseScript } from "../script/parse-script.ts";
import { play, report } from "./run.ts";

export interface ContinueOptions {
  readonly dir?: string;
  readonly json?: boolean;
  readonly accept?: boolean;
  readonly deny?: boolean;
  readonly retry?: boolean;
  readonly abort?: boolean;
  readonly reason?: string;
  readonly by?: string;
}

export async function approveCommand(
  run: string,
  options: ContinueOptions,
  io: Io,
  signal?: AbortSignal,
): Promise<ExitCode> {
  const chosen = (["accept", "deny", "retry", "abort"] as const).filter((answer) => options[answer]);
  const [answer] = chosen;
  if (answer === undefined || chosen.length > 1)
    return say(
      io,
      2,
      "Say exactly one of --accept, --deny, --retry, --abort. Example: yada approve RUN --accept --reason 'looked at the diff'",
    );
  const given: ApprovalAnswer = {
    answer,
    by: options.by ?? "operator",
    ...(options.reason === undefined ? {} : { reason: options.reason }),
  };
  const answers = [given];
  return goOn(run, options, { ask: async () => answers.shift() ?? null }, io, signal);
}

export function resumeCommand(run: string, options: ContinueOptions, io: Io, signal?: AbortSignal): Promise<ExitCode> {
  return goOn(run, options, { ask: async () => null }, io, signal);
}

async function goOn(
  run: string,
  options: ContinueOptions,
  approver: Approver,
  io: Io,
  signal?: AbortSignal,
): Promise<ExitCode> {
  const dir = resolve(io.cwd, options.dir ?? ".");
  const record = await readRecord(dir, run);
  if (record === null) return say(io, 2, `There is no run ${run} here. yada runs lists them.`);
  if (record.script === undefined)
    return say(io, 3, `Run ${run} was driven by no script, and this version drives no model.`);
  const parsed = parseScript(record.script.text, record.script.file);
  if (!parsed.ok) return say(io, 2, parsed.problems.join("\n"));
  const played = await play(
    parsed.script,
    {
      dir,
      ...record.script,
      resume: run,
      approver,
      ...(record.policyFile === undefined ? {} : { policy: record.policyFile }),
      ...(options.json ? { json: true } : {}),
    },
    io,
    signal,
  );
  // What the script expects of the end was said of a run without this answer.
  return report(played, { ...parsed.script, expect: {} }, options, io);
}

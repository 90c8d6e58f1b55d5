/** `yada runs`, `yada show` and `yada trace`: what ran here. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { evolve, INITIAL, type RunEvent, type readTrace } from "../../../core/run/mod.ts";
import { listRuns, readRecord, readRunTrace, runsDirectory } from "../../node/run/mod.ts";
import type { ExitCode, Io } from "../io.ts";
import { printJson, say } from "../print.ts";
import { linesFor } from "../timeline.ts";

export interface LookOptions {
  readonly dir?: string;
  readonly json?: boolean;
  readonly verify?: boolean;
}

const rootOf = (options: LookOptions, io: Io): string => resolve(io.cwd, options.dir ?? ".");

export async function runsCommand(options: LookOptions, io: Io): Promise<ExitCode> {
  const root = rootOf(options, io);
  const rows = [];
  for (const run of await listRuns(root)) {
    const [record, trace] = [await readRecord(root, run), await traceOf(root, run)];
    const state = (trace?.events ?? []).reduce(evolve, INITIAL);
    rows.push({
      run,
      status: state.status,
      outcome: state.final?.outcome.classification ?? null,
      task: record?.task ?? state.task,
      startedAt: record?.startedAt ?? null,
      damaged: trace?.problem ?? null,
    });
  }
  if (options.json) printJson(io, rows);
  else if (rows.length === 0) io.out("No run here yet. yada demo shows one.\n");
  else
    for (const row of rows)
      io.out(
        `${row.run}  ${row.status.padEnd(16)}  ${(row.outcome ?? "").padEnd(24)}  ${row.task.split("\n")[0]}${row.damaged === null ? "" : "  (trace damaged)"}\n`,
      );
  return 0;
}

export async function showCommand(run: string, options: LookOptions, io: Io): Promise<ExitCode> {
  const root = rootOf(options, io);
  const trace = await traceOf(root, run);
  if (trace === null) return noSuchRun(run, root, io);
  const state = trace.events.reduce(evolve, INITIAL);
  const { task, status, final, strategy, phase, revision, baseline, changed, attempts, frozen, rounds, waiting } =
    state;
  const summary = {
    run,
    task,
    status,
    outcome: final?.outcome ?? null,
    strategy: strategy === null ? null : { name: strategy.name, reason: strategy.reason },
    phase,
    baseline,
    revision,
    transitions: trace.events.flatMap(({ transition }) => (transition === undefined ? [] : [transition])),
    changed,
    attempts,
    rounds,
    frozen:
      frozen === null
        ? null
        : { target: frozen.target, command: frozen.command, patchSha: frozen.patchSha, blobs: frozen.blobs },
    waiting,
    evidence: trace.events.flatMap((event) =>
      event.type === "tests_observed"
        ? [
            {
              purpose: event.data.purpose,
              revision: event.revision,
              outcome: event.data.outcome,
              origin: event.data.origin,
            },
          ]
        : [],
    ),
    trace: { events: trace.events.length, problem: trace.problem },
  };
  if (options.json) {
    printJson(io, summary);
    return 0;
  }
  for (const event of trace.events)
    for (const { mark, text } of linesFor(event))
      io.out(`${String(event.seq).padStart(4)}  ${{ good: "✓", bad: "✗", ask: "?", plain: "·" }[mark]} ${text}\n`);
  io.out(
    `\n${status}${final === null ? "" : `: ${final.outcome.classification}`}\nchanged: ${changed.map((change) => `${change.path} (${change.role})`).join(", ") || "nothing"}\nrecords: ${join(runsDirectory(root), run)}\n`,
  );
  return 0;
}

export async function traceCommand(run: string, options: LookOptions, io: Io): Promise<ExitCode> {
  const root = rootOf(options, io);
  const trace = await traceOf(root, run);
  if (trace === null) return noSuchRun(run, root, io);
  if (options.verify) {
    const state = trace.events.reduce(evolve, INITIAL);
    const problem =
      trace.problem ??
      (state.fault === null ? null : { line: state.fault.seq, code: state.fault.code, message: state.fault.message });
    if (options.json) printJson(io, { run, ok: problem === null, events: trace.events.length, problem });
    if (problem !== null)
      return say(
        io,
        1,
        `trace.jsonl:${problem.line}: ${problem.code}: ${problem.message} The ${trace.events.length} events before it are whole.`,
      );
    if (!options.json) io.out(`${trace.events.length} events, each where it belongs.\n`);
    return 0;
  }
  if (options.json) printJson(io, trace.events);
  else io.out(await readFile(join(runsDirectory(root), run, "trace.jsonl"), "utf8"));
  return trace.problem === null ? 0 : say(io, 1, `trace.jsonl:${trace.problem.line}: ${trace.problem.message}`);
}

async function traceOf(root: string, run: string): Promise<ReturnType<typeof readTrace> | null> {
  if (!/^[\w.-]+$/.test(run) || run.startsWith(".")) return null;
  try {
    return await readRunTrace(root, run);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function noSuchRun(run: string, root: string, io: Io): ExitCode {
  return say(io, 2, `There is no run ${run} in ${runsDirectory(root)}. yada runs lists them.`);
}

export type { RunEvent };

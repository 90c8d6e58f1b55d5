/** One execution of a test command over a tree, and what the report says. */
import type { TestReport } from "../evidence/mod.ts";
import type { Runner } from "../plugin/mod.ts";
import { isTestPath } from "../policy/mod.ts";
import { boundText } from "../tools/mod.ts";
import type { Tree } from "../workspace/mod.ts";
import type { Engine } from "./engine.ts";
import type { Origin, TestRun } from "./events.ts";
import type { CommandRequest, CommandResult } from "./ports.ts";

const MAX_OUTPUT = 8_000;

export interface Execution {
  readonly report: TestReport | null;
  readonly result: CommandResult;
  readonly run: TestRun;
  readonly origin: Origin;
  readonly output: string;
}

/** Runs a command, and never rejects: a host that breaks is a fault of the environment. */
export async function runCommand(
  engine: Engine,
  request: Omit<CommandRequest, "objects" | "signal">,
): Promise<CommandResult> {
  try {
    return await engine.ports.commands.run({
      ...request,
      objects: engine.workspace.objects,
      ...(engine.signal === null ? {} : { signal: engine.signal }),
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      exit: { code: null, signal: null, timedOut: false },
      output: "",
      report: null,
      root: "",
      durationMs: 0,
      isolation: { engine: "none", notes: [] },
      stray: [],
      cannotRun: `The host could not run the command: ${message}`,
    };
  }
}

/** Runs a test command in a lane that was reset first, and reads the report that the host asked for. */
export async function execute(engine: Engine, runner: Runner, argv: readonly string[], tree: Tree): Promise<Execution> {
  const nonce = engine.ports.ids.next("nonce");
  const prepared = runner.prepare(argv, { nonce });
  const result = await runCommand(engine, {
    tree,
    argv: prepared.argv,
    env: prepared.env,
    files: prepared.files,
    report: prepared.report,
    timeoutMs: engine.policy.tests.timeoutMs,
    network: false,
    purpose: "evidence",
  });
  const isTest = (path: string) => isTestPath(engine.policy, path, engine.workspace.ignoreCase);
  const report = result.report === null ? null : runner.parse(result.report, { nonce, root: result.root, isTest });
  const run: TestRun = {
    exit: result.exit,
    report: report === null ? null : await engine.ports.artifacts.put(JSON.stringify(report)),
    output: await engine.ports.artifacts.put(result.output),
    tests: report?.tests.length ?? 0,
    ...(result.cannotRun === undefined ? {} : { cannotRun: result.cannotRun }),
  };
  return { report, result, run, origin: originOf(result, runner), output: boundOutput(result.output) };
}

/** Where evidence comes from, for the trace. */
export function originOf(result: CommandResult, runner: Runner | null): Origin {
  return {
    engine: "yada",
    runner: runner === null ? null : `${runner.name}@${runner.version}`,
    isolation: result.isolation.engine,
    notes: result.isolation.notes,
    from: "host",
  };
}

/** The beginning of an output, as much as a message can carry. */
export function boundOutput(output: string): string {
  const { text, cut } = boundText(output, MAX_OUTPUT);
  return cut > 0 ? `${text}\n[${cut} characters cut]\n` : text;
}

/** A run on this machine: repository, policy, lanes, trace and write-back put together for the kernel. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createRegistry, type Model, type Plugin } from "../../../core/plugin/mod.ts";
import type { PolicyProblem } from "../../../core/policy/mod.ts";
import { type Approver, createKernel, type RunEvent, type RunResult } from "../../../core/run/mod.ts";
import { createWorkspace, type Workspace } from "../../../core/workspace/mod.ts";
import { nodeGrammars } from "../grammars/mod.ts";
import { laneCommands } from "../lane/mod.ts";
import { openRepository } from "../repository/mod.ts";
import { diskWriteBack, recoverWriteBack } from "../write-back/mod.ts";
import { builtinPlugins } from "./builtin-plugins.ts";
import { fileArtifacts, keptObjects } from "./kept-blobs.ts";
import { loadRepositoryPolicy } from "./repository-policy.ts";
import {
  createRunDirectory,
  listRuns,
  type RunRecord,
  readHead,
  readRecord,
  readRunTrace,
  runsDirectory,
} from "./run-directory.ts";
import { openTraceFile } from "./trace-file.ts";

export interface RunRequest {
  readonly dir: string;
  /** The model, given the workspace that it will work on. */
  readonly model: (workspace: Workspace) => Model;
  readonly approver: Approver;
  readonly policyFile?: string;
  /** Plugins beside the built-in ones. */
  readonly plugins?: readonly Plugin[];
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent, ms: number) => void;
  readonly script?: RunRecord["script"];
}

export type OpenedRun =
  | {
      readonly ok: true;
      readonly result: RunResult;
      readonly directory: string;
      readonly root: string;
      readonly notices: readonly string[];
    }
  | {
      readonly ok: false;
      readonly code:
        | "policy_invalid"
        | "unfinished_write"
        | "no_such_run"
        | "trace_damaged"
        | "invalid_plugin"
        | "baseline_changed";
      readonly message: string;
      readonly problems?: readonly PolicyProblem[];
    };

/** Runs a task from its start. */
export async function startRun(task: string, request: RunRequest): Promise<OpenedRun> {
  return withRepository(request, async (assembled) => {
    const run = runId();
    const { policyFile, script } = request;
    const record: RunRecord = {
      run,
      task,
      startedAt: new Date().toISOString(),
      ...(policyFile === undefined ? {} : { policyFile }),
      ...(script === undefined ? {} : { script }),
    };
    const directory = await createRunDirectory(assembled.root, record);
    return drive(assembled, request, run, directory, (kernel) => kernel.run(task));
  });
}

/** Goes on with a run that was suspended or killed. */
export async function resumeRun(run: string, request: RunRequest): Promise<OpenedRun> {
  return withRepository(request, async (assembled) => {
    const { root } = assembled;
    if ((await readRecord(root, run)) === null)
      return {
        ok: false,
        code: "no_such_run",
        message: `There is no run ${run} in ${runsDirectory(root)}. yada runs lists them.`,
      };
    const trace = await readRunTrace(root, run);
    if (trace.problem !== null && trace.problem.code !== "incomplete_line") {
      return {
        ok: false,
        code: "trace_damaged",
        message: `trace.jsonl:${trace.problem.line}: ${trace.problem.message} The run cannot be resumed from it.`,
      };
    }
    const started = trace.events[0];
    if (started?.type === "run_started" && started.data.baseline !== assembled.workspace.baseline.oid) {
      return {
        ok: false,
        code: "baseline_changed",
        message: "The working tree is not the one that the run started from. Put it back (git stash), then resume.",
      };
    }
    return drive(assembled, request, run, join(runsDirectory(root), run), (kernel) => kernel.resume(trace.events));
  });
}

interface Assembled {
  readonly root: string;
  readonly workspace: Awaited<ReturnType<typeof openRepository>>;
  readonly policy: Extract<Awaited<ReturnType<typeof loadRepositoryPolicy>>, { ok: true }>;
}

async function withRepository(
  request: RunRequest,
  act: (assembled: Assembled) => Promise<OpenedRun>,
): Promise<OpenedRun> {
  const unfinished = await recoverAll(request.dir);
  if (unfinished !== null) return { ok: false, code: "unfinished_write", message: unfinished };
  const workspace = await openRepository(request.dir);
  try {
    const policy = await loadRepositoryPolicy(workspace.root, request.policyFile);
    if (!policy.ok)
      return { ok: false, code: "policy_invalid", message: "The policy is not valid.", problems: policy.problems };
    const [plugin] = policy.policy.plugins;
    if (plugin !== undefined) {
      // A rule that nobody enforces must not look like one that holds.
      const message = `The policy names the plugin ${plugin.use}, and this version loads none from a policy. Remove it, or give it to startRun.`;
      return { ok: false, code: "policy_invalid", message };
    }
    return await act({ root: workspace.root, workspace, policy });
  } finally {
    await workspace.close();
  }
}

/** A write-back that was killed is finished or undone before anything else happens. Null, or why that failed. */
async function recoverAll(root: string): Promise<string | null> {
  for (const run of await listRuns(root)) {
    const recovered = await recoverWriteBack(join(runsDirectory(root), run), root);
    if (!recovered.ok)
      return `The write-back of run ${run} was interrupted and could not be settled: ${recovered.message}`;
  }
  return null;
}

async function drive(
  { root, workspace, policy: { policy, notices } }: Assembled,
  request: RunRequest,
  run: string,
  directory: string,
  go: (kernel: ReturnType<typeof createKernel>) => Promise<RunResult>,
): Promise<OpenedRun> {
  const grammars = nodeGrammars();
  const made = createRegistry([...builtinPlugins(grammars), ...(request.plugins ?? [])]);
  if (!made.ok) return { ok: false, code: "invalid_plugin", message: made.message };
  const said = [...workspace.notices, ...notices];
  const tree = createWorkspace({
    tree: workspace.baseline.tree,
    objects: keptObjects(workspace.objects, directory),
    ignoreCase: workspace.ignoreCase,
    notices: said,
  });
  const trace = await openTraceFile(directory, Date.now, await readHead(directory), request.onEvent);
  const commands = laneCommands({ root, isolation: policy.isolation, forms: workspace.forms });
  try {
    const kernel = createKernel({
      policy,
      registry: made.registry,
      workspace: tree,
      model: request.model(tree),
      grammars,
      run,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      ports: {
        commands,
        approver: request.approver,
        trace,
        clock: { now: Date.now },
        ids: { next: () => randomBytes(16).toString("hex") },
        writeBack: diskWriteBack({ root, runDirectory: directory, forms: workspace.forms }),
        artifacts: fileArtifacts(directory),
      },
    });
    return { ok: true, result: await go(kernel), directory, root, notices: said };
  } finally {
    await commands.dispose();
    await trace.close();
  }
}

/** Sortable by time, and unguessable enough not to collide. */
function runId(): string {
  const stamp = new Date().toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${stamp}-${randomBytes(3).toString("hex")}`;
}

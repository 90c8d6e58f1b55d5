/** The kernel: `evolve`, `decide`, and a loop that performs one instruction and records what came of it. */
import type { Outcome } from "../evidence/mod.ts";
import type { Model, Registry } from "../plugin/mod.ts";
import type { Policy } from "../policy/mod.ts";
import type { Grammars } from "../syntax/mod.ts";
import { toolset } from "../tools/mod.ts";
import { type Entry, snapshotOf, type Workspace } from "../workspace/mod.ts";
import { catalogOf } from "./catalog.ts";
import { decide } from "./decide.ts";
import type { Engine, KernelPorts } from "./engine.ts";
import type { EventDraft, RunEvent } from "./events.ts";
import { evolve } from "./evolve.ts";
import { notInThisVersion } from "./notices.ts";
import { perform } from "./perform/perform.ts";
import { INITIAL, type RunState, type RunStatus } from "./state.ts";
import { hashEvent } from "./trace.ts";
import { transitionOf } from "./transitions.ts";

export interface KernelOptions {
  readonly policy: Policy;
  readonly registry: Registry;
  readonly workspace: Workspace;
  readonly model: Model;
  readonly ports: KernelPorts;
  /** Parses test files and guards' input. Without it, additions to tests are told by lines. */
  readonly grammars?: Grammars;
  readonly signal?: AbortSignal;
  /** Replies of the model in one session. Default 200. */
  readonly maxTurns?: number;
  /** The id of the run. Default: from the port `ids`. */
  readonly run?: string;
}

export interface RunResult {
  readonly run: string;
  /** `waiting_approval` is a run that is suspended, not one that ended. */
  readonly status: RunStatus;
  readonly outcome: Outcome | null;
  readonly transitions: readonly string[];
  readonly state: RunState;
}

export interface Kernel {
  /** Runs a task from its start to a final status, or until a person has to answer. */
  run(task: string): Promise<RunResult>;
  /** Goes on with a run from its events. What was answered is not asked again. */
  resume(events: readonly RunEvent[]): Promise<RunResult>;
  /** The state as it stands. */
  readonly state: RunState;
}

const DEFAULT_MAX_TURNS = 200;

/**
 * A kernel for one run. It knows no plugin by name: strategies, presenters, guards, verifiers and runners come from the registry, and everything
 * that touches the world is a port.
 */
export function createKernel(options: KernelOptions): Kernel {
  const { policy, registry, workspace, ports } = options;
  const offered = registry.all("strategy").filter(({ name }) => policy.strategies.offer.includes(name));
  const tools = toolset(offered);
  const engine: Engine = {
    policy,
    registry,
    workspace,
    ports,
    tools,
    model: options.model,
    grammars: options.grammars ?? null,
    signal: options.signal ?? null,
    catalog: {
      ...catalogOf(tools, offered, options.maxTurns ?? DEFAULT_MAX_TURNS),
      verifies: policy.verify.length > 0,
    },
    trees: new Map([[workspace.baseline.tree.oid, workspace.baseline.tree]]),
    state: INITIAL,
  };
  let prev = "";
  const transitions: string[] = [];

  async function record(draft: EventDraft): Promise<void> {
    const transition = transitionOf(draft);
    const event: RunEvent = {
      ...draft,
      seq: engine.state.seq + 1,
      revision: revisionOf(engine.state, draft),
      prev,
      ...(transition === undefined ? {} : { transition }),
    };
    await ports.trace.append(event);
    take(event);
  }

  function take(event: RunEvent): void {
    engine.state = evolve(engine.state, event);
    prev = hashEvent(event);
    if (event.transition !== undefined) transitions.push(event.transition);
    const tree = engine.trees.get(engine.state.revision);
    if (tree !== undefined && tree !== workspace.tree) workspace.restore(snapshotOf(tree));
  }

  async function loop(): Promise<RunResult> {
    for (;;) {
      const { state } = engine;
      if (options.signal?.aborted && state.final === null && state.cancelled === null && state.fault === null) {
        await record({ type: "cancel_requested", data: { reason: "the run was interrupted" } });
        continue;
      }
      const instruction = decide(state, engine.catalog);
      if (instruction.kind === "done") break;
      const draft = await perform(engine, instruction);
      if (draft === null) break;
      await record(draft);
      if (engine.state.waiting !== null && draft.type === "approval_requested") break;
    }
    return result();
  }

  function result(): RunResult {
    const { state } = engine;
    const pending: Outcome | null =
      state.escalated ??
      (state.waiting === null
        ? null
        : {
            verdict: "escalate",
            classification: "approval_pending",
            reasons: [state.waiting.what, state.waiting.why],
          });
    const fault: Outcome | null =
      state.fault === null
        ? null
        : { verdict: "fail", classification: "plugin_failed", reasons: [state.fault.message] };
    return {
      run: state.run,
      status: state.fault === null ? state.status : "failed",
      outcome: state.final?.outcome ?? fault ?? pending,
      transitions,
      state,
    };
  }

  return {
    get state(): RunState {
      return engine.state;
    },
    async run(task) {
      await record({
        type: "run_started",
        data: {
          run: options.run ?? ports.ids.next("run"),
          task,
          baseline: workspace.baseline.oid,
          policy: { file: policy.source.file, sha256: policy.source.sha256 },
          editMode: policy.edit.mode,
          offered: offered.map(({ name }) => name),
          maxRounds: policy.maxRounds,
          plugins: pluginList(registry),
          notices: [...workspace.notices, ...notInThisVersion(policy, registry)],
        },
      });
      return loop();
    },
    async resume(events) {
      for (const event of events) {
        if (event.type === "edit_proposed") keepProposed(engine, event.data.tree, event.data.files);
        take(event);
      }
      return loop();
    },
  };
}

/** The tree of a recorded edit, made again from its blobs. */
function keepProposed(
  engine: Engine,
  oid: string,
  files: readonly { readonly path: string; readonly after: Entry | null }[],
): void {
  const before = engine.trees.get(engine.state.revision);
  if (before === undefined)
    throw new Error(`The trace starts from tree ${engine.state.baseline}, which is not the one that was opened.`);
  const tree = before.with(new Map(files.map(({ path, after }) => [path, after])));
  if (tree.oid !== oid) throw new Error(`The recorded edit gives tree ${tree.oid} and not ${oid}.`);
  engine.trees.set(oid, tree);
}

function revisionOf(state: RunState, draft: EventDraft): string {
  switch (draft.type) {
    case "run_started":
      return draft.data.baseline;
    case "edit_applied":
      return draft.data.tree;
    case "restored":
      return draft.data.to;
    case "tests_observed":
      return draft.data.purpose === "baseline" ? state.baseline : state.revision;
    default:
      return state.revision;
  }
}

function pluginList(registry: Registry): { kind: string; name: string; version: string }[] {
  const kinds = ["strategy", "presenter", "guard", "verifier", "runner", "model"] as const;
  return kinds.flatMap((kind) => registry.all(kind).map(({ name, version }) => ({ kind, name, version })));
}

/** `evolve`: what an event does to the state. Pure and total: an event that does not fit leaves the state as it was, with a fault. */
import type { Outcome } from "../evidence/mod.ts";
import type { Message, Obtainable } from "../plugin/mod.ts";
import type { Oid } from "../workspace/mod.ts";
import type { EventData, EventType, RunEvent } from "./events.ts";
import { misfit } from "./legal.ts";
import { goesToPerson, retryReturnsToModel } from "./routing.ts";
import type { EvidenceEntry, RunState, SessionState } from "./state.ts";

/** The state after an event. `evolve` folded over a trace from `INITIAL` is the state of the run. */
export function evolve(state: RunState, event: RunEvent): RunState {
  if (state.fault !== null) return state;
  const reason = misfit(state, event);
  if (reason !== null) {
    return { ...state, fault: { code: "invalid_transition", seq: event.seq, message: `${event.type}: ${reason}` } };
  }
  const reduce = REDUCERS[event.type] as Reducer<EventType>;
  const next = reduce({ ...state, seq: event.seq }, event.data, event.revision);
  return event.answer === undefined ? next : answered(next, event.answer.call, event.answer.result);
}

type Reducer<T extends EventType> = (state: RunState, data: EventData[T], revision: Oid) => RunState;

const REDUCERS: { readonly [T in EventType]: Reducer<T> } = {
  run_started: (state, data) => ({
    ...state,
    status: "loading_context",
    run: data.run,
    task: data.task,
    baseline: data.baseline,
    revision: data.baseline,
    editMode: data.editMode,
    offered: data.offered,
    maxRounds: data.maxRounds,
  }),

  phase_started: (state, data) => {
    const entered: RunState = {
      ...state,
      status: "running_llm",
      phase: data.phase,
      gates: null,
      unresolved: null,
      rounds: 0,
      lastFailure: null,
    };
    if (!data.fresh) return changeSession(entered, (session) => ({ ...session, phase: data.phase }));
    const session: SessionState = { phase: data.phase, messages: data.messages, turns: 0, stopped: false, stops: 0 };
    // What an earlier session still wanted to do dies with it.
    return { ...entered, sessions: [...state.sessions, session], pending: [] };
  },

  model_replied: (state, data) => {
    const message: Message = { role: "assistant", text: data.text, calls: data.calls };
    const stopped = data.calls.length === 0;
    const next = changeSession(state, (session) => ({
      ...session,
      messages: [...session.messages, message],
      turns: session.turns + 1,
      stopped,
      stops: stopped ? session.stops + 1 : 0,
    }));
    return { ...next, status: "executing_tools", pending: data.calls };
  },

  model_failed: (state, data) => ({ ...state, failure: { classification: "model_failed", message: data.message } }),
  plugin_failed: (state, data) => ({
    ...state,
    failure: { classification: "plugin_failed", message: `${data.plugin}, ${data.hook}: ${data.message}` },
  }),
  tool_answered: (state) => ({ ...state, proposal: null }),
  snapshot_taken: (state, data) => ({ ...state, snapshot: data.snapshot }),

  strategy_selected: (state, data) => ({
    ...state,
    strategy: { name: data.strategy, reason: data.reason, call: data.call },
  }),

  edit_proposed: (state, data) => ({ ...state, proposal: { ...data, approved: false } }),
  edit_rejected: (state) => ({ ...state, proposal: null }),
  edit_applied: (state, data) => ({
    ...state,
    revision: data.tree,
    changed: data.changed,
    changedTests: [...state.changedTests, ...(state.proposal?.changedTests ?? [])],
    proposal: null,
    sideEffects: true,
    gates: null,
    unresolved: null,
  }),

  command_ran: (state) => ({ ...state, sideEffects: true }),
  red_submitted: (state, data, revision) => ({ ...state, status: "verifying", submission: { ...data, revision } }),
  tests_requested: (state, data) => ({ ...state, status: "verifying", requested: data }),

  tests_observed: (state, data, revision) => {
    const entry: EvidenceEntry = {
      revision,
      outcome: data.outcome,
      output: data.output,
      runs: data.runs,
      fingerprint: data.fingerprint,
    };
    if (goesToPerson(data.outcome)) return { ...state, escalated: data.outcome, escalatedStep: data.purpose };
    switch (data.purpose) {
      case "red":
        return observedRed(state, entry);
      case "baseline":
        return { ...state, baselineRun: entry };
      default:
        return observedAtRevision(state, data.purpose, entry);
    }
  },

  verified: (state, data, revision) => {
    const entry: EvidenceEntry = {
      revision,
      outcome: data.outcome,
      output: data.steps.map((step) => step.output).join("\n"),
      runs: [],
      fingerprint: data.fingerprint,
    };
    if (goesToPerson(data.outcome)) return { ...state, escalated: data.outcome, escalatedStep: "verification" };
    return { ...state, evidence: { ...state.evidence, verification: entry }, gates: null };
  },

  test_frozen: (state, data) => ({ ...state, frozen: data }),
  gates_answered: (state, data) => ({ ...state, status: "evaluating", gates: data.gates }),

  presented: (state, data) => {
    const owed = state.owed.slice(1);
    const next: RunState = { ...state, owed };
    // A message that answers no call opens the next turn.
    if (data.audience !== "agent" || state.owed[0]?.call) return next;
    return changeSession(next, (session) => ({
      ...session,
      messages: [...session.messages, { role: "user", text: data.text }],
      stopped: false,
    }));
  },

  finish_requested: (state, data) => ({
    ...state,
    status: "evaluating",
    finish: { by: data.by, call: data.call, summary: data.summary, accepted: false },
    gates: null,
  }),

  finish_refused: (state, data) => {
    const next: RunState = { ...state, finish: null, gates: null };
    if (data.outcome === null) {
      return data.call === null
        ? reopened(
            next,
            data.missing.map((gate) => gate.missing ?? gate.name),
          )
        : next;
    }
    const failed: RunState = {
      ...next,
      rounds: state.rounds + 1,
      lastFailure: data.fingerprint,
      unresolved: data.outcome,
    };
    const loop = broken(failed, state.lastFailure, data.outcome);
    if (loop !== null) return { ...failed, escalated: loop, escalatedStep: data.step, heldCall: data.call };
    return {
      ...failed,
      owed: [...failed.owed, { audience: "agent", step: data.step, outcome: data.outcome, call: data.call }],
    };
  },

  finish_accepted: (state) => ({
    ...state,
    finish: state.finish === null ? null : { ...state.finish, accepted: true },
  }),

  blocked_reported: (state, data) => ({ ...state, blocked: { reason: data.reason, evidence: data.evidence } }),
  approval_requested: (state, data) => ({ ...state, status: "waiting_approval", waiting: data.card }),
  approval_answered: (state, data) => settled({ ...state, waiting: null, status: "evaluating" }, data),
  restored: (state, data) => ({
    ...state,
    revision: data.to,
    changed: [],
    proposal: null,
    gates: null,
    restored: true,
  }),
  written: (state, data) => ({ ...state, written: data.paths }),
  write_refused: (state, data) => ({
    ...state,
    escalated: { verdict: "escalate", classification: data.code, reasons: [data.message, ...data.paths].slice(0, 20) },
    escalatedStep: "write",
  }),
  cancel_requested: (state, data) => ({ ...state, cancelled: data.reason }),
  run_finished: (state, data) => ({
    ...state,
    status: data.status,
    final: { status: data.status, outcome: data.outcome },
  }),
};

function observedRed(state: RunState, entry: EvidenceEntry): RunState {
  const submission = state.submission;
  const phase = state.phase;
  const valid = entry.outcome.verdict === "pass";
  return {
    ...state,
    submission: null,
    accepted: valid ? submission : state.accepted,
    red: entry,
    unresolved: valid ? null : entry.outcome,
    attempts: { ...state.attempts, [phase]: (state.attempts[phase] ?? 0) + 1 },
    owed: [...state.owed, { audience: "agent", step: "red", outcome: entry.outcome, call: submission?.call ?? null }],
    gates: null,
  };
}

function observedAtRevision(state: RunState, purpose: Obtainable, entry: EvidenceEntry): RunState {
  const next: RunState = { ...state, evidence: { ...state.evidence, [purpose]: entry }, gates: null };
  const requested = state.requested;
  if (requested === null) return next;
  const remaining = requested.purposes.filter((kind) => kind !== purpose);
  const passed = entry.outcome.verdict === "pass";
  if (passed && remaining.length > 0) return { ...next, requested: { ...requested, purposes: remaining } };
  return {
    ...next,
    requested: null,
    unresolved: passed ? null : entry.outcome,
    owed: [...next.owed, { audience: "agent", step: purpose, outcome: entry.outcome, call: requested.call }],
  };
}

/** The outcome that breaks a loop of failed rounds, or null where the model may try again. */
function broken(state: RunState, before: string | null, outcome: Outcome): Outcome | null {
  const said = outcome.reasons.slice(0, 5);
  if (before !== null && before === state.lastFailure) {
    return {
      verdict: "escalate",
      classification: "loop_detected",
      reasons: [`The same failure came twice in a row: ${outcome.classification}.`, ...said],
    };
  }
  if (state.rounds > state.maxRounds) {
    return {
      verdict: "escalate",
      classification: "rounds_exhausted",
      reasons: [`Verification failed ${state.rounds} times; max_rounds is ${state.maxRounds}.`, ...said],
    };
  }
  return null;
}

function settled(state: RunState, { card, answer }: EventData["approval_answered"]): RunState {
  if (answer.answer === "abort") {
    return { ...state, cancelled: `aborted by ${answer.by}`, abortedBy: answer, escalated: null };
  }
  switch (card.kind) {
    case "edit":
      return answer.answer === "accept" && state.proposal !== null
        ? { ...state, proposal: { ...state.proposal, approved: true } }
        : { ...state, proposal: null };
    case "command":
      return answer.answer === "accept" && state.pending[0] !== undefined
        ? { ...state, approvedCalls: [...state.approvedCalls, state.pending[0].id] }
        : state;
    default:
      return answer.answer === "accept" ? { ...state, acceptedBy: answer, escalated: null } : retried(state);
  }
}

/** A person said: try again. Evidence that was no pass is forgotten, and so is the fingerprint of the failure. */
function retried(state: RunState): RunState {
  const outcome = state.escalated;
  const evidence: { [kind in Obtainable]?: EvidenceEntry } = {};
  for (const [kind, entry] of Object.entries(state.evidence) as [Obtainable, EvidenceEntry][]) {
    if (entry.outcome.verdict === "pass") evidence[kind] = entry;
  }
  const next: RunState = {
    ...state,
    evidence,
    escalated: null,
    lastFailure: null,
    rounds: 0,
    unresolved: null,
    gates: null,
    heldCall: null,
  };
  if (outcome === null || !retryReturnsToModel(outcome)) return next;
  return {
    ...next,
    finish: null,
    owed: [...next.owed, { audience: "agent", step: state.escalatedStep, outcome, call: state.heldCall }],
  };
}

function reopened(state: RunState, missing: readonly string[]): RunState {
  const text = `The task is not finished. Missing:\n${missing.map((line) => `- ${line}`).join("\n")}`;
  return changeSession(state, (session) => ({
    ...session,
    messages: [...session.messages, { role: "user", text }],
    stopped: false,
  }));
}

function answered(state: RunState, call: string, result: import("../tools/mod.ts").ToolResult): RunState {
  const waiting = state.pending.find((pending) => pending.id === call);
  if (waiting === undefined) return state;
  const message: Message = { role: "tool", call, tool: waiting.tool, result };
  const next = changeSession(state, (session) => ({ ...session, messages: [...session.messages, message] }));
  return { ...next, pending: state.pending.filter((pending) => pending.id !== call) };
}

function changeSession(state: RunState, change: (session: SessionState) => SessionState): RunState {
  const last = state.sessions.length - 1;
  const current = state.sessions[last];
  if (current === undefined) return state;
  return { ...state, sessions: [...state.sessions.slice(0, last), change(current)] };
}

/** Whether an observation belongs to the current revision. */
export function isFresh(state: RunState, entry: EvidenceEntry | undefined): entry is EvidenceEntry {
  return entry !== undefined && entry.revision === state.revision;
}

/** `decide`: the one next instruction, from the state and the catalog alone. The rules stand in the order in which they are asked. */
import type { Classification, Outcome } from "../evidence/mod.ts";
import { OUTCOMES } from "../evidence/mod.ts";
import type { Obtainable } from "../plugin/mod.ts";
import { cardForEdit, cardForOutcome } from "./cards.ts";
import type { Catalog, CatalogPhase } from "./catalog.ts";
import { decideCall } from "./decide-call.ts";
import type { FinalStatus } from "./events.ts";
import { isFresh } from "./evolve.ts";
import type { Instruction } from "./instructions.ts";
import { openNext, phaseOf } from "./phases.ts";
import type { RunState } from "./state.ts";

interface RuleOfOrder {
  readonly name: string;
  readonly decide: (state: RunState, catalog: Catalog) => Instruction | null;
}

/** The next instruction. Total: every state has one. */
export function decide(state: RunState, catalog: Catalog): Instruction {
  for (const rule of RULES) {
    const instruction = rule.decide(state, catalog);
    if (instruction !== null) return instruction;
  }
  return { kind: "call_model", session: state.sessions.length - 1 };
}

const RULES: readonly RuleOfOrder[] = [
  { name: "ended", decide: (state) => (state.final !== null || state.fault !== null ? { kind: "done" } : null) },
  {
    name: "failed",
    decide: (state) =>
      state.failure === null ? null : finishWith(outcomeOf(state.failure.classification, state.failure.message)),
  },
  { name: "cancelled", decide: cancelled },
  {
    name: "open",
    decide: (state) =>
      state.sessions.length === 0
        ? { kind: "open_phase", phase: "select", session: "fresh", brief: ["task", "criteria"] }
        : null,
  },
  { name: "accepted by a person", decide: acceptedByPerson },
  { name: "waiting", decide: (state) => (state.waiting === null ? null : { kind: "ask_person", card: state.waiting }) },
  {
    name: "escalated",
    decide: (state) =>
      state.escalated === null
        ? null
        : { kind: "ask_person", card: cardForOutcome(state.escalated, state.escalatedStep) },
  },
  {
    name: "blocked",
    decide: (state) =>
      state.blocked === null ? null : finishWith(outcomeOf("reported_blocked", state.blocked.reason)),
  },
  {
    name: "owed",
    decide: (state) => {
      const owed = state.owed[0];
      return owed === undefined ? null : { kind: "present", ...owed };
    },
  },
  { name: "accepted", decide: accepted },
  {
    name: "proposal",
    decide: (state) => {
      if (state.proposal === null) return null;
      const { asks, approved } = state.proposal;
      return asks.length > 0 && !approved
        ? { kind: "ask_person", card: cardForEdit(state.proposal) }
        : { kind: "inspect" };
    },
  },
  {
    name: "first phase",
    decide: (state, catalog) => (state.strategy !== null && state.phase === "select" ? openNext(state, catalog) : null),
  },
  {
    name: "submission",
    decide: ({ submission }) =>
      submission === null
        ? null
        : {
            kind: "run_tests",
            purpose: "red",
            expect: "red",
            revision: submission.revision,
            target: submission.target,
            repeat: 2,
          },
  },
  { name: "leave red", decide: leaveAfterRed },
  { name: "attempts", decide: attemptsExhausted },
  {
    name: "requested tests",
    decide: (state, catalog) =>
      state.requested?.purposes[0] === undefined ? null : obtain(state.requested.purposes[0], state, catalog),
  },
  { name: "finish", decide: settleFinish },
  {
    name: "call",
    decide: (state, catalog) => (state.pending[0] === undefined ? null : decideCall(state, catalog, state.pending[0])),
  },
  { name: "stopped", decide: stopped },
  {
    name: "turns",
    decide: (state, catalog) =>
      (state.sessions.at(-1)?.turns ?? 0) >= catalog.maxTurns
        ? finishWith(outcomeOf("stopped_early", `The session used up its ${catalog.maxTurns} turns.`))
        : null,
  },
];

function cancelled(state: RunState): Instruction | null {
  if (state.cancelled === null) return null;
  const to = state.snapshot ?? state.baseline;
  if (state.abortedBy === null) return finishWith(outcomeOf("cancelled", state.cancelled));
  if (!state.restored && state.revision !== to) return { kind: "restore", to };
  return finishWith(
    outcomeOf("aborted_by_person", `${state.abortedBy.by}: ${state.abortedBy.reason ?? "no reason given"}`),
  );
}

function acceptedByPerson(state: RunState): Instruction | null {
  if (state.acceptedBy === null || state.escalated !== null || state.waiting !== null) return null;
  if (state.written === null && state.changed.length > 0) return { kind: "write_back", revision: state.revision };
  const { by, reason } = state.acceptedBy;
  return finishWith(outcomeOf("accepted_by_person", `${by}: ${reason ?? "no reason given"}`));
}

function accepted(state: RunState): Instruction | null {
  if (state.finish?.accepted !== true) return null;
  if (state.written === null) return { kind: "write_back", revision: state.revision };
  return { kind: "finish", status: "completed", outcome: finalPass(state) };
}

/** The pass that a completed run carries: green where a test was frozen, else the verification of the policy. */
function finalPass(state: RunState): Outcome {
  const entry = state.frozen === null ? state.evidence.verification : state.evidence.green;
  return entry?.outcome ?? outcomeOf("verified", "Every gate holds.");
}

function leaveAfterRed(state: RunState, catalog: Catalog): Instruction | null {
  const phase = phaseOf(state, catalog);
  if (phase?.submit !== "red" || state.red?.outcome.verdict !== "pass" || state.red.revision !== state.revision)
    return null;
  if (state.gates === null) return askGates(phase);
  if (state.gates.some((gate) => !gate.holds)) return null;
  if (phase.freezes && state.frozen === null) return { kind: "freeze" };
  return openNext(state, catalog);
}

function attemptsExhausted(state: RunState, catalog: Catalog): Instruction | null {
  const phase = phaseOf(state, catalog);
  if (phase === null || phase.submit === null) return null;
  const used = state.attempts[phase.name] ?? 0;
  if (used < phase.attempts) return null;
  const last = state.unresolved === null ? "" : ` The last was ${state.unresolved.classification}.`;
  return finishWith(
    outcomeOf(
      "attempts_exhausted",
      `${used} of ${phase.attempts} submissions of phase ${phase.name} ran, and none was valid.${last}`,
    ),
  );
}

/** How each kind of evidence is gathered. Regression needs the whole suite on the baseline first. */
function obtain(kind: Obtainable, state: RunState, catalog: Catalog): Instruction {
  if (kind === "verification") {
    const ready = catalog.verifies || isFresh(state, state.evidence.regression);
    return ready ? { kind: "verify", revision: state.revision } : obtain("regression", state, catalog);
  }
  if (kind === "regression" && state.baselineRun === null) {
    return { kind: "run_tests", purpose: "baseline", expect: "green", revision: state.baseline, target: [], repeat: 1 };
  }
  return {
    kind: "run_tests",
    purpose: kind,
    expect: kind === "counterfactual" || kind === "canary" ? "red" : "green",
    revision: state.revision,
    target: state.frozen?.target ?? [],
    repeat: 1,
  };
}

function settleFinish(state: RunState, catalog: Catalog): Instruction | null {
  const { finish } = state;
  const phase = phaseOf(state, catalog);
  if (finish === null || finish.accepted || phase === null) return null;
  if (state.gates === null) return askGates(phase);
  const open = phase.leave.filter((gate) => !state.gates?.find((answer) => answer.name === gate.name)?.holds);
  if (open.length === 0) return openNext(state, catalog) ?? { kind: "accept_finish" };
  const gatherable = (gate: (typeof open)[number]) =>
    gate.needs !== undefined &&
    (gate.needs.byHost || finish.by === "stop") &&
    !isFresh(state, state.evidence[gate.needs.evidence]);
  const next = open.find(gatherable);
  // What cannot be gathered decides at once: nothing is run for a finish that is refused anyway.
  if (next?.needs === undefined || !open.every(gatherable)) return { kind: "refuse_finish" };
  return obtain(next.needs.evidence, state, catalog);
}

function askGates(phase: CatalogPhase): Instruction {
  return { kind: "ask_gates", phase: phase.name, gates: phase.leave.map((gate) => gate.name) };
}

function stopped(state: RunState, catalog: Catalog): Instruction | null {
  const session = state.sessions.at(-1);
  if (session === undefined || !session.stopped) return null;
  const { unresolved } = state;
  if (unresolved?.verdict === "escalate") return endOrAsk(unresolved, state);
  const phase = phaseOf(state, catalog);
  if (phase === null) return stoppedBeforeStrategy(state, catalog);
  if (phase.submit !== null) {
    return finishWith(
      outcomeOf("stopped_early", `The session stopped in phase ${phase.name} without a valid ${phase.submit}.`),
    );
  }
  if (!state.sideEffects)
    return finishWith(outcomeOf("stopped_early", "The session stopped without having changed anything."));
  // The failure was told, and the model had nothing to add: no edit came since.
  if (unresolved !== null) return endOrAsk(unresolved, state);
  if (session.stops > 1)
    return finishWith(outcomeOf("stopped_early", "The session stopped again although evidence is missing."));
  return { kind: "request_finish" };
}

/** An answer to a question needs no proof. A command that ran does: with no strategy there is only the verification of the policy. */
function stoppedBeforeStrategy(state: RunState, catalog: Catalog): Instruction {
  if (!state.sideEffects) return finishWith(outcomeOf("no_side_effects", "Nothing was edited and no command ran."));
  const entry = state.evidence.verification;
  if (!isFresh(state, entry)) return obtain("verification", state, catalog);
  return finishWith(entry.outcome);
}

function endOrAsk(outcome: Outcome, state: RunState): Instruction {
  const { status } = OUTCOMES[outcome.classification];
  if (status === "waiting_approval") return { kind: "ask_person", card: cardForOutcome(outcome, state.phase) };
  return finishWith(outcome);
}

function finishWith(outcome: Outcome): Instruction {
  const { status } = OUTCOMES[outcome.classification];
  const final: FinalStatus = status === "waiting_approval" ? "unfinished" : status;
  return { kind: "finish", status: final, outcome };
}

function outcomeOf(classification: Classification, ...reasons: string[]): Outcome {
  return { verdict: OUTCOMES[classification].verdict, classification, reasons };
}

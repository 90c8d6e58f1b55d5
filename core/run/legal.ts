/** Which event fits which state. A table, so that a person can read what a trace may say and a test can walk it. */
import type { EventType, RunEvent } from "./events.ts";
import type { RunState } from "./state.ts";

type Condition = (state: RunState, event: RunEvent) => string | null;

const started: Condition = (state) => (state.run === "" ? "the run has not started" : null);
const open: Condition = (state) => (state.final !== null ? "the run has ended" : null);
const hasSession: Condition = (state) => (state.sessions.length === 0 ? "no session is open" : null);
const hasStrategy: Condition = (state) => (state.strategy === null ? "no strategy was selected" : null);
const hasProposal: Condition = (state) => (state.proposal === null ? "no edit was proposed" : null);
const sameRevision: Condition = (state, event) =>
  event.revision === state.revision
    ? null
    : `it speaks of revision ${event.revision}, and the run stands at ${state.revision}`;

const SPECIFIC: { readonly [T in EventType]?: readonly Condition[] } = {
  phase_started: [
    (state, event) =>
      event.type === "phase_started" && event.data.phase !== "select" && state.strategy === null
        ? "no strategy was selected"
        : null,
    (state, event) =>
      event.type === "phase_started" &&
      event.data.session !== (event.data.fresh ? state.sessions.length : state.sessions.length - 1)
        ? "it names another session than the one that opens"
        : null,
  ],
  model_replied: [hasSession],
  strategy_selected: [
    hasSession,
    (state) => (state.strategy !== null ? "a strategy was selected before" : null),
    (state, event) =>
      event.type === "strategy_selected" && !state.offered.includes(event.data.strategy)
        ? "the strategy is not offered"
        : null,
  ],
  edit_proposed: [hasStrategy, (state) => (state.proposal !== null ? "another edit is in flight" : null)],
  edit_applied: [
    hasStrategy,
    hasProposal,
    (state, event) =>
      event.type === "edit_applied" && event.data.tree !== state.proposal?.tree
        ? "its tree is not the one that was proposed"
        : null,
    (state) =>
      state.proposal !== null && state.proposal.asks.length > 0 && !state.proposal.approved
        ? "nobody approved it"
        : null,
  ],
  edit_rejected: [hasProposal],
  red_submitted: [hasStrategy, (state) => (state.submission !== null ? "another submission is in flight" : null)],
  tests_requested: [hasStrategy],
  tests_observed: [
    (state, event) =>
      event.type === "tests_observed" && event.data.purpose === "red" && state.submission === null
        ? "no test was submitted"
        : null,
  ],
  test_frozen: [
    hasStrategy,
    (state) => (state.red?.outcome.verdict !== "pass" ? "there is no valid red" : null),
    (state) =>
      state.red !== null && state.red.revision !== state.revision ? "the red belongs to another revision" : null,
    (state) => (state.frozen !== null ? "the test is frozen already" : null),
  ],
  finish_requested: [hasSession, (state) => (state.finish !== null ? "a finish was requested before" : null)],
  finish_refused: [(state) => (state.finish === null ? "no finish was requested" : null)],
  finish_accepted: [
    (state) => (state.finish === null ? "no finish was requested" : null),
    (state) => (state.gates === null || state.gates.some((gate) => !gate.holds) ? "not all gates hold" : null),
  ],
  approval_answered: [
    (_state, event) =>
      event.type === "approval_answered" && !event.data.card.answers.includes(event.data.answer.answer)
        ? "the card offers no such answer"
        : null,
  ],
  written: [
    (state) => (state.finish?.accepted !== true && state.acceptedBy === null ? "no finish was accepted" : null),
  ],
  run_finished: [
    (state, event) =>
      event.type === "run_finished" &&
      event.data.status === "completed" &&
      state.sideEffects &&
      state.changed.length > 0 &&
      state.written === null
        ? "nothing was written"
        : null,
  ],
};

/** Events whose revision is not the one that the run stands at, and what it is instead. */
function expectedRevision(state: RunState, event: RunEvent): string | null {
  switch (event.type) {
    case "run_started":
      return event.data.baseline === event.revision ? null : "its revision is not the baseline";
    case "edit_applied":
      return event.data.tree === event.revision ? null : "its revision is not the new tree";
    case "restored":
      return event.data.to === event.revision ? null : "its revision is not the restored tree";
    case "tests_observed":
      if (event.data.purpose !== "baseline") return sameRevision(state, event);
      return event.revision === state.baseline ? null : "its revision is not the baseline";
    default:
      return sameRevision(state, event);
  }
}

/** Why an event does not fit the state that it meets, or null where it does. */
export function misfit(state: RunState, event: RunEvent): string | null {
  if (event.seq !== state.seq + 1) return `its number is ${event.seq} and should be ${state.seq + 1}`;
  if (event.type === "run_started") {
    return state.run === "" ? expectedRevision(state, event) : "the run has started before";
  }
  for (const condition of [started, open, expectedRevision, ...(SPECIFIC[event.type] ?? [])]) {
    const reason = condition(state, event);
    if (reason !== null) return reason;
  }
  return null;
}

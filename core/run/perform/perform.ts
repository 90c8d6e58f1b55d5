/** Performing one instruction: what came of it, as the draft of one event. `null` where a person has to answer and nobody can. */
import type { ModelEvent, ToolCall } from "../../plugin/mod.ts";
import { diffTrees } from "../../workspace/mod.ts";
import type { ApprovalCard } from "../approval.ts";
import { type Engine, treeOf } from "../engine.ts";
import type { EventDraft, GateAnswer } from "../events.ts";
import { factsOf } from "../facts.ts";
import type { Instruction } from "../instructions.ts";
import { performCall } from "./call.ts";
import { answerDraft, brokenPlugin, refuseDraft } from "./draft.ts";
import { performFreeze } from "./freeze.ts";
import { performInspect } from "./inspect.ts";
import { performOpenPhase } from "./open-phase.ts";
import { performPresent } from "./present.ts";
import { refuseFinish } from "./refuse-finish.ts";
import { performRunTests } from "./run-tests.ts";
import { performVerify } from "./verify.ts";

export async function perform(
  engine: Engine,
  instruction: Exclude<Instruction, { kind: "done" }>,
): Promise<EventDraft | null> {
  const { state, ports } = engine;
  switch (instruction.kind) {
    case "open_phase":
      return performOpenPhase(engine, instruction);
    case "call_model":
      return callModel(engine, instruction.session);
    case "call_tool": {
      const made = await performCall(engine, instruction.call);
      return "type" in made ? made : askPerson(engine, made, instruction.call);
    }
    case "answer":
      return answerDraft(state, instruction.call, instruction.result);
    case "take_snapshot":
      return { type: "snapshot_taken", data: { snapshot: state.revision } };
    case "inspect":
      if (state.proposal === null) throw new Error("There is no edit to inspect.");
      return performInspect(engine, state.proposal);
    case "ask_gates":
      return askGates(engine, instruction.phase);
    case "present":
      return performPresent(engine, instruction);
    case "run_tests":
      return performRunTests(engine, instruction);
    case "verify":
      return performVerify(engine);
    case "freeze":
      return performFreeze(engine);
    case "ask_person":
      return askPerson(engine, instruction.card, state.proposal?.call ?? state.pending[0] ?? null);
    case "request_finish":
      return {
        type: "finish_requested",
        data: {
          by: "stop",
          call: null,
          summary: state.sessions.at(-1)?.messages.at(-1)?.role === "assistant" ? lastWords(engine) : "",
        },
      };
    case "refuse_finish":
      return refuseFinish(engine);
    case "accept_finish":
      return {
        type: "finish_accepted",
        data: { summary: state.finish?.summary ?? "" },
        ...finishAnswer(state.finish?.call ?? null),
      };
    case "restore":
      return { type: "restored", data: { to: instruction.to } };
    case "write_back": {
      const baseline = engine.workspace.baseline.tree;
      const final = treeOf(engine, instruction.revision);
      const changes = diffTrees(baseline, final);
      const { objects } = engine.workspace;
      const result = await ports.writeBack.write({ run: state.run, baseline, final, changes, objects });
      if (result.ok) return { type: "written", data: { paths: result.written, to: result.to } };
      const { code, message, paths } = result;
      return { type: "write_refused", data: { code, message, paths } };
    }
    case "finish":
      return { type: "run_finished", data: { status: instruction.status, outcome: instruction.outcome } };
  }
}

function finishAnswer(call: ToolCall | null): Pick<EventDraft, "answer"> {
  if (call === null) return {};
  return { answer: { call: call.id, result: { ok: true, message: "All gates hold. The host writes the change." } } };
}

function lastWords(engine: Engine): string {
  const last = engine.state.sessions.at(-1)?.messages.at(-1);
  return last?.role === "assistant" ? last.text.slice(0, 4000) : "";
}

async function callModel(engine: Engine, session: number): Promise<EventDraft> {
  const messages = engine.state.sessions[session]?.messages ?? [];
  const tools = engine.tools.map(({ name, description, input }) => ({ name, description, input }));
  const request = { session, messages, tools, ...(engine.signal === null ? {} : { signal: engine.signal }) };
  let text = "";
  const calls: ToolCall[] = [];
  let usage: { inputTokens: number; outputTokens: number } | null = null;
  try {
    for await (const event of engine.model.respond(request)) {
      if (event.kind === "text") text += event.text;
      else if (event.kind === "call") calls.push(event.call);
      else usage = usageOf(event);
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (engine.signal?.aborted) return { type: "cancel_requested", data: { reason: "the run was interrupted" } };
    return { type: "model_failed", data: { session, message } };
  }
  return { type: "model_replied", data: { session, text, calls: numbered(engine, session, calls), usage } };
}

function usageOf({ inputTokens, outputTokens }: Extract<ModelEvent, { kind: "usage" }>): {
  inputTokens: number;
  outputTokens: number;
} {
  return { inputTokens, outputTokens };
}

/** Ids of calls are the host's: a model that repeats one would otherwise answer two calls at once. */
function numbered(engine: Engine, session: number, calls: readonly ToolCall[]): ToolCall[] {
  const turn = engine.state.sessions[session]?.turns ?? 0;
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const fresh = call.id !== "" && !seen.has(call.id) && !usedBefore(engine, session, call.id);
    seen.add(call.id);
    return fresh ? call : { ...call, id: `call-${session}-${turn}-${index}` };
  });
}

function usedBefore(engine: Engine, session: number, id: string): boolean {
  return (engine.state.sessions[session]?.messages ?? []).some(
    (message) => message.role === "assistant" && message.calls.some((call) => call.id === id),
  );
}

function askGates(engine: Engine, phase: string): EventDraft {
  const strategy = engine.registry.get("strategy", engine.state.strategy?.name ?? "");
  const gates = strategy?.phases.find(({ name }) => name === phase)?.leave ?? [];
  const facts = factsOf(engine.state);
  const answers: GateAnswer[] = [];
  for (const gate of gates) {
    try {
      const answer = gate.holds(facts);
      answers.push(answer === true ? { name: gate.name, holds: true } : { name: gate.name, holds: false, ...answer });
    } catch (error) {
      return brokenPlugin(`${strategy?.name ?? "strategy"}`, `gate ${gate.name}`, error);
    }
  }
  return { type: "gates_answered", data: { phase, gates: answers } };
}

/** Asks, and records question or answer. Where the question stands already and nobody can answer, nothing happens: the run is suspended. */
async function askPerson(engine: Engine, card: ApprovalCard, call: ToolCall | null): Promise<EventDraft | null> {
  const given = await engine.ports.approver.ask(card);
  // An answer that the card does not offer is none: it is not bent into one that was meant perhaps.
  const answer = given !== null && card.answers.includes(given.answer) ? given : null;
  if (answer === null) return engine.state.waiting === null ? { type: "approval_requested", data: { card } } : null;
  const draft: EventDraft = { type: "approval_answered", data: { card, answer } };
  const asked = card.kind === "edit" || card.kind === "command";
  if (call === null || !asked || answer.answer !== "deny") return draft;
  const message = `${answer.by} denied it${answer.reason === undefined ? "" : `: ${answer.reason}`}. ${card.why}`;
  const refused = refuseDraft(engine.state, call, {
    code: "approval_denied",
    message,
    details: { rule: card.rule === undefined ? null : { ...card.rule } },
    next: [],
  });
  return refused.answer === undefined ? draft : { ...draft, answer: refused.answer };
}

/** Opening a phase: in the same session, or in a fresh one that knows exactly the named artifacts. */
import type { ArtifactName } from "../../plugin/mod.ts";
import { selectPresenter } from "../../plugin/mod.ts";
import { openingMessages, sectionsOf } from "../../session/mod.ts";
import { nextSteps } from "../decide-call.ts";
import type { Engine } from "../engine.ts";
import type { Artifact, EventDraft } from "../events.ts";
import type { Instruction } from "../instructions.ts";
import { speak } from "./present.ts";

/** The event `phase_started`. In the same session it answers the call that chose the strategy. */
export function performOpenPhase(
  engine: Engine,
  instruction: Extract<Instruction, { kind: "open_phase" }>,
): EventDraft {
  const { state } = engine;
  const { phase } = instruction;
  const fresh = instruction.session === "fresh";
  const text = instructionsFor(engine, phase);
  const brief = fresh ? instruction.brief.flatMap((name) => artifact(engine, name)) : [];
  const data = {
    phase,
    session: fresh ? state.sessions.length : state.sessions.length - 1,
    fresh,
    brief,
    messages: fresh ? openingMessages(text, brief) : [],
  };
  const call = state.strategy?.call;
  if (fresh || call === undefined) return { type: "phase_started", data };
  const next = nextSteps({ ...state, phase }, engine.catalog);
  return {
    type: "phase_started",
    data,
    answer: {
      call: call.id,
      result: { ok: true, strategy: state.strategy?.name ?? "", phase, instructions: text, next },
    },
  };
}

function instructionsFor(engine: Engine, phase: string): string {
  const step = `open:${phase}`;
  const offered = engine.registry.all("strategy").filter(({ name }) => engine.state.offered.includes(name));
  const output = phase === "select" ? offered.map(({ name, summary }) => `${name}: ${summary}`).join("\n") : "";
  const payload = { verdict: "pass" as const, step, classification: "phase_opened", passed_steps: [], output };
  const presenter = selectPresenter(engine.registry.all("presenter"), {
    audience: "agent",
    verdict: "pass",
    classification: "phase_opened",
    step,
  });
  return presenter?.for.step === step ? speak(presenter, payload).text : `You are in phase ${phase}.\n${output}`.trim();
}

/** The artifact by name, or nothing where the run has none. */
function artifact(engine: Engine, name: ArtifactName): Artifact[] {
  const text = TEXTS[name](engine);
  return text === "" ? [] : [{ name, text }];
}

const TEXTS: { readonly [name in ArtifactName]: (engine: Engine) => string } = {
  task: ({ state }) => state.task,
  criteria: ({ state, policy }) => sectionsOf(state.task, policy.spec.sections),
  baseline: ({ state }) => state.baseline,
  frozen_patch: ({ state }) => state.frozen?.patch ?? "",
  test_identity: ({ state }) => state.frozen?.target.join("\n") ?? "",
  red_command: ({ state }) => state.frozen?.command.argv.join(" ") ?? "",
  red_output: ({ state }) => state.frozen?.output ?? "",
  plan: () => "",
};

/** One message, one owner: the presenter that the table names writes what is read about an outcome. */
import { type Presenter, type PresenterPayload, selectPresenter } from "../../plugin/mod.ts";
import { nextSteps } from "../decide-call.ts";
import type { Engine } from "../engine.ts";
import type { EventDraft } from "../events.ts";
import { isFresh } from "../evolve.ts";
import type { Instruction } from "../instructions.ts";
import type { EvidenceEntry, RunState } from "../state.ts";

/** The event `presented`. Where the outcome answers a call, the message is in the answer. */
export function performPresent(
  engine: Engine,
  { audience, step, outcome, call }: Extract<Instruction, { kind: "present" }>,
): EventDraft {
  const { verdict, classification, reasons } = outcome;
  const output = [...reasons, outputOf(engine.state, step)].filter((part) => part !== "").join("\n");
  const payload: PresenterPayload = { verdict, step, classification, passed_steps: passedSteps(engine.state), output };
  const presenter = selectPresenter(engine.registry.all("presenter"), { audience, verdict, classification, step });
  const { text, by } = speak(presenter, payload);
  const data = { audience, step, outcome, presenter: by, text };
  if (call === null) return { type: "presented", data };
  const next = nextSteps(engine.state, engine.catalog);
  const result =
    verdict === "pass"
      ? ({ ok: true, classification, message: text, next } as const)
      : ({
          ok: false,
          code: classification,
          message: text,
          details: { verdict, step, reasons: [...reasons] },
          next,
        } as const);
  return { type: "presented", data, answer: { call: call.id, result } };
}

/** The text of the presenter; a plain one where it breaks or where nobody speaks. */
export function speak(presenter: Presenter | undefined, payload: PresenterPayload): { text: string; by: string } {
  const plain = `${payload.step}: ${payload.classification} (${payload.verdict}).\n${payload.output}`;
  if (presenter === undefined) return { text: plain, by: "none" };
  try {
    const text: unknown = presenter.present(payload);
    if (typeof text === "string") return { text, by: presenter.name };
    return {
      text: `${plain}\n[The presenter ${presenter.name} answered ${typeof text} where a string was expected.]`,
      by: presenter.name,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { text: `${plain}\n[The presenter ${presenter.name} broke: ${why}]`, by: presenter.name };
  }
}

function outputOf(state: RunState, step: string): string {
  if (step === "red") return state.red?.output ?? "";
  const entry = (state.evidence as Readonly<Record<string, EvidenceEntry | undefined>>)[step];
  return entry?.output ?? "";
}

function passedSteps(state: RunState): string[] {
  const red = state.red?.outcome.verdict === "pass" ? ["red"] : [];
  const others = Object.entries(state.evidence).filter(
    ([, entry]) => isFresh(state, entry) && entry.outcome.verdict === "pass",
  );
  return [...red, ...others.map(([kind]) => kind)];
}

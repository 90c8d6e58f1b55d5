/** Refusing a finish: every missing piece of evidence, and the failure behind it where there is one. */
import { sha256Hex } from "../../hash/mod.ts";
import type { Obtainable } from "../../plugin/mod.ts";
import { nextSteps } from "../decide-call.ts";
import type { Engine } from "../engine.ts";
import type { EventDraft } from "../events.ts";
import { isFresh } from "../evolve.ts";
import { phaseOf } from "../phases.ts";
import type { EvidenceEntry } from "../state.ts";

/** The event `finish_refused`. A failed observation counts as a round; evidence that nobody gathered does not. */
export function refuseFinish(engine: Engine): EventDraft {
  const { state, catalog } = engine;
  const call = state.finish?.call ?? null;
  const missing = (state.gates ?? []).filter(({ holds }) => !holds);
  const failed = failedEvidence(
    engine,
    missing.map(({ name }) => name),
  );
  if (failed !== null) {
    const { kind, entry } = failed;
    const print = entry.fingerprint ?? sha256Hex(entry.outcome.reasons.join("\n"));
    return { type: "finish_refused", data: { call, missing, outcome: entry.outcome, step: kind, fingerprint: print } };
  }
  const data = { call, missing, outcome: null, step: "finish", fingerprint: null };
  if (call === null) return { type: "finish_refused", data };
  // What the host gathers by itself is no task for the agent, so it is not listed as one.
  const byHost = new Set(phaseOf(state, catalog)?.leave.flatMap(({ name, needs }) => (needs?.byHost ? [name] : [])));
  const open = missing.filter(({ name }) => !byHost.has(name));
  return {
    type: "finish_refused",
    data,
    answer: {
      call: call.id,
      result: {
        ok: false,
        code: "evidence_missing",
        message: `The finish is refused. Missing:\n${open.map((gate) => `- ${gate.missing ?? gate.name}`).join("\n")}`,
        details: {
          missing: open.map(({ name, code, missing: what }) => ({
            gate: name,
            code: code ?? name,
            missing: what ?? name,
          })),
        },
        next: nextSteps(state, catalog),
      },
    },
  };
}

/** The first gate that fails because its evidence, gathered at this revision, is no pass. */
function failedEvidence(
  { state, catalog }: Engine,
  missing: readonly string[],
): { kind: Obtainable; entry: EvidenceEntry } | null {
  for (const gate of phaseOf(state, catalog)?.leave ?? []) {
    const kind = gate.needs?.evidence;
    const entry = kind === undefined ? undefined : state.evidence[kind];
    if (kind !== undefined && missing.includes(gate.name) && isFresh(state, entry) && entry.outcome.verdict !== "pass")
      return { kind, entry };
  }
  return null;
}

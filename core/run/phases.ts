/** Where a run stands in its strategy, and what comes next. */
import type { Catalog, CatalogPhase } from "./catalog.ts";
import type { Instruction } from "./instructions.ts";
import type { RunState } from "./state.ts";

/** The current phase of the selected strategy, or null before one was opened. */
export function phaseOf(state: RunState, catalog: Catalog): CatalogPhase | null {
  return phases(state, catalog).find((phase) => phase.name === state.phase) ?? null;
}

/** Opens the phase after the current one; null where the current one is the last. */
export function openNext(state: RunState, catalog: Catalog): Instruction | null {
  const all = phases(state, catalog);
  const next = all[all.findIndex((phase) => phase.name === state.phase) + 1];
  return next === undefined ? null : { kind: "open_phase", phase: next.name, session: next.session, brief: next.brief };
}

function phases(state: RunState, catalog: Catalog): readonly CatalogPhase[] {
  if (state.strategy === null || !Object.hasOwn(catalog.strategies, state.strategy.name)) return [];
  return catalog.strategies[state.strategy.name] ?? [];
}

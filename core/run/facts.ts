/** The facts that gates see, derived from the state. */
import type { Facts, Obtainable } from "../plugin/mod.ts";
import { isFresh } from "./evolve.ts";
import type { RunState } from "./state.ts";

/** Recorded facts of a run, as `Gate.holds` gets them. */
export function factsOf(state: RunState): Facts {
  const evidence: { -readonly [K in keyof Facts["evidence"]]: Facts["evidence"][K] } = {};
  for (const [kind, entry] of Object.entries(state.evidence) as [
    Obtainable,
    NonNullable<RunState["evidence"][Obtainable]>,
  ][]) {
    evidence[kind] = { fresh: isFresh(state, entry), outcome: entry.outcome, revision: entry.revision };
  }
  return {
    phase: state.phase,
    revision: state.revision,
    baseline: state.baseline,
    sideEffects: state.sideEffects,
    changed: state.changed.map(({ path, role }) => ({ path, role })),
    frozen:
      state.frozen === null
        ? null
        : { target: state.frozen.target, intact: frozenIntact(state), patchSha: state.frozen.patchSha },
    red: state.red === null ? null : { outcome: state.red.outcome },
    evidence,
  };
}

/** Every frozen file still has the blob that was frozen, and nothing that the run changed belongs to the runner surface. */
function frozenIntact(state: RunState): boolean {
  const blobs = state.frozen?.blobs ?? {};
  const byPath = new Map(state.changed.map((change) => [change.path, change]));
  const same = Object.entries(blobs).every(([path, oid]) => {
    const change = byPath.get(path);
    // A frozen file that does not differ from the baseline was there before, and is still as it was.
    return change === undefined ? state.frozen?.unchanged.includes(path) : change.after === oid;
  });
  return same && !state.changed.some((change) => change.role === "config");
}

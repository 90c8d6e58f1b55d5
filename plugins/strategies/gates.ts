/** The gates that strategies are made of: pure predicates over recorded facts. Each says in one sentence what is missing and how it is got. */
import type { Facts, Gate, Obtainable } from "../../core/plugin/mod.ts";

/** Evidence of one kind must be a pass and belong to the latest revision. */
function passes(name: string, evidence: Obtainable, byHost: boolean, code: string, how: string): Gate {
  return {
    name,
    needs: { evidence, byHost },
    holds(facts: Facts) {
      const entry = facts.evidence[evidence];
      if (entry === undefined) return { code, missing: `${evidence}: never observed. ${how}` };
      if (!entry.fresh)
        return { code: `${code}_stale`, missing: `${evidence}: stale, it belongs to an earlier revision. ${how}` };
      if (entry.outcome.verdict === "pass") return true;
      return {
        code: entry.outcome.classification,
        missing: `${evidence}: ${entry.outcome.classification}. ${entry.outcome.reasons[0] ?? ""}`.trim(),
      };
    },
  };
}

export const validRed: Gate = {
  name: "valid_red",
  holds: ({ red }) =>
    red?.outcome.verdict === "pass"
      ? true
      : {
          code: "red_missing",
          missing: "red: no valid red was observed on the baseline production code. submit_red_test is how.",
        },
};

export const frozenIntact: Gate = {
  name: "frozen_intact",
  holds: ({ frozen }) => {
    if (frozen === null) return { code: "red_missing", missing: "frozen test: nothing was frozen." };
    return frozen.intact
      ? true
      : {
          code: "frozen_test_changed",
          missing: "frozen test: a frozen test or the runner surface differs from what was frozen.",
        };
  },
};

export const productionChanged: Gate = {
  name: "production_changed",
  holds: ({ changed }) =>
    changed.some(({ role }) => role === "production" || role === "mixed")
      ? true
      : { code: "no_production_change", missing: "change: the run changed no production file." },
};

export const greenOnLatest: Gate = passes(
  "green",
  "green",
  false,
  "green_missing",
  "run_tests with scope target is how.",
);
export const regressionOnLatest: Gate = passes(
  "regression",
  "regression",
  false,
  "regression_missing",
  "run_tests with scope regression is how.",
);
export const counterfactualRed: Gate = passes(
  "counterfactual",
  "counterfactual",
  true,
  "counterfactual_missing",
  "The host runs it when the other gates hold.",
);
export const canaryReported: Gate = passes(
  "canary",
  "canary",
  true,
  "canary_missing",
  "The host runs it when the other gates hold.",
);
export const verified: Gate = passes(
  "verification",
  "verification",
  true,
  "verification_missing",
  "The host runs it when the other gates hold.",
);

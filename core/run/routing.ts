/** Who hears of an outcome first: the agent, who can mend it, or a person, where nothing that an agent does would help. */
import type { Classification, Outcome } from "../evidence/mod.ts";

/**
 * `person`: nothing is asked of the model; a person accepts, retries or aborts. `retry` says what a person's retry does: gather the evidence again
 * (a fault of the environment) or give the failure back to the model.
 */
const TO_PERSON: { readonly [C in Classification]?: { readonly retry: "gather" | "model" } } = {
  cannot_run: { retry: "gather" },
  timeout: { retry: "gather" },
  counterfactual_green: { retry: "gather" },
  canary_silent: { retry: "gather" },
  disk_changed: { retry: "gather" },
  write_failed: { retry: "gather" },
  loop_detected: { retry: "model" },
  rounds_exhausted: { retry: "model" },
  green_report_nonzero_exit: { retry: "model" },
};

/**
 * These are told to the agent first although they escalate. An `unexpected_pass` is often a test to rewrite; after `green_report_nonzero_exit` the agent
 * stops and reports. Where it stops without having resolved them, the outcome table's status decides.
 */
const AGENT_FIRST: ReadonlySet<Classification> = new Set<Classification>([
  "unexpected_pass",
  "green_report_nonzero_exit",
]);

/** Whether a person has to settle this outcome before anything else happens. */
export function goesToPerson(outcome: Outcome): boolean {
  return !AGENT_FIRST.has(outcome.classification) && TO_PERSON[outcome.classification] !== undefined;
}

/** Whether a person's `retry` hands the failure back to the model. */
export function retryReturnsToModel(outcome: Outcome): boolean {
  return TO_PERSON[outcome.classification]?.retry === "model";
}

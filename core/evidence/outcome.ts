/** The verdicts on an observation. The table that owns every classification is `outcomes.ts`. */
import type { Classification } from "./outcomes.ts";

export type Verdict = "pass" | "fail" | "escalate";

export interface Outcome {
  readonly verdict: Verdict;
  readonly classification: Classification;
  /** Sentences of what the host saw, the most telling first. Bounded: at most 20, each at most 500 characters. */
  readonly reasons: readonly string[];
}

/**
 * The milestones of a run, in the words of the trace. A complete red_green run passes, in this order,
 * `strategy_selected red_started red_observed test_frozen fix_started green_observed regression_verified finish_accepted`.
 */
import type { EventDraft } from "./events.ts";

const OBSERVED: Readonly<Record<string, string>> = {
  red: "red_observed",
  green: "green_observed",
  regression: "regression_verified",
};

const PLAIN: ReadonlySet<string> = new Set(["strategy_selected", "test_frozen", "finish_accepted"]);

/** The milestone that an event is, or undefined. An observation is one only where its verdict is `pass`. */
export function transitionOf(event: EventDraft): string | undefined {
  if (PLAIN.has(event.type)) return event.type;
  switch (event.type) {
    case "phase_started":
      return event.data.phase === "select" ? undefined : `${event.data.phase}_started`;
    case "tests_observed":
      return event.data.outcome.verdict === "pass" ? OBSERVED[event.data.purpose] : undefined;
    default:
      return undefined;
  }
}

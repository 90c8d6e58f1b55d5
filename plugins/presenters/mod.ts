/** The built-in presenters: one message for each outcome and audience. They go through the same registry as a team's own. */
import { type Classification, OUTCOMES } from "../../core/evidence/mod.ts";
import { definePlugin, type Presenter, type PresenterPayload } from "../../core/plugin/mod.ts";
import { AGENT_TEXTS } from "./agent-texts.ts";
import { failureDirective } from "./failure-directive.ts";
import { PHASE_TEXTS } from "./phase-texts.ts";

export { failureDirective } from "./failure-directive.ts";

const VERSION = "1.0.0";

/** The command that is given again once a step was mended. */
const AGAIN: Readonly<Record<string, string>> = { red: "submit_red_test", green: "run_tests", regression: "run_tests" };

function agentPresenter(classification: Classification): Presenter {
  const { verdict } = OUTCOMES[classification];
  const text = AGENT_TEXTS[classification];
  // Which words close a message belongs to the outcome's row, so it is settled here, once, and not when the message is written.
  const close = verdict === "fail" ? repair : () => "";
  return definePlugin({
    kind: "presenter",
    name: `agent/${classification}`,
    version: VERSION,
    for: { audience: "agent", verdict, classification },
    present: (payload) =>
      [`${payload.step}: ${classification}.`, payload.output, text, close(payload)]
        .filter((part) => part !== "")
        .join("\n\n"),
  });
}

function repair({ step }: PresenterPayload): string {
  return `Correct the failures of step ${step} above, then run it again with ${AGAIN[step] ?? "finish_task"}.`;
}

function phasePresenter([phase, text]: [string, string]): Presenter {
  return definePlugin({
    kind: "presenter",
    name: `agent/open-${phase}`,
    version: VERSION,
    for: { audience: "agent", verdict: "pass", step: `open:${phase}` },
    present: ({ output }) => (output === "" ? text : `${text}\n\n${output}`),
  });
}

const PEOPLE: readonly Presenter[] = (["user", "orchestrator"] as const).flatMap((audience) => [
  plain(
    audience,
    "pass",
    ({ step, classification, passed_steps }) =>
      `${step}: ${classification}. Passed: ${passed_steps.join(", ") || "nothing was needed"}.`,
  ),
  plain(audience, "fail", ({ step, classification, output }) => `${step}: ${classification}.\n${output}`),
  plain(
    audience,
    "escalate",
    ({ step, classification, output }) =>
      `${step}: ${classification}.\n${output}\n${failureDirective(`${classification}:`)}`,
  ),
]);

function plain(
  audience: "user" | "orchestrator",
  verdict: "pass" | "fail" | "escalate",
  present: Presenter["present"],
): Presenter {
  return definePlugin({
    kind: "presenter",
    name: `${audience}/${verdict}`,
    version: VERSION,
    for: { audience, verdict },
    present,
  });
}

export const PRESENTERS: readonly Presenter[] = [
  ...(Object.keys(OUTCOMES) as Classification[]).map(agentPresenter),
  ...Object.entries(PHASE_TEXTS).map(phasePresenter),
  ...PEOPLE,
];

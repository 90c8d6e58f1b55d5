/** `red_green`: a test that is seen failing, frozen, and then made to pass by a session that cannot touch it. */
import { definePlugin, type Strategy } from "../../core/plugin/mod.ts";
import {
  canaryReported,
  counterfactualRed,
  frozenIntact,
  greenOnLatest,
  productionChanged,
  regressionOnLatest,
  validRed,
  verified,
} from "./gates.ts";

export const redGreen: Strategy = definePlugin({
  kind: "strategy",
  name: "red_green",
  version: "1.0.0",
  summary:
    "for a fault that can be reproduced: first only tests, seen failing by the host on the unchanged code and then frozen; a fresh session makes the fix.",
  phases: [
    {
      name: "red",
      session: "same",
      refuses: { finish_task: "red_cannot_finish" },
      submit: "red",
      leave: [validRed],
      onLeave: ["freeze_tests"],
      attempts: 3,
    },
    {
      name: "fix",
      session: "fresh",
      brief: ["task", "criteria", "baseline", "frozen_patch", "test_identity", "red_command", "red_output"],
      leave: [
        validRed,
        frozenIntact,
        productionChanged,
        greenOnLatest,
        regressionOnLatest,
        verified,
        counterfactualRed,
        canaryReported,
      ],
    },
  ],
});

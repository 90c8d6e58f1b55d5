/** `run_tests`: asks the host for green and regression evidence on the current revision. */
import type { ToolDefinition } from "./types.ts";

export interface RunTestsInput {
  readonly scope?: "target" | "regression";
}

export const runTests: ToolDefinition = {
  name: "run_tests",
  effect: "test",
  description:
    "Has the host run the frozen test (scope target) or all tests (scope regression) on the current revision and record the result as evidence. Without a scope: both. Any later edit makes the evidence stale.",
  input: {
    type: "object",
    properties: { scope: { type: "string", enum: ["target", "regression"] } },
    additionalProperties: false,
  },
};

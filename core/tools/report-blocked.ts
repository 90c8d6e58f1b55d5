/** `report_blocked`: the honest way out of a task that cannot be done as it stands. */
import type { ToolDefinition } from "./types.ts";

export interface ReportBlockedInput {
  readonly reason: string;
  readonly evidence?: string;
}

export const reportBlocked: ToolDefinition = {
  name: "report_blocked",
  effect: "block",
  description: "Ends the run where the task cannot be done as it stands, and tells a person why. Nothing is written.",
  input: {
    type: "object",
    properties: {
      reason: { type: "string", minLength: 1, maxLength: 4000 },
      evidence: { type: "string", maxLength: 8000 },
    },
    required: ["reason"],
    additionalProperties: false,
  },
};

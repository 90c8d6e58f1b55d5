/** `finish_task`: asks for the end. It is accepted when all gates of the strategy hold for the latest revision. */
import type { ToolDefinition } from "./types.ts";

export interface FinishTaskInput {
  readonly summary: string;
}

export const finishTask: ToolDefinition = {
  name: "finish_task",
  effect: "finish",
  description:
    "Asks to finish. Accepted when all evidence belongs to the latest revision; otherwise the answer lists what is missing.",
  input: {
    type: "object",
    properties: { summary: { type: "string", minLength: 1, maxLength: 4000 } },
    required: ["summary"],
    additionalProperties: false,
  },
};

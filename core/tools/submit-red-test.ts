/** `submit_red_test`: names the test that shows the fault. The host runs it on the unchanged production code. */
import type { ToolDefinition } from "./types.ts";

export interface SubmitRedTestInput {
  readonly file: string;
  readonly name: string;
  readonly command?: string;
}

export const submitRedTest: ToolDefinition = {
  name: "submit_red_test",
  effect: "submit",
  description:
    "Submits the new test. The host runs it twice on the unchanged production code and accepts it when it fails for the right reason. Then the test is frozen and a fresh session makes the fix.",
  input: {
    type: "object",
    properties: {
      file: { type: "string", minLength: 1, description: "Path of the test file." },
      name: { type: "string", minLength: 1, description: 'Titles from the outermost group inwards, joined by " > ".' },
      command: {
        type: "string",
        minLength: 1,
        description: "The test command, where it is not the one of the policy. One line, no shell.",
      },
    },
    required: ["file", "name"],
    additionalProperties: false,
  },
};

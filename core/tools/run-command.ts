/** `run_command`: runs a command that the policy allows, over the current revision. Its changes to files are reported and thrown away. */
import type { ToolDefinition } from "./types.ts";

export interface RunCommandInput {
  readonly command: string;
}

export const runCommandTool: ToolDefinition = {
  name: "run_command",
  effect: "run",
  description:
    "Runs a command over the current revision, where the policy allows it. No shell: no pipes, redirections or substitutions. What it changes in files never becomes part of the work: edit with replace_text or apply_patch.",
  input: {
    type: "object",
    properties: { command: { type: "string", minLength: 1, maxLength: 10_000 } },
    required: ["command"],
    additionalProperties: false,
  },
};

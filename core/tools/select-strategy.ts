/** `select_strategy`: the move that every change begins with. */
import type { ToolDefinition } from "./types.ts";

export interface SelectStrategyInput {
  readonly strategy: string;
  readonly reason: string;
  readonly task?: string;
}

/** The tool for these strategies; the enumeration is the same for the whole run. */
export function selectStrategy(
  offered: readonly { readonly name: string; readonly summary: string }[],
): ToolDefinition {
  const summaries = offered.map(({ name, summary }) => `${name}: ${summary}`).join(" ");
  return {
    name: "select_strategy",
    effect: "select",
    description: `Chooses how this task will be proved, once and for the whole run, before the first edit. ${summaries}`,
    input: {
      type: "object",
      properties: {
        strategy: { type: "string", enum: offered.map(({ name }) => name) },
        reason: {
          type: "string",
          minLength: 1,
          maxLength: 2000,
          description: "Why this strategy fits the task. It stands in the trace.",
        },
        task: { type: "string", minLength: 1, description: "The task, where the host does not know it yet." },
      },
      required: ["strategy", "reason"],
      additionalProperties: false,
    },
  };
}

/** What a tool is, as the agent sees it and as the kernel runs it. */
import type { Json } from "../hash/mod.ts";
import type { Decision, Query } from "../policy/mod.ts";
import type { Objects, Tree } from "../workspace/mod.ts";

/** What the agent reads. `next` names the legal next steps. */
export type ToolResult =
  | { readonly ok: true; readonly [key: string]: Json }
  | {
      readonly ok: false;
      readonly code: string;
      readonly message: string;
      readonly details: Json;
      readonly next: readonly string[];
    };

/**
 * What the tool does to the run. The kernel's tables speak of effects, never of tool names:
 * `read` looks, `edit` proposes a new tree, `run` runs a command, the others are the moves of a run.
 */
export type ToolEffect = "read" | "select" | "edit" | "submit" | "test" | "run" | "block" | "finish";

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  /** JSON Schema (draft 2020-12) of the input: an object with `additionalProperties: false`. */
  readonly input: { readonly [key: string]: Json };
}

/** What a reading tool may look at. Every path that comes out was asked of `decide` first. */
export interface ReadContext {
  readonly tree: Tree;
  readonly baseline: Tree;
  readonly objects: Objects;
  readonly ignoreCase: boolean;
  decide(query: Query): Decision;
}

/** A tool whose whole answer is a function of the tree. */
export interface ReadTool extends ToolDefinition {
  readonly effect: "read";
  run(input: Json, context: ReadContext): Promise<ToolResult>;
}

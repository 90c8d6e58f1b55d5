/** Reading under the policy: one question for every way to read. */
import { normalizePath } from "../workspace/mod.ts";
import { refusal } from "./define.ts";
import type { ReadContext, ToolResult } from "./types.ts";

/** Whether the policy lets this path be read. A path that may not be read is not listed, searched or diffed either. */
export function mayRead(context: ReadContext, path: string): boolean {
  return context.decide({ action: "read", path, ignoreCase: context.ignoreCase }).decision === "allow";
}

/** The normalised path where it may be read and stands in the tree, otherwise the refusal. */
export function readablePath(
  context: ReadContext,
  given: string,
  tool: string,
): { path: string } | { refused: ToolResult } {
  const normal = normalizePath(given);
  if (!normal.ok) return { refused: refusal(normal.code, normal.message, { path: given }, [tool]) };
  const { path } = normal;
  const decision = context.decide({ action: "read", path, ignoreCase: context.ignoreCase });
  if (decision.decision !== "allow") {
    const rule = decision.rule === undefined ? null : { ...decision.rule };
    return { refused: refusal("read_denied", `${path} may not be read: ${decision.why}`, { path, rule }, []) };
  }
  return { path };
}

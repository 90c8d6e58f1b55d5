/** `direct_execute`: work for which no failing test makes sense first. The latest revision is verified all the same. */
import { definePlugin, type Strategy } from "../../core/plugin/mod.ts";
import { verified } from "./gates.ts";

export const directExecute: Strategy = definePlugin({
  kind: "strategy",
  name: "direct_execute",
  version: "1.0.0",
  summary:
    "for work without a fault to reproduce (documentation, mechanical changes, some features): the same session edits, and the latest revision is verified before the end.",
  phases: [{ name: "direct", session: "same", leave: [verified] }],
});

/** `view_changes`: what this run has changed so far, as a patch against the baseline. */
import { canonicalPatch } from "../edit/mod.ts";
import { diffTrees } from "../workspace/mod.ts";
import { boundText } from "./bound.ts";
import type { ReadTool } from "./types.ts";
import { mayRead } from "./visible.ts";

const MAX_CHARS = 60_000;

export const viewChanges: ReadTool = {
  name: "view_changes",
  effect: "read",
  description: "Shows all changes of this run against the tree that it started from, as one unified diff.",
  input: { type: "object", properties: {}, additionalProperties: false },
  async run(_input, context) {
    const changes = diffTrees(context.baseline, context.tree).filter((change) => mayRead(context, change.path));
    const files = await Promise.all(
      changes.map(async ({ path, before, after, beforeMode, afterMode }) => ({
        path,
        before:
          before === undefined || beforeMode === undefined
            ? null
            : { bytes: await context.objects.read(before), mode: beforeMode },
        after:
          after === undefined || afterMode === undefined
            ? null
            : { bytes: await context.objects.read(after), mode: afterMode },
      })),
    );
    const { text, cut } = boundText(canonicalPatch(files), MAX_CHARS);
    return {
      ok: true,
      files: changes.map(({ path, kind }) => ({ path, kind })),
      patch: text,
      ...(cut > 0 ? { cut: `${cut} characters of the patch are not shown.` } : {}),
    };
  },
};

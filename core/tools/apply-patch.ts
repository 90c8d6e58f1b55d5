/** `apply_patch`: a unified diff over one file or many. The rules are those of `applyPatch`. */
import type { ToolDefinition } from "./types.ts";

export const applyPatchTool: ToolDefinition = {
  name: "apply_patch",
  effect: "edit",
  description:
    "Applies a unified diff (git form, plain ---/+++ headers, or a *** Begin Patch envelope), all or nothing: changes, adds, deletes and renames files. expected_files names every touched path with its current sha256, or null where the file must not exist yet.",
  input: {
    type: "object",
    properties: {
      patch: { type: "string", minLength: 1 },
      expected_files: { type: "object", additionalProperties: { type: ["string", "null"] } },
    },
    required: ["patch", "expected_files"],
    additionalProperties: false,
  },
};

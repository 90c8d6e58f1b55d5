/** `replace_text`: exact replacements in files that were read. The rules are those of `replaceText`. */
import type { ToolDefinition } from "./types.ts";

export const replaceTextTool: ToolDefinition = {
  name: "replace_text",
  effect: "edit",
  description:
    "Replaces exact text in existing files, all or nothing. Each old text must be found exactly once (or exactly count times). sha256 is the hash that read_file gave.",
  input: {
    type: "object",
    properties: {
      files: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            path: { type: "string", minLength: 1 },
            sha256: { type: "string" },
            edits: {
              type: "array",
              minItems: 1,
              items: {
                type: "object",
                properties: {
                  old: { type: "string" },
                  new: { type: "string" },
                  count: { type: "integer", minimum: 1 },
                },
                required: ["old", "new"],
                additionalProperties: false,
              },
            },
          },
          required: ["path", "sha256", "edits"],
          additionalProperties: false,
        },
      },
    },
    required: ["files"],
    additionalProperties: false,
  },
};

/** `list_files`: the paths of the current tree. */
import picomatch from "picomatch";
import type { ReadTool } from "./types.ts";
import { mayRead } from "./visible.ts";

const MAX_PATHS = 1_000;

export const listFiles: ReadTool = {
  name: "list_files",
  effect: "read",
  description: "Lists the files of the working tree, all or those that a glob matches (such as src/**/*.ts).",
  input: {
    type: "object",
    properties: { glob: { type: "string", minLength: 1 } },
    additionalProperties: false,
  },
  async run(input, context) {
    const { glob } = input as { glob?: string };
    const matches = glob === undefined ? () => true : picomatch(glob, { dot: true });
    const files: string[] = [];
    let total = 0;
    for (const [path] of context.tree.entries()) {
      if (!matches(path) || !mayRead(context, path)) continue;
      total += 1;
      if (files.length < MAX_PATHS) files.push(path);
    }
    const cut = total - files.length;
    return { ok: true, files, total, ...(cut > 0 ? { cut: `${cut} more: narrow the glob.` } : {}) };
  },
};

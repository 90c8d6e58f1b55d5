/** `search`: lines of the current tree that hold a text or match a regular expression. */
import picomatch from "picomatch";
import { decodeUtf8 } from "../workspace/mod.ts";
import { refusal } from "./define.ts";
import type { ReadTool } from "./types.ts";
import { mayRead } from "./visible.ts";

const MAX_MATCHES = 200;
const MAX_LINE = 300;
const MAX_FILE_BYTES = 2_000_000;

export const search: ReadTool = {
  name: "search",
  effect: "read",
  description:
    "Finds lines that contain a text (or match a regular expression, with regex: true), in all files or those that a glob matches.",
  input: {
    type: "object",
    properties: {
      pattern: { type: "string", minLength: 1, maxLength: 1000 },
      regex: { type: "boolean" },
      glob: { type: "string", minLength: 1 },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  async run(input, context) {
    const { pattern, regex, glob } = input as { pattern: string; regex?: boolean; glob?: string };
    const test = matcher(pattern, regex ?? false);
    if (typeof test === "string")
      return refusal("invalid_input", `pattern: ${test}`, { fields: [{ field: "pattern", problem: test }] }, [
        "search",
      ]);
    const wanted = glob === undefined ? () => true : picomatch(glob, { dot: true });
    const matches: { path: string; line: number; text: string }[] = [];
    let total = 0;
    let skipped = 0;
    for (const [path, entry] of context.tree.entries()) {
      if (!entry.mode.startsWith("100") || !wanted(path) || !mayRead(context, path)) continue;
      const bytes = await context.objects.read(entry.oid);
      if (bytes.length > MAX_FILE_BYTES) {
        skipped += 1;
        continue;
      }
      const text = decodeUtf8(bytes);
      if (text === undefined || text === null) continue;
      for (const [index, line] of text.split("\n").entries()) {
        if (!test(line)) continue;
        total += 1;
        if (matches.length < MAX_MATCHES) matches.push({ path, line: index + 1, text: line.slice(0, MAX_LINE) });
      }
    }
    const cut = total - matches.length;
    return {
      ok: true,
      matches,
      total,
      ...(cut > 0 ? { cut: `${cut} more lines match: narrow the pattern or the glob.` } : {}),
      ...(skipped > 0 ? { skipped: `${skipped} files over ${MAX_FILE_BYTES} bytes were not searched.` } : {}),
    };
  },
};

/** A test for one line, or the reason why the expression is none. */
function matcher(pattern: string, regex: boolean): ((line: string) => boolean) | string {
  if (!regex) return (line) => line.includes(pattern);
  try {
    const expression = new RegExp(pattern, "u");
    // A backtracking expression could stall the host on a long line, so such lines are searched by their beginning.
    return (line) => expression.test(line.slice(0, 2_000));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

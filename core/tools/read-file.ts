/** `read_file`: the text of a file, whole or by lines, with the hash that an edit has to name. */
import { sha256Hex } from "../hash/mod.ts";
import { decodeUtf8 } from "../workspace/mod.ts";
import { boundText } from "./bound.ts";
import { refusal } from "./define.ts";
import type { ReadTool } from "./types.ts";
import { readablePath } from "./visible.ts";

const MAX_CHARS = 60_000;
const MAX_BYTES = 10_000_000;

export const readFile: ReadTool = {
  name: "read_file",
  effect: "read",
  description:
    "Reads a text file, or the lines from..to of it (1-based, inclusive). The answer carries the sha256 of the whole file, which replace_text and apply_patch ask for.",
  input: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "Path from the root of the repository." },
      from: { type: "integer", minimum: 1 },
      to: { type: "integer", minimum: 1 },
    },
    required: ["path"],
    additionalProperties: false,
  },
  async run(input, context) {
    const { path: given, from, to } = input as { path: string; from?: number; to?: number };
    const readable = readablePath(context, given, "read_file");
    if ("refused" in readable) return readable.refused;
    const { path } = readable;
    const entry = context.tree.entry(path);
    if (entry === undefined) {
      const directory = context.tree.hasDirectory(path);
      const message = directory
        ? `${path} is a directory: list_files shows what it holds.`
        : `There is no file ${path}.`;
      return refusal(directory ? "is_directory" : "not_found", message, { path }, ["list_files", "search"]);
    }
    if (entry.mode === "160000")
      return refusal("not_a_file", `${path} is a submodule, which is never entered.`, { path }, ["list_files"]);
    const bytes = await context.objects.read(entry.oid);
    const sha256 = sha256Hex(bytes);
    if (bytes.length > MAX_BYTES)
      return refusal(
        "too_large",
        `${path} has ${bytes.length} bytes; text tools take at most ${MAX_BYTES}.`,
        { path, sha256, bytes: bytes.length },
        ["search"],
      );
    const text = decodeUtf8(bytes);
    if (text === undefined || text === null)
      return refusal("not_text", `${path} is not UTF-8 text.`, { path, sha256, bytes: bytes.length }, ["list_files"]);
    const lines = text.split(/(?<=\n)/);
    if (from !== undefined && (from > Math.max(lines.length, 1) || (to !== undefined && to < from))) {
      return refusal(
        "invalid_range",
        `${path} has ${lines.length} lines; from ${from} to ${to ?? "the end"} is no range of it.`,
        { path, lines: lines.length },
        ["read_file"],
      );
    }
    const first = from ?? 1;
    const wanted = lines.slice(first - 1, to).join("");
    const { text: shown, cut } = boundText(wanted, MAX_CHARS);
    const last = first - 1 + shown.split(/(?<=\n)/).length;
    return {
      ok: true,
      path,
      text: shown,
      sha256,
      from: first,
      to: Math.min(last, lines.length),
      lines: lines.length,
      ...(entry.mode === "120000" ? { symlink: true } : {}),
      ...(cut > 0
        ? { cut: `${cut} characters after line ${last} are not shown: read on with from: ${last + 1}.` }
        : {}),
    };
  },
};

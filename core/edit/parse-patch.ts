/** Reading a patch in any of its forms. This module is browser compatible. */
import { failure } from "./failure.ts";
import { isEnvelope, parseEnvelope } from "./parse-envelope.ts";
import { parseUnified, type TripleReading } from "./parse-unified.ts";
import { type FilePatch, PatchError } from "./patch.ts";
import type { EditCode, EditFailure } from "./types.ts";

/** A path that a patch touches; `read` is the source of a copy. */
export interface PatchTouch {
  readonly path: string;
  readonly kind: "add" | "delete" | "modify" | "read";
}

type Parsed = { readonly ok: true; readonly files: readonly FilePatch[] } | EditFailure<EditCode>;

/**
 * The files of a patch: a unified diff in git's form, one with bare `---` and `+++` headers, or the `*** Begin Patch` envelope.
 * `expected` are the paths that the agent means to touch; they decide where the text can be read in two ways, and nothing else.
 * `invalid_patch` (or `unsupported_target` for what is binary, a link or a submodule) names the line.
 */
export function parsePatch(patch: string, expected: ReadonlySet<string>): Parsed {
  const lines = patch.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (isEnvelope(lines)) return attempt(() => parseEnvelope(lines), lines);
  const unified = (reading: TripleReading) => attempt(() => parseUnified(lines, expected, reading), lines);
  const byCounts = unified("counts");
  if (byCounts.ok && isExactly(byCounts.files, expected)) return byCounts;
  const byNames = unified("names");
  return byNames.ok && isExactly(byNames.files, expected) ? byNames : byCounts;
}

/** Every path that a file's part touches. A rename deletes its source; a copy reads it. */
export function touchesOf({ kind, path, origin }: FilePatch): PatchTouch[] {
  if (origin === undefined) return [{ path, kind }];
  return [
    { path: origin.path, kind: origin.kind === "rename" ? "delete" : "read" },
    { path, kind },
  ];
}

function isExactly(files: readonly FilePatch[], expected: ReadonlySet<string>): boolean {
  const touched = new Set(files.flatMap((file) => touchesOf(file).map(({ path }) => path)));
  return touched.size === expected.size && [...touched].every((path) => expected.has(path));
}

function attempt(parse: () => FilePatch[], lines: readonly string[]): Parsed {
  try {
    return { ok: true, files: parse() };
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const { at, code, message, next } = error;
    return failure(
      code,
      at === null ? `Patch: ${message}.` : `Patch, line ${at}: ${message}.`,
      at === null ? {} : { patch_line: at, text: lines[at - 1] ?? null },
      `${next ?? "Correct the patch and send it again, or use replace_text."} Nothing was changed.`,
    );
  }
}

/** The inputs of the edit tools, checked: what comes from a model is parsed once, here. This module is browser compatible. */
import { isWellFormed } from "./byte-text.ts";
import { failure, isRecord, quoted } from "./failure.ts";
import type { ApplyPatchInput, EditCode, EditFailure, ReplaceTextInput } from "./types.ts";

type Parsed<T> = { readonly ok: true; readonly input: T } | EditFailure<EditCode>;

/** A field that is not as it has to be. Thrown and caught within this file. */
class FieldError extends Error {
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

const replaceShape = "{ files: [{ path, sha256, edits: [{ old, new, count? }] }] }";
const patchShape = "{ patch, expected_files: { path: sha256 or null } }";

/** `replace_text`'s input; `invalid_edit` names the field that is wrong. */
export function readReplaceText(value: unknown): Parsed<ReplaceTextInput> {
  return guarded("invalid_edit", replaceShape, () => {
    const input = record(value, "input", ["files"]);
    const paths = new Set<string>();
    const files = list(input["files"], "files").map((item, index) => {
      const field = `files[${index}]`;
      const file = record(item, field, ["path", "sha256", "edits"]);
      const path = text(file["path"], `${field}.path`);
      if (paths.has(path))
        throw new FieldError(`${field}.path`, `${quoted(path)} is listed twice; put all its edits in one entry`);
      paths.add(path);
      return {
        path,
        sha256: text(file["sha256"], `${field}.sha256`),
        edits: list(file["edits"], `${field}.edits`).map((edit, at) => readEdit(edit, `${field}.edits[${at}]`)),
      };
    });
    return { files };
  });
}

function readEdit(value: unknown, field: string): ReplaceTextInput["files"][number]["edits"][number] {
  const edit = record(value, field, ["old", "new", "count"]);
  const old = content(edit["old"], `${field}.old`);
  const replacement = content(edit["new"], `${field}.new`);
  const count = edit["count"];
  if (old === "")
    throw new FieldError(
      `${field}.old`,
      "old is empty; an empty text stands everywhere. To create a file, use apply_patch",
    );
  if (old === replacement) throw new FieldError(`${field}.new`, "new equals old, so the edit changes nothing");
  if (count === undefined) return { old, new: replacement };
  if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 1) {
    throw new FieldError(`${field}.count`, `count must be a whole number from 1 on, not ${shown(count)}`);
  }
  return { old, new: replacement, count };
}

/** `apply_patch`'s input; `invalid_patch` names the field that is wrong. */
export function readApplyPatch(value: unknown): Parsed<ApplyPatchInput> {
  return guarded("invalid_patch", patchShape, () => {
    const input = record(value, "input", ["patch", "expected_files"]);
    const expected = input["expected_files"];
    if (!isRecord(expected)) {
      throw new FieldError(
        "expected_files",
        `expected_files must be an object of path and sha256 (or null), not ${shown(expected)}`,
      );
    }
    const hashes: [string, string | null][] = Object.entries(expected).map(([path, hash]) => {
      if (hash !== null && typeof hash !== "string") {
        throw new FieldError(
          `expected_files[${quoted(path)}]`,
          `must be the sha256 of the file as it was read, or null where no file may be, not ${shown(hash)}`,
        );
      }
      return [path, hash];
    });
    return {
      patch: content(input["patch"], "patch"),
      // A path may be named __proto__.
      expected_files: Object.assign(Object.create(null), Object.fromEntries(hashes)),
    };
  });
}

function guarded<T>(code: EditCode, shape: string, read: () => T): Parsed<T> {
  try {
    return { ok: true, input: read() };
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    const message = `${error.field}: ${error.message}.`;
    return failure(
      code,
      message,
      { field: error.field },
      `Send the call again in the form ${shape}. Nothing was changed.`,
    );
  }
}

function record(value: unknown, field: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new FieldError(field, `must be an object, not ${shown(value)}`);
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) {
      throw new FieldError(`${field}.${key}`, `there is no such field; the fields are ${known.join(", ")}`);
    }
  }
  return value;
}

function list(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new FieldError(field, `must be a list, not ${shown(value)}`);
  if (value.length === 0) throw new FieldError(field, "is empty; there is nothing to do");
  return value;
}

function text(value: unknown, field: string): string {
  if (typeof value !== "string") throw new FieldError(field, `must be a text, not ${shown(value)}`);
  return value;
}

/** Text that goes into a file. */
function content(value: unknown, field: string): string {
  const result = text(value, field);
  if (result.includes("\0")) throw new FieldError(field, "holds a NUL, which would make the file binary");
  if (!isWellFormed(result)) throw new FieldError(field, "holds half a surrogate pair, which no UTF-8 file can");
  return result;
}

function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `${typeof value} ${quoted(String(value), 40)}`;
}

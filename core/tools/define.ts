/** Input checking that all tools share: a bad argument is a refusal that names the field. */
import { Validator } from "@cfworker/json-schema";
import type { Json } from "../hash/mod.ts";
import type { ToolDefinition, ToolResult } from "./types.ts";

const MAX_PROBLEMS = 5;

/** Null where the input fits the tool's schema, otherwise the refusal `invalid_input` with the fields that do not. */
export function checkInput(tool: ToolDefinition, input: Json): ToolResult | null {
  const { valid, errors } = validatorOf(tool).validate(input);
  if (valid) return null;
  // The validator reports each enclosing schema as well; the deepest places are the ones that help.
  const deepest = errors.filter(
    (error) =>
      !errors.some((other) => other !== error && other.instanceLocation.startsWith(`${error.instanceLocation}/`)),
  );
  const fields = deepest
    .slice(0, MAX_PROBLEMS)
    .map((error) => ({ field: fieldName(error.instanceLocation), problem: error.error }));
  return refusal(
    "invalid_input",
    `${tool.name}: ${fields.map(({ field, problem }) => `${field}: ${problem}`).join(" ")}`,
    { fields },
    [tool.name],
  );
}

/** A refusal in the shape that every tool answers with. */
export function refusal(code: string, message: string, details: Json, next: readonly string[]): ToolResult {
  return { ok: false, code, message, details, next };
}

const validators = new WeakMap<ToolDefinition, Validator>();

function validatorOf(tool: ToolDefinition): Validator {
  const known = validators.get(tool);
  if (known !== undefined) return known;
  const validator = new Validator(tool.input as object, "2020-12", false);
  validators.set(tool, validator);
  return validator;
}

/** `#/files/0/path` as a person writes it: `files[0].path`. */
function fieldName(location: string): string {
  const name = location
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === "" ? part : `${path}.${part}`), "");
  return name === "" ? "input" : name;
}

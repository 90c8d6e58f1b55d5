/**
 * Checks a document against policies/policy.schema.json, with the place of every problem. This module is browser compatible.
 *
 * The schema is the one source: editors read it, and this walker interprets the part of JSON Schema that it uses. No code is generated
 * at run time, so it works under a strict Content-Security-Policy. A keyword that the walker does not know makes it throw: a rule
 * of the schema that is silently not checked would be worse than none.
 */
import { type DocumentNode, join, type Place, shorten } from "./document.ts";
import { nearest } from "./suggest.ts";
import type { PolicyProblem } from "./types.ts";

interface Schema {
  readonly [keyword: string]: unknown;
}

const ANNOTATIONS = new Set(["$schema", "$id", "$defs", "title", "description", "examples"]);
const CHECKED = new Set([
  ...["$ref", "type", "const", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum"],
  ...["items", "minItems", "maxItems", "properties", "required", "additionalProperties", "propertyNames"],
]);

/** All problems of the document, in the order of the document. */
export function checkShape(root: DocumentNode, schema: unknown, file: string): PolicyProblem[] {
  const whole = asSchema(schema);
  const problems: PolicyProblem[] = [];
  const refuse = ({ line, column, text }: Place, path: string, message: string, suggestion?: string) => {
    problems.push({ file, line, column, path, message, text, ...(suggestion === undefined ? {} : { suggestion }) });
  };

  function check(node: DocumentNode, given: Schema, path: string): void {
    const rule = resolveReference(given, whole);
    const { place } = node;
    if ("const" in rule && !(node.kind === "scalar" && node.value === rule["const"])) {
      refuse(place, path, versionMessage(node, rule));
      return;
    }
    if ("enum" in rule) {
      const words = strings(rule["enum"]);
      if (node.kind === "scalar" && words.some((word) => word === node.value)) return;
      const near = node.kind === "scalar" ? nearest(String(node.value), words) : undefined;
      refuse(place, path, `${shown(node)} is not ${title(rule)}: ${words.join(", ")}.${didYouMean(near)}`, near);
      return;
    }
    const types = typeof rule["type"] === "string" ? [rule["type"]] : strings(rule["type"] ?? []);
    if (types.length > 0 && !types.some((type) => isOfType(node, type))) {
      refuse(place, path, `${title(rule)} is needed here${example(rule)}; this is ${kindOf(node)}`);
      return;
    }
    if (node.kind === "scalar") checkScalar(node, rule, path);
    else if (node.kind === "list") checkList(node, rule, path);
    else checkMap(node, rule, path);
  }

  function checkScalar(node: Extract<DocumentNode, { kind: "scalar" }>, rule: Schema, path: string): void {
    const { value, place } = node;
    if (typeof value === "string") {
      const length = [...value].length;
      if (length < number(rule["minLength"], 0))
        refuse(place, path, `${title(rule)} is needed here${example(rule)}; this is empty`);
      else if (length > number(rule["maxLength"], Number.POSITIVE_INFINITY)) {
        refuse(place, path, `${title(rule)} has at most ${rule["maxLength"]} characters; this has ${length}`);
      } else if (typeof rule["pattern"] === "string" && !new RegExp(rule["pattern"], "u").test(value)) {
        refuse(place, path, `${shown(node)} is not ${title(rule)}${example(rule)}`);
      }
    }
    if (typeof value === "number") {
      const low = number(rule["minimum"], Number.NEGATIVE_INFINITY);
      const high = number(rule["maximum"], Number.POSITIVE_INFINITY);
      if (value < low || value > high) refuse(place, path, `${value} is not ${title(rule)}`);
    }
  }

  function checkList(node: Extract<DocumentNode, { kind: "list" }>, rule: Schema, path: string): void {
    const count = node.items.length;
    if (count < number(rule["minItems"], 0))
      refuse(node.place, path, `${title(rule)} is needed here${example(rule)}; this list is empty`);
    if (count > number(rule["maxItems"], Number.POSITIVE_INFINITY)) {
      refuse(node.place, path, `${title(rule)} has at most ${rule["maxItems"]} entries; this has ${count}`);
    }
    if (rule["items"] === undefined) return;
    const items = asSchema(rule["items"]);
    for (const [index, item] of node.items.entries()) check(item, items, `${path}[${index}]`);
  }

  function checkMap(node: Extract<DocumentNode, { kind: "map" }>, rule: Schema, path: string): void {
    const properties = rule["properties"] === undefined ? {} : asSchema(rule["properties"]);
    const names = Object.keys(properties);
    for (const name of strings(rule["required"] ?? [])) {
      if (node.entries.has(name)) continue;
      const wanted = resolveReference(asSchema(properties[name]), whole);
      refuse(node.place, path, `"${name}" is missing: ${title(wanted)}${example(wanted)}`);
    }
    for (const [name, { key, value }] of node.entries) {
      const where = join(path, name);
      if (Object.hasOwn(properties, name)) {
        check(value, asSchema(properties[name]), where);
      } else if (rule["additionalProperties"] === false) {
        const near = nearest(name, names);
        const home = path === "" ? "a policy" : path;
        const message = `"${shorten(name, 40)}" is no key of ${home}.${didYouMean(near)} Its keys: ${names.join(", ")}`;
        refuse(key, where, message, near);
      } else {
        const namePattern =
          rule["propertyNames"] === undefined ? undefined : asSchema(rule["propertyNames"])["pattern"];
        if (typeof namePattern === "string" && !new RegExp(namePattern, "u").test(name)) {
          refuse(key, where, `"${shorten(name, 40)}" is no name: use lower-case letters, digits and _`);
        }
        if (rule["additionalProperties"] !== undefined && rule["additionalProperties"] !== true) {
          check(value, asSchema(rule["additionalProperties"]), where);
        }
      }
    }
  }

  check(root, whole, "");
  return problems;
}

function asSchema(value: unknown): Schema {
  if (!isSchema(value)) throw new TypeError("a part of the schema is no object");
  return value;
}

function isSchema(value: unknown): value is Schema {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** `$ref` within the schema; annotations beside it win, so that each use has its own description. */
function resolveReference(rule: Schema, whole: Schema): Schema {
  for (const keyword in rule) {
    if (!ANNOTATIONS.has(keyword) && !CHECKED.has(keyword)) {
      throw new TypeError(`the schema uses ${keyword}, which is not checked`);
    }
  }
  const reference = rule["$ref"];
  if (reference === undefined) return rule;
  const name = typeof reference === "string" ? /^#\/\$defs\/(\w+)$/.exec(reference)?.[1] : undefined;
  if (name === undefined)
    throw new TypeError(`the schema refers to ${String(reference)}, which is no definition of it`);
  return { ...resolveReference(asSchema(asSchema(whole["$defs"])[name]), whole), ...rule };
}

function isOfType(node: DocumentNode, type: string): boolean {
  switch (type) {
    case "object":
      return node.kind === "map";
    case "array":
      return node.kind === "list";
    case "string":
      return node.kind === "scalar" && typeof node.value === "string";
    case "boolean":
      return node.kind === "scalar" && typeof node.value === "boolean";
    case "integer":
      return node.kind === "scalar" && typeof node.value === "number" && Number.isInteger(node.value);
    default:
      throw new TypeError(`the schema uses the type ${type}, which is not checked`);
  }
}

function versionMessage(node: DocumentNode, rule: Schema): string {
  const wanted = String(rule["const"]);
  if (node.kind === "scalar" && typeof node.value === "number" && node.value > 1) {
    return `this is a policy of version ${node.value}; this release of Yada reads version ${wanted}: use a later release`;
  }
  return `${shown(node)} is no version of the policy language: write \`version: ${wanted}\``;
}

function kindOf(node: DocumentNode): string {
  if (node.kind === "map") return "a map";
  if (node.kind === "list") return "a list";
  if (typeof node.value === "string") return `the text ${shown(node)}`;
  return typeof node.value === "number" ? `the number ${node.value}` : shown(node);
}

function shown(node: DocumentNode): string {
  if (node.kind !== "scalar") return kindOf(node);
  if (node.value === null) return "empty";
  return typeof node.value === "string" ? `"${shorten(node.value, 60)}"` : String(node.value);
}

function title(rule: Schema): string {
  return typeof rule["title"] === "string" ? rule["title"] : "another value";
}

function example(rule: Schema): string {
  const first = Array.isArray(rule["examples"]) ? rule["examples"][0] : undefined;
  return first === undefined ? "" : `, such as ${typeof first === "string" ? JSON.stringify(first) : inline(first)}`;
}

/** A value as YAML people write it on one line. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    const pairs = Object.entries(value).map(([key, inner]) => `${key}: ${inline(inner)}`);
    return `{ ${pairs.join(", ")} }`;
  }
  return typeof value === "string" && /^[\w./:-]+$/.test(value) ? value : JSON.stringify(value);
}

function didYouMean(word: string | undefined): string {
  return word === undefined ? "" : ` Did you mean "${word}"?`;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function number(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

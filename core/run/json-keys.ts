/** Which keys of a JSON file an edit changes, for rules such as `package.json#/scripts/test`. */
import { canonicalJson } from "../hash/mod.ts";

/** JSON pointers of the values that differ, objects compared key by key. `["*"]` where either text is missing or no JSON object. */
export function changedKeys(before: string | null, after: string | null): readonly string[] {
  const old = parse(before);
  const now = parse(after);
  if (old === null || now === null) return ["*"];
  return differences(old, now, "");
}

function differences(old: Record<string, unknown>, now: Record<string, unknown>, at: string): string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key) => {
    const pointer = `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const [left, right] = [old[key], now[key]];
    if (isObject(left) && isObject(right)) return differences(left, right, pointer);
    return canonicalJson({ value: left }) === canonicalJson({ value: right }) ? [] : [pointer];
  });
}

/** The value at a JSON pointer, or undefined. */
export function valueAt(text: string | null, pointer: string): unknown {
  let value: unknown = parse(text);
  for (const part of pointer.split("/").slice(1)) {
    if (!isObject(value)) return undefined;
    value = value[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return value;
}

function parse(text: string | null): Record<string, unknown> | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

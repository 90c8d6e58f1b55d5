/**
 * Hashes and the canonical form of JSON. This module is browser compatible.
 *
 * The functions are synchronous (WebCrypto is not), so that a pure function may name a value by its hash.
 */
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const encoder = new TextEncoder();

/** The SHA-256 of bytes, or of a string's UTF-8 form, in lower-case hexadecimal. */
export function sha256Hex(input: Uint8Array | string): string {
  return bytesToHex(sha256(typeof input === "string" ? encoder.encode(input) : input));
}

/** The id that git gives to a blob with these bytes (SHA-1 over `blob <size>\0` and the bytes). */
export function blobOid(bytes: Uint8Array): string {
  return objectOid("blob", bytes);
}

/** The id that git gives to an object of this type with this body. */
export function objectOid(type: "blob" | "tree", body: Uint8Array): string {
  return bytesToHex(
    sha1
      .create()
      .update(encoder.encode(`${type} ${body.length}\0`))
      .update(body)
      .digest(),
  );
}

/**
 * One text for one value: keys sorted (integer-like keys first, as every JavaScript object orders them), no white space.
 * A property whose value is `undefined` is left out, as `JSON.stringify` does.
 *
 * @example
 * ```ts
 * import { canonicalJson } from "yada-runtime";
 * canonicalJson({ b: 1, a: [true, null] }); // '{"a":[true,null],"b":1}'
 * ```
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? "null";
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const record = value as Record<string, unknown>;
  // A null prototype keeps a key named "__proto__" an ordinary key.
  const result: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(record).sort()) result[key] = sorted(record[key]);
  return result;
}

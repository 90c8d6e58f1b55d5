/** The fingerprint of a failure: the same for the same failure, whatever its times, addresses, colours and temporary names. */
import { sha256Hex } from "../hash/mod.ts";

const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\u001b\[[0-9;]*[A-Za-z]/g, ""],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, "<time>"],
  [/\b\d\d:\d\d:\d\d(?:\.\d+)?\b/g, "<time>"],
  [/\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|sec|seconds?|min|minutes?)\b/g, "<duration>"],
  [/\b0x[0-9a-fA-F]+\b/g, "<address>"],
  [
    /(?:\/[^\s:'"()]*)?\/(?:tmp|var\/tmp|\.cache)\/[^\s:'"()]*?(?=\/(?:src|lib|test|tests|packages)\/|[\s:'"()]|$)/g,
    "<lane>",
  ],
  [/\b(localhost|127\.0\.0\.1|\[::1\]):\d+/g, "$1:<port>"],
  [/\b(pid|process)[ :=]+\d+/gi, "$1 <pid>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<uuid>"],
];

/** SHA-256 over the lines of the text, what varies from run to run replaced, and their order set aside. */
export function fingerprint(text: string): string {
  const steady = VARYING.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
  const lines = steady
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .sort();
  return sha256Hex(lines.join("\n"));
}

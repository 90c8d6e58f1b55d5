/** The fingerprint of a failure: the same for the same failure, whatever its times, addresses, colours, order and temporary places. */
import { sha256Hex } from "../hash/mod.ts";

/**
 * What varies from run to run. A time or a duration right behind a quotation mark is a value that somebody compared, and stays: two failures of a
 * library of dates are two. Each pattern is linear in the text.
 */
const VARYING: readonly (readonly [RegExp, string])[] = [
  // ECMA-48: colours and other control sequences, and hyperlinks.
  [/\u001b\[[0-9;?]*[A-Za-z]/g, ""],
  [/\u001b\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)/g, ""],
  [/"(?:time|timestamp|ts|pid|duration\w{0,20}|elapsed\w{0,20})"\s{0,4}:\s{0,4}(?:"[^"\n]*"|-?[\d.]+)/gi, "<varying>"],
  [/(?<!["'`\w])\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z| ?[+-]\d\d:?\d\d)?/g, "<time>"],
  [/(?<!["'`\w:.])\d\d?:\d\d:\d\d(?:[.,]\d{1,9})?(?:\s?[AP]M)?/g, "<time>"],
  // Milliseconds since 1970, of this century's first half.
  [/(?<!["'`\w.])1[0-9]{12}(?![\w.])/g, "<time>"],
  [/\bduration_ms[:=]?\s{1,4}[\d.]+/g, "<duration>"],
  [/(?<!["'`\w.])\d+(?:\.\d+)?\s?(?:ns|µs|μs|us|ms|s|secs?|seconds?|mins?|minutes?)(?!\w)/g, "<duration>"],
  [/\b0x[0-9a-fA-F]{6,16}\b/g, "<address>"],
  [/(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|::1?):\d{2,5}\b/g, "$1:<port>"],
  [/\b(pid|process)[ :=]{1,3}\d+/gi, "$1 <pid>"],
  [/\(node:\d+\)/g, "(node:<pid>)"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<uuid>"],
];

const PATH = /\/[^\s:'"`()<>,;|]+/g;

/** SHA-256 over the lines of the text, what varies from run to run replaced, and their order set aside. */
export function fingerprint(text: string): string {
  const steady = VARYING.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
  const lines = steady
    .replace(PATH, withoutTemporary)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .sort();
  return sha256Hex(lines.join("\n"));
}

/** How many folders below a temporary one may still be made anew for each run: user, lane, checkout, case. */
const DEPTH = 4;

/** Cuts the folders that are made for one run: a lane, and whatever lies in a temporary place. What lies below them is kept. */
function withoutTemporary(path: string): string {
  const parts = path.split("/");
  const place = parts.findIndex((part) => /^(?:tmp|temp|\.cache)$/i.test(part) || isLane(part));
  if (place < 0) return path;
  const first = isLane(parts[place] ?? "") ? place : place + 1;
  const near = parts.slice(first, first + DEPTH);
  const last = Math.max(0, near.findLastIndex(isRandom));
  return ["<temporary>", ...parts.slice(first + last + 1)].join("/");
}

function isLane(part: string): boolean {
  return /^lane-\w{6,}$/.test(part);
}

/** A name that ends as `mkdtemp` makes it: six or more letters and digits, mixed. */
function isRandom(part: string): boolean {
  const end = /(?:^|[-_.])([A-Za-z0-9]{6,})$/.exec(part)?.[1];
  return end !== undefined && (/\d/.test(end) || (/[a-z]/.test(end) && /[A-Z]/.test(end)));
}

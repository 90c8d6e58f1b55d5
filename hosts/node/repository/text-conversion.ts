/** The line endings of a file on disk and of its blob. Source: convert.c of git and gitattributes(5). */
import type { GitConfig } from "./git-config.ts";

/** The attributes that take part, as `git check-attr` prints them: a value, `set`, `unset` or `unspecified`. */
export interface TextAttributes {
  readonly text: string;
  readonly crlf: string;
  readonly eol: string;
}

/** What git does with the line endings of one path. */
export interface LineEndings {
  /** `auto`: only where the content looks like text and the blob before had no CRLF. */
  readonly clean: "none" | "text" | "auto";
  /** Whether a checkout writes CRLF. */
  readonly isCrlfOnDisk: boolean;
}

export function lineEndings(attributes: TextAttributes, config: GitConfig): LineEndings {
  const named = actionOf(attributes.text) ?? actionOf(attributes.crlf);
  if (named === "binary") return { clean: "none", isCrlfOnDisk: false };
  const eol = attributes.eol === "lf" || attributes.eol === "crlf" ? attributes.eol : undefined;
  const nativeIsCrlf = config.autocrlf === "true" || (config.autocrlf === "false" && config.eolIsCrlf);
  if (named === undefined && eol === undefined) {
    return { clean: config.autocrlf === "false" ? "none" : "auto", isCrlfOnDisk: config.autocrlf === "true" };
  }
  return {
    clean: named === "auto" ? "auto" : "text",
    isCrlfOnDisk: eol === undefined ? named !== "input" && nativeIsCrlf : eol === "crlf",
  };
}

function actionOf(value: string): "text" | "auto" | "input" | "binary" | undefined {
  if (value === "set") return "text";
  if (value === "unset") return "binary";
  if (value === "auto" || value === "input") return value;
  return undefined;
}

/** The blob of these bytes on disk. `before` is the blob that the index or the baseline holds, if any. */
export function toBlob(disk: Uint8Array, endings: LineEndings, before?: Uint8Array): Uint8Array {
  if (endings.clean === "none" || !disk.includes(carriageReturn)) return disk;
  if (endings.clean === "auto") {
    if (looksBinary(countBytes(disk))) return disk;
    if (before !== undefined) {
      const old = countBytes(before);
      if (old.crlf > 0 && !looksBinary(old)) return disk;
    }
  }
  return withoutCrlf(disk);
}

/** The bytes that a checkout of this blob writes. */
export function toDisk(blob: Uint8Array, endings: LineEndings): Uint8Array {
  if (!endings.isCrlfOnDisk || endings.clean === "none") return blob;
  const counts = countBytes(blob);
  if (endings.clean === "auto" && (counts.crlf > 0 || looksBinary(counts))) return blob;
  return withCrlf(blob);
}

/** CRLF becomes LF; a lone CR stays. */
export function withoutCrlf(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === carriageReturn && bytes[at + 1] === lineFeed) continue;
    result[length++] = byte;
  }
  return result.slice(0, length);
}

/** LF becomes CRLF; a CRLF stays. */
export function withCrlf(bytes: Uint8Array): Uint8Array {
  const result: number[] = [];
  let last = 0;
  for (const byte of bytes) {
    if (byte === lineFeed && last !== carriageReturn) result.push(carriageReturn);
    result.push(byte);
    last = byte;
  }
  return Uint8Array.from(result);
}

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const printableControls = new Set([0x08, 0x09, 0x1b, 0x0c]);

interface ByteCounts {
  readonly nul: number;
  readonly loneCr: number;
  readonly crlf: number;
  readonly printable: number;
  readonly nonPrintable: number;
}

function countBytes(bytes: Uint8Array): ByteCounts {
  let nul = 0;
  let loneCr = 0;
  let crlf = 0;
  let printable = 0;
  let nonPrintable = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === carriageReturn) {
      if (bytes[at + 1] === lineFeed) {
        crlf += 1;
        at += 1;
      } else loneCr += 1;
    } else if (byte === lineFeed) continue;
    else if (byte === 127 || (byte < 32 && !printableControls.has(byte))) {
      nonPrintable += 1;
      if (byte === 0) nul += 1;
    } else printable += 1;
  }
  // A Ctrl-Z at the end is the end-of-file mark of DOS.
  if (bytes.at(-1) === 0x1a) nonPrintable -= 1;
  return { nul, loneCr, crlf, printable, nonPrintable };
}

function looksBinary(counts: ByteCounts): boolean {
  return counts.loneCr > 0 || counts.nul > 0 || counts.printable >>> 7 < counts.nonPrintable;
}

/** Reproducible randomness and random changes of random files. */
import type { FileSpec, Files } from "./fixtures.ts";

/** A small generator of numbers (mulberry32): the same seed gives the same sequence. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to 1, 1 excluded. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.between(0, list.length - 1)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}

/** Lines that parsers trip over, and ordinary ones that repeat. */
const trickyLines = [
  "",
  "}",
  "a",
  "b",
  "a",
  "\tb",
  "-- x",
  "++ y",
  "- z",
  "-- a/one.txt",
  "++ b/one.txt",
  "@@ -1 +1 @@",
  "@@",
  "--- a/x",
  "+++ b/x",
  "diff --git a/x b/x",
  "\\ No newline at end of file",
  "*** End Patch",
  "*** Update File: x",
  "```",
  "...",
  "grün \u{1f600}",
  " leading",
  "trailing ",
  "lone\rreturn",
];

const names = ["one.txt", "a/a", "b/b", "my file.txt", "grün.txt", 'say "hi".txt', "dir/sub/deep.txt", "x y/z w.txt"];

/** How the lines of a random file look. */
export interface Taste {
  /** `unique`: no line occurs twice. `tricky`: lines that parsers trip over. `few`: three lines, again and again. */
  readonly lines: "unique" | "tricky" | "few";
  readonly ending: "\n" | "\r\n";
  readonly isLatin1: boolean;
}

export interface RandomChange {
  readonly before: Files;
  readonly after: Files;
  readonly taste: Taste;
}

/** Files and what becomes of them: edits, creations, deletions, renames, copies, modes. All paths lie below `folder`. */
export function randomChange(random: Random, folder: string): RandomChange {
  const taste: Taste = {
    lines: random.pick(["unique", "unique", "tricky", "tricky", "few"]),
    ending: random.chance(0.15) ? "\r\n" : "\n",
    isLatin1: random.chance(0.08),
  };
  const before: Record<string, FileSpec> = {};
  const after: Record<string, FileSpec> = {};
  const pool = [...names];
  const takeName = () => `${folder}/${pool.splice(random.between(0, pool.length - 1), 1)[0]}`;
  for (let count = random.between(1, 3); count > 0; count -= 1) {
    const path = takeName();
    const lines = randomLines(random, taste);
    const old = fileOf(lines, random, taste);
    const edited = fileOf(editedLines(random, lines, taste), random, taste);
    const kind = random.next();
    if (kind < 0.08) after[path] = edited;
    else {
      before[path] = old;
      if (kind < 0.16) continue;
      if (kind < 0.26) after[takeName()] = random.chance(0.3) ? old : edited;
      else if (kind < 0.32) {
        after[path] = old;
        after[takeName()] = edited;
      } else if (kind < 0.38) after[path] = { mode: "100755", content: contentOf(random.chance(0.5) ? old : edited) };
      else after[path] = edited;
    }
  }
  return { before, after, taste };
}

function contentOf(spec: FileSpec): string | Uint8Array {
  return typeof spec === "string" || spec instanceof Uint8Array ? spec : spec.content;
}

function randomLine(random: Random, taste: Taste): string {
  if (taste.lines === "few") return random.pick(["x", "x", "x", ""]);
  if (taste.lines === "unique")
    return `${random.pick(["let", "  const", "}", "--", "++"])} ${random.between(0, 1e9).toString(36)}`;
  return random.pick(trickyLines);
}

function randomLines(random: Random, taste: Taste): string[] {
  const most = taste.lines === "few" ? 120 : 40;
  return Array.from({ length: random.chance(0.1) ? 0 : random.between(1, most) }, () => randomLine(random, taste));
}

function editedLines(random: Random, lines: readonly string[], taste: Taste): string[] {
  const edited = [...lines];
  for (let count = random.between(1, 4); count > 0; count -= 1) {
    const at = random.between(0, edited.length);
    const del = random.chance(0.6) ? random.between(0, 3) : 0;
    const ins = Array.from({ length: random.chance(0.7) ? random.between(0, 3) : 0 }, () => randomLine(random, taste));
    edited.splice(at, del, ...ins);
  }
  return edited;
}

function fileOf(lines: readonly string[], random: Random, taste: Taste): FileSpec {
  const text = lines.join(taste.ending);
  const whole = lines.length === 0 || (random.chance(0.15) && lines.at(-1) !== "") ? text : text + taste.ending;
  if (!taste.isLatin1) return whole;
  // One byte that is no UTF-8, somewhere.
  const bytes = Buffer.from(whole);
  const at = random.between(0, bytes.length);
  return Uint8Array.from([...bytes.subarray(0, at), 0xe9, ...bytes.subarray(at)]);
}

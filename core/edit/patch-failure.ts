/** What the agent reads when a hunk has no place. This module is browser compatible. */
import { clip, failure, quoted } from "./failure.ts";
import { withoutFeed } from "./lines.ts";
import { firstDifference, type MissCause, nearestPlace } from "./near-miss.ts";
import { sequenceOccurrences } from "./occurrences.ts";
import { type Misplaced, sidesOf } from "./place-hunks.ts";
import type { EditCode, EditFailure } from "./types.ts";

/** The refusal for a hunk without a place: `ambiguous_match` where there are several, else `patch_context_mismatch`. */
export function misplacedHunk(
  path: string,
  sha256: string,
  file: readonly string[],
  hunkCount: number,
  misplaced: Misplaced,
): EditFailure<EditCode> {
  const { index, hunk } = misplaced;
  const base = { path, hunk: index + 1, of: hunkCount, patch_line: hunk.at, sha256 };
  const name = `${quoted(path)}: hunk ${index + 1}${hunkCount > 1 ? ` of ${hunkCount}` : ""}`;
  const refuse = (code: EditCode, reason: string, details: Readonly<Record<string, unknown>>, next: string) =>
    failure(code, `${name} ${reason}.`, { ...base, ...details }, `${next} Nothing was changed.`);
  switch (misplaced.reason) {
    case "several": {
      const { places } = misplaced;
      const isOpen = places.length > 5;
      return refuse(
        "ambiguous_match",
        `fits at ${isOpen ? "more than 5" : places.length} places, and its header names none of them rightly`,
        {
          places: places.slice(0, 5).map((place) => ({
            line: place + 1,
            text: file.slice(Math.max(0, place - 1), place + 2).map((line) => clip(withoutFeed(line), 100)),
          })),
        },
        "Add context lines that only the place you mean has, or give the true line in the header.",
      );
    }
    case "no_old_line":
      return refuse(
        "patch_context_mismatch",
        "has no context and no deletion, so nothing says where it belongs; such a hunk lands in an empty or new file only",
        { line_count: file.length },
        "Add the lines before or after the place as context.",
      );
    case "newline_inside":
      return refuse(
        "patch_context_mismatch",
        "leaves a line without its newline that is not the file's last one",
        { line: misplaced.place + 1, cause: "final_newline" satisfies MissCause },
        "Put `\\ No newline at end of file` only after the last line of the file.",
      );
    case "not_at_end":
      return refuse(
        "patch_context_mismatch",
        `fits at line ${misplaced.place + 1}, but \`*** End of File\` follows it and the file goes on there`,
        { line: misplaced.place + 1, line_count: file.length },
        "Leave `*** End of File` out, or add the lines up to the end.",
      );
    case "none": {
      const miss = explainHunk(file, misplaced);
      return refuse(
        "patch_context_mismatch",
        `matches nowhere${misplaced.after > 0 ? ` after line ${misplaced.after}` : ""}${reasons[miss.cause ?? "unknown"](miss.line)}`,
        { ...miss },
        advice[miss.cause ?? "unknown"],
      );
    }
  }
}

interface HunkMiss {
  readonly cause?: MissCause;
  readonly line?: number;
  readonly difference?: { readonly line: number; readonly expected: string; readonly found: string | null };
}

type Cause = MissCause | "unknown";

const reasons: Readonly<Record<Cause, (line: number | undefined) => string>> = {
  line_endings: (line) => `; line endings alone make it miss at line ${line} (one has CRLF where the other has LF)`,
  final_newline: (line) => `; at line ${line} only the newline at the end of the file differs`,
  white_space: (line) => `; white space or typographic quotes and dashes alone make it miss at line ${line}`,
  hunk_order: (line) => `; it fits at line ${line}, which the hunk before it has passed or touched`,
  already_applied: (line) => `, but its new lines stand at line ${line}`,
  escapes: () => "",
  line_numbers: () => "",
  unknown: (line) => (line === undefined ? "" : `; the nearest place is line ${line}`),
};

const advice: Readonly<Record<Cause, string>> = {
  line_endings: "Write the hunk's lines with the file's own line endings, or use replace_text.",
  final_newline: "Put `\\ No newline at end of file` after the last line where the file has none, and only there.",
  white_space: "Copy context and deleted lines from read_file exactly, with their indentation.",
  hunk_order: "Give the hunks in the order of the file, no line in two of them; join hunks that touch.",
  already_applied: "This change may already be made: read the file before you edit it again.",
  escapes: "Read the file again and make the patch from what it says now.",
  line_numbers: "Read the file again and make the patch from what it says now.",
  unknown: "Read the file around that place and copy context and deleted lines from there, or use replace_text.",
};

type Normal = (line: string) => string;

const oneReason: readonly (readonly [MissCause, Normal])[] = [
  ["line_endings", (line) => line.replace(/\r\n$/, "\n")],
  ["final_newline", withoutFeed],
  [
    "white_space",
    (line) =>
      line
        .replace(/[\s\u200b\ufeff]+/g, "")
        .replace(/[\u2018\u2019]/g, "'")
        .replace(/[\u201c\u201d]/g, '"')
        .replace(/[\u2013\u2014\u2212]/g, "-"),
  ],
];

function explainHunk(file: readonly string[], misplaced: Misplaced): HunkMiss {
  const { hunk, old } = misplaced;
  const at = (cause: MissCause | undefined, place: number): HunkMiss => {
    const difference = firstDifference(file, old, place);
    return { ...(cause ? { cause } : {}), line: difference?.line ?? place + 1, ...(difference ? { difference } : {}) };
  };
  const earlier = placeWhere(file, old, (line) => line);
  if (earlier !== undefined) return { cause: "hunk_order", line: earlier + 1 };
  for (const [cause, normal] of oneReason) {
    const place = placeWhere(file, old, normal);
    if (place !== undefined) return at(cause, place);
  }
  const { added } = sidesOf(hunk, file);
  if (hunk.lines.some((line) => line.marker === "+" && line.text.trim().length > 3)) {
    const place = placeWhere(file, added, (line) => line);
    if (place !== undefined) return { cause: "already_applied", line: place + 1 };
  }
  const nearest = nearestPlace(file, old, hunk.header === null ? undefined : hunk.header.oldStart - 1);
  return nearest === null ? {} : at(undefined, nearest.at);
}

/** The first place where the wanted lines equal the file's after both went through `normal`. */
function placeWhere(file: readonly string[], wanted: readonly string[], normal: Normal): number | undefined {
  const numbers = new Map<string, number>();
  const number = (line: string) => {
    const key = normal(line);
    let value = numbers.get(key);
    if (value === undefined) {
      value = numbers.size;
      numbers.set(key, value);
    }
    return value;
  };
  return sequenceOccurrences(Int32Array.from(file, number), Int32Array.from(wanted, number), 0, 1)[0];
}

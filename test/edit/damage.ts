/** Damaging a good patch in the ways that models do, and what must then become of it. */
import type { Random, Taste } from "./random.ts";

/** `exact`: accepted with the known result. `never`: refused. `exact_or_refused`: a refusal, or the known result and no other. */
export type Verdict = "exact" | "never" | "exact_or_refused";

export interface Damaged {
  readonly patch: string;
  readonly verdict: Verdict;
}

/** A part of a patch that git made: header lines, and hunks of a header line and a body. */
interface Part {
  header: string[];
  hunks: { header: string; body: string[] }[];
}

export interface Damage {
  readonly name: string;
  /** Null where this patch cannot be damaged so. */
  apply(parts: Part[], random: Random, taste: Taste): Damaged | null;
}

/** The parts of a patch in git's form with right counts. */
export function partsOf(patch: string): Part[] {
  const lines = patch.split("\n");
  lines.pop();
  const parts: Part[] = [];
  for (let at = 0; at < lines.length; ) {
    const part: Part = { header: [], hunks: [] };
    do part.header.push(lines[at++] ?? "");
    while (at < lines.length && !lines[at]?.startsWith("@@") && !lines[at]?.startsWith("diff --git "));
    while (lines[at]?.startsWith("@@")) {
      const header = lines[at++] ?? "";
      const [, oldCount = "1", newCount = "1"] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(header) ?? [];
      let old = Number(oldCount);
      let added = Number(newCount);
      const body: string[] = [];
      while (old > 0 || added > 0 || lines[at]?.startsWith("\\ ")) {
        const line = lines[at++] ?? "";
        if (line.startsWith(" ") || line.startsWith("-")) old -= 1;
        if (line.startsWith(" ") || line.startsWith("+")) added -= 1;
        body.push(line);
      }
      part.hunks.push({ header, body });
    }
    parts.push(part);
  }
  return parts;
}

function joined(parts: readonly Part[]): string {
  return parts
    .flatMap(({ header, hunks }) => [...header, ...hunks.flatMap((hunk) => [hunk.header, ...hunk.body])])
    .map((line) => `${line}\n`)
    .join("");
}

const numbers = /^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@/;

function withHeaders(parts: Part[], change: (header: string) => string): string | null {
  if (parts.every(({ hunks }) => hunks.length === 0)) return null;
  for (const { hunks } of parts) for (const hunk of hunks) hunk.header = change(hunk.header);
  return joined(parts);
}

const hasName = (part: Part) => part.header.some((line) => line.startsWith("--- "));
const isBareable = (part: Part) =>
  hasName(part) &&
  !part.header.some((line) => /^(old mode|rename|copy|new file mode 100755|deleted file mode 100755)/.test(line));

/** Lines of a context that damage may change: those without a special beginning. */
function contextLine(parts: readonly Part[], random: Random, fits: (line: string) => boolean) {
  const places: { body: string[]; at: number }[] = [];
  for (const { hunks } of parts) {
    for (const { body } of hunks) for (const [at, line] of body.entries()) if (fits(line)) places.push({ body, at });
  }
  return places.length === 0 ? null : random.pick(places);
}

function bare(parts: Part[]): string | null {
  if (!parts.every(isBareable)) return null;
  for (const part of parts) part.header = part.header.filter((line) => /^(---|\+\+\+) /.test(line));
  return joined(parts);
}

export const damages: readonly Damage[] = [
  { name: "none", apply: (parts) => ({ patch: joined(parts), verdict: "exact" }) },
  {
    name: "wrong counts",
    apply(parts, random) {
      const count = () => (random.chance(0.3) ? "" : `,${random.between(0, 12)}`);
      const patch = withHeaders(parts, (header) =>
        header.replace(numbers, (_, old, _a, added) => `@@ -${old}${count()} +${added}${count()} @@`),
      );
      return patch === null ? null : { patch, verdict: "exact" };
    },
  },
  {
    name: "wrong starts",
    apply(parts, random) {
      const patch = withHeaders(parts, (header) =>
        header.replace(numbers, (_, old, oldCount = "", added, newCount = "") => {
          const shift = random.between(1, 9);
          return `@@ -${Number(old) + shift}${oldCount} +${Number(added) + shift + random.between(1, 5)}${newCount} @@`;
        }),
      );
      return patch === null ? null : { patch, verdict: "exact_or_refused" };
    },
  },
  {
    name: "bare @@",
    apply(parts) {
      const patch = withHeaders(parts, () => "@@");
      return patch === null ? null : { patch, verdict: "exact_or_refused" };
    },
  },
  {
    name: "bare headers",
    apply(parts) {
      const patch = bare(parts);
      return patch === null ? null : { patch, verdict: "exact" };
    },
  },
  {
    name: "bare headers and wrong counts",
    apply(parts, random) {
      const patch = bare(parts);
      if (patch === null) return null;
      const changed = withHeaders(parts, (header) =>
        header.replace(
          numbers,
          (_, old, _a, added) => `@@ -${old},${random.between(0, 12)} +${added},${random.between(0, 12)} @@`,
        ),
      );
      return changed === null ? null : { patch: changed, verdict: "exact_or_refused" };
    },
  },
  {
    name: "blank context without its space",
    apply(parts, random) {
      const place = contextLine(parts, random, (line) => line === " ");
      if (place === null) return null;
      place.body[place.at] = "";
      return { patch: joined(parts), verdict: "exact" };
    },
  },
  {
    name: "blank context without its space, and wrong counts",
    apply(parts, random) {
      const place = contextLine(parts, random, (line) => line === " ");
      if (place === null) return null;
      place.body[place.at] = "";
      const patch = withHeaders(parts, (header) => header.replace(numbers, "@@ -$1,99 +$3,99 @@"));
      return patch === null ? null : { patch, verdict: "exact_or_refused" };
    },
  },
  {
    name: "changed context",
    apply(parts, random) {
      const place = contextLine(parts, random, (line) => line.startsWith(" "));
      if (place === null) return null;
      place.body[place.at] = ` changed ${random.between(0, 1e9)}`;
      return { patch: joined(parts), verdict: "never" };
    },
  },
  {
    name: "changed indentation of context",
    apply(parts, random) {
      const place = contextLine(parts, random, (line) => /^ {2,3}[a-z]/.test(line));
      if (place === null) return null;
      place.body[place.at] = place.body[place.at]?.replace(/^ +/, "          ") ?? "";
      return { patch: joined(parts), verdict: "never" };
    },
  },
  {
    name: "a context line without its space",
    apply(parts, random) {
      const place = contextLine(parts, random, (line) => /^ [a-zA-Z}`.*]/.test(line));
      if (place === null) return null;
      place.body[place.at] = place.body[place.at]?.slice(1) ?? "";
      return { patch: joined(parts), verdict: "never" };
    },
  },
  {
    name: "hunks in the wrong order",
    apply(parts, _random, { lines }) {
      const many = parts.filter(({ hunks }) => hunks.length > 1);
      if (lines !== "unique" || many.length === 0) return null;
      for (const part of many) part.hunks.reverse();
      return { patch: joined(parts), verdict: "never" };
    },
  },
  {
    name: "files in another order",
    apply(parts) {
      return parts.length < 2 ? null : { patch: joined([...parts].reverse()), verdict: "exact" };
    },
  },
  {
    name: "blank lines between hunks and files",
    apply(parts, random) {
      const blanks = () => "\n".repeat(random.between(1, 2));
      const patch = parts
        .map(
          ({ header, hunks }) =>
            `${header.join("\n")}\n${hunks.map((hunk) => `${hunk.header}\n${hunk.body.join("\n")}\n`).join(blanks())}`,
        )
        .join(blanks());
      return { patch, verdict: "exact" };
    },
  },
  {
    name: "every line ends with CRLF",
    apply(parts) {
      const isNew = parts.some(({ header }) => header.some((line) => line.startsWith("new file")));
      const hasOldLine = parts.some(({ hunks }) => hunks.some(({ body }) => body.some((line) => /^[ -]/.test(line))));
      if (isNew || !hasOldLine) return null;
      return { patch: joined(parts).replaceAll("\n", "\r\n"), verdict: "never" };
    },
  },
  { name: "prose before", apply: (parts) => ({ patch: `Here it is:\n${joined(parts)}`, verdict: "never" }) },
  { name: "prose after", apply: (parts) => ({ patch: `${joined(parts)}That should do.\n`, verdict: "never" }) },
  { name: "fences", apply: (parts) => ({ patch: `\`\`\`diff\n${joined(parts)}\`\`\`\n`, verdict: "never" }) },
  {
    name: "another name after +++",
    apply(parts, random) {
      const part = parts.find((candidate) => candidate.header.some((line) => /^\+\+\+ b\//.test(line)));
      if (part === undefined) return null;
      part.header = part.header.map((line) => line.replace(/^\+\+\+ b\//, `+++ b/other${random.between(0, 9)}/`));
      return { patch: joined(parts), verdict: "never" };
    },
  },
  {
    name: "a name without its prefix",
    apply(parts) {
      const part = parts.find((candidate) => candidate.header.some((line) => /^\+\+\+ b\//.test(line)));
      if (part === undefined) return null;
      part.header = part.header.map((line) => line.replace(/^\+\+\+ b\//, "+++ "));
      return { patch: joined(parts), verdict: "never" };
    },
  },
  {
    name: "a missing +++ line",
    apply(parts) {
      const part = parts.find(hasName);
      if (part === undefined) return null;
      part.header = part.header.filter((line) => !line.startsWith("+++ "));
      return { patch: joined(parts), verdict: "never" };
    },
  },
  {
    name: "cut off inside a hunk header",
    apply(parts) {
      const last = parts.at(-1)?.hunks.at(-1);
      if (last === undefined) return null;
      last.body = [];
      last.header = last.header.slice(0, 6);
      return { patch: joined(parts), verdict: "never" };
    },
  },
];

/**
 * A YAML text as a tree in which every node knows its place. This module is browser compatible.
 *
 * What YAML offers and a policy has no use for is refused: it is where two readers of one file come to read different rules.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Node as YamlNode } from "yaml";
import type { PolicyProblem } from "./types.ts";

/** Where a node stands, 1-based, and its text: the first line of it, at most 80 characters. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

export type DocumentNode =
  | { readonly kind: "map"; readonly place: Place; readonly entries: ReadonlyMap<string, DocumentEntry> }
  | { readonly kind: "list"; readonly place: Place; readonly items: readonly DocumentNode[] }
  | { readonly kind: "scalar"; readonly place: Place; readonly value: string | number | boolean | null };

interface DocumentEntry {
  readonly key: Place;
  readonly value: DocumentNode;
}

export type ParsedDocument =
  | { readonly ok: true; readonly root: DocumentNode }
  /** `root` is there where the text is YAML and only parts of it are refused: what stands beside them can be checked as well. */
  | { readonly ok: false; readonly problems: readonly PolicyProblem[]; readonly root?: DocumentNode };

/** Characters of one policy file. A policy that a person can read is a hundredth of it. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_NODES = 20_000;
const MAX_ALIASES = 100;
const MAX_DEPTH = 32;

const TOO_DEEP = "the file is nested too deeply to be read";

const CORE_TAGS = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
);

/** What the YAML library reports, in words for the person who writes the file. Codes that are missing here keep the library's words. */
const SYNTAX: ReadonlyMap<string, string> = new Map([
  ["TAB_AS_INDENT", "a tab cannot indent YAML: use spaces"],
  ["MISSING_CHAR", "a quote or a bracket is opened here and never closed"],
  ["BAD_SCALAR_START", "text cannot start with this character: put it in double quotes"],
  ["BLOCK_AS_IMPLICIT_KEY", "a second `: ` stands on this line: put the text in double quotes"],
  ["MULTILINE_IMPLICIT_KEY", "a key without a colon: write `key: value`"],
  ["BAD_DQ_ESCAPE", "a backslash in double quotes starts an escape: write paths with /, or use single quotes"],
  [
    "UNEXPECTED_TOKEN",
    "more text follows a value that has already ended: text that starts with { [ or a quote goes in double quotes",
  ],
]);

/** Parses the text of one policy file. Every problem that the text shows is reported, the first ones first. */
export function parseDocument(text: string, file: string): ParsedDocument {
  const refused = refuseText(text);
  if (refused !== null) return { ok: false, problems: [{ file, ...refused, path: "" }] };

  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  // Thousands of levels would take the parser seconds to give up on.
  const nested = /(?:[[{]\s*){40}|(?:[-?]\s+){40}/.exec(source);
  if (nested !== null) {
    const problem = {
      ...lineAndColumn(source, nested.index),
      path: "",
      message: TOO_DEEP,
      text: lineAt(source, nested.index),
    };
    return { ok: false, problems: [{ file, ...problem }] };
  }
  const tabs = tabIndents(source, file);
  if (tabs.length > 0) return { ok: false, problems: tabs };

  const lines = new LineCounter();
  const documents = parse(source, lines);
  if (documents === null) {
    return {
      ok: false,
      problems: [{ file, line: 1, column: 1, path: "", message: TOO_DEEP }],
    };
  }
  const [document, second] = documents;
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };

  const errors = (document?.errors ?? []).map((error) => ({
    file,
    ...at(error.pos[0]),
    path: "",
    message: syntaxMessage(error.code, error.message),
    text: lineAt(source, error.pos[0]),
  }));
  if (errors.length > 0) return { ok: false, problems: firstOfEachLine(errors) };
  if (second !== undefined) {
    const message = "a second document starts here: a policy is one document, without `---` in the middle";
    return { ok: false, problems: [{ file, ...at(second.range[0]), path: "", message }] };
  }
  if (document === undefined || document.contents === null) {
    const message = "the file is empty: a policy starts with `version: 1`";
    return { ok: false, problems: [{ file, line: 1, column: 1, path: "", message }] };
  }
  return new Reader(source, file, lines).read(document.contents);
}

function refuseText(text: string): { line: number; column: number; message: string } | null {
  if (text.length > MAX_CHARACTERS) {
    return {
      line: 1,
      column: 1,
      message: `the file has ${text.length} characters; a policy has at most ${MAX_CHARACTERS}`,
    };
  }
  const nul = text.indexOf("\0");
  if (nul >= 0 || text.startsWith("\uFFFE")) {
    return { line: 1, column: 1, message: "the file holds NUL bytes, as UTF-16 does: save it as UTF-8" };
  }
  const broken = text.indexOf("\uFFFD");
  if (broken >= 0) {
    return { ...lineAndColumn(text, broken), message: "the file is not valid UTF-8 here: save it as UTF-8" };
  }
  const directive = /^%/m.exec(text);
  if (directive !== null) {
    const message = "a YAML directive can change how the file is read: remove the line";
    return { ...lineAndColumn(text, directive.index), message };
  }
  return null;
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function tabIndents(text: string, file: string): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const tab = /^ *\t/.exec(line);
    if (tab === null || /^\s*(#|$)/.test(line)) continue;
    problems.push({
      file,
      line: index + 1,
      column: tab[0].length,
      path: "",
      message: SYNTAX.get("TAB_AS_INDENT") ?? "",
    });
  }
  return problems;
}

function parse(text: string, lineCounter: LineCounter) {
  try {
    const documents = parseAllDocuments(text, {
      lineCounter,
      version: "1.2",
      schema: "core",
      merge: false,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "silent",
    });
    return Array.isArray(documents) ? documents : [];
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The line around an offset, without its indentation. */
function lineAt(text: string, offset: number): string {
  const from = text.lastIndexOf("\n", Math.min(offset, text.length) - 1) + 1;
  return shorten((text.slice(from).split("\n", 1)[0] ?? "").trim());
}

function syntaxMessage(code: string, message: string): string {
  if (/call stack/.test(message)) return TOO_DEEP;
  if (/^Implicit map keys/.test(message)) return SYNTAX.get("MULTILINE_IMPLICIT_KEY") ?? message;
  if (/sufficiently indented and end with/.test(message)) return "a { or [ is opened above and never closed";
  return SYNTAX.get(code) ?? `not YAML: ${message}`;
}

/** One slip makes the parser report the rest of the line as well. */
function firstOfEachLine(problems: readonly PolicyProblem[]): PolicyProblem[] {
  const seen = new Set<number>();
  return problems.filter(({ line }) => !seen.has(line) && seen.add(line));
}

/** Turns the library's nodes into ours, with a bound on what aliases can make of a small text. */
class Reader {
  private readonly problems: PolicyProblem[] = [];
  private readonly anchors = new Map<string, YamlNode>();
  private nodes = 0;
  private aliases = 0;

  private readonly text: string;
  private readonly file: string;
  private readonly lines: LineCounter;

  constructor(text: string, file: string, lines: LineCounter) {
    this.text = text;
    this.file = file;
    this.lines = lines;
  }

  read(contents: YamlNode): ParsedDocument {
    const root = this.node(contents, "", [], undefined);
    return this.problems.length > 0 ? { ok: false, problems: this.problems, root } : { ok: true, root };
  }

  private node(
    node: YamlNode | null,
    path: string,
    parents: readonly YamlNode[],
    fallback: Place | undefined,
  ): DocumentNode {
    const place = node?.range
      ? this.place(node.range[0], node.range[1])
      : (fallback ?? { line: 1, column: 1, text: "" });
    const nothing: DocumentNode = { kind: "scalar", place, value: null };
    if (node === null) return nothing;
    this.nodes++;
    if (this.nodes > MAX_NODES) {
      if (this.nodes === MAX_NODES + 1)
        this.refuse(place, path, `the policy unfolds to more than ${MAX_NODES} values: use fewer aliases`);
      return nothing;
    }
    if (parents.length > MAX_DEPTH) {
      this.refuse(place, path, `nested more than ${MAX_DEPTH} levels deep`);
      return nothing;
    }
    if (isAlias(node)) return this.alias(node, path, parents, place);
    if (node.tag !== undefined && !CORE_TAGS.has(node.tag)) {
      const tag = shownTag(node.tag);
      const end = node.range?.[0] ?? 0;
      const begin = Math.max(0, end - 200);
      const offset = this.text.slice(begin, end).search(/!\S*\s*$/);
      const from = begin + offset;
      const where = offset < 0 ? place : { ...this.place(from, from + 1), text: tag };
      this.refuse(where, path, `the tag ${tag} has no meaning here: text that starts with ! goes in double quotes`);
      return nothing;
    }
    const anchor = "anchor" in node ? node.anchor : undefined;
    if (anchor !== undefined) this.anchors.set(anchor, node);
    const inside = [...parents, node];

    if (isScalar(node)) {
      const { value } = node;
      if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
        return { kind: "scalar", place, value };
      }
      this.refuse(place, path, "only text, numbers, true, false and null can be written here");
      return nothing;
    }
    if (isSeq(node)) {
      const items = node.items.map((item, index) => this.node(asNode(item), `${path}[${index}]`, inside, place));
      return { kind: "list", place, items };
    }
    if (isMap(node)) return this.map(node.items, path, inside, place);
    this.refuse(place, path, "only maps, lists and simple values can be written here");
    return nothing;
  }

  private map(
    pairs: readonly { key: unknown; value: unknown }[],
    path: string,
    inside: readonly YamlNode[],
    place: Place,
  ): DocumentNode {
    const entries = new Map<string, DocumentEntry>();
    for (const pair of pairs) {
      const keyNode = asNode(pair.key);
      const key = keyNode?.range ? this.place(keyNode.range[0], keyNode.range[1]) : place;
      const name = isScalar(keyNode) ? String(keyNode.value ?? "") : null;
      if (name === null) {
        this.refuse(key, path, "a key is one word of text, such as `paths`");
        continue;
      }
      const where = join(path, name);
      if (name === "<<") {
        this.refuse(
          key,
          where,
          "the merge key << is not read here: write the entries out, or put them in a file and name it in `extends`",
        );
        continue;
      }
      const first = entries.get(name);
      if (first !== undefined) {
        this.refuse(
          key,
          where,
          `"${name}" is written twice in one map; the first one stands in line ${first.key.line}`,
        );
        continue;
      }
      entries.set(name, { key, value: this.node(asNode(pair.value), where, inside, key) });
    }
    return { kind: "map", place, entries };
  }

  private alias(alias: { source: string }, path: string, parents: readonly YamlNode[], place: Place): DocumentNode {
    const nothing: DocumentNode = { kind: "scalar", place, value: null };
    const target = this.anchors.get(alias.source);
    if (target === undefined) {
      const message = `*${alias.source} refers to an anchor that is not there: a pattern that starts with * goes in double quotes, "*${alias.source}"`;
      this.refuse(place, path, message);
      return nothing;
    }
    if (parents.includes(target)) {
      this.refuse(place, path, `*${alias.source} contains itself`);
      return nothing;
    }
    this.aliases++;
    if (this.aliases > MAX_ALIASES) {
      if (this.aliases === MAX_ALIASES + 1) this.refuse(place, path, `more than ${MAX_ALIASES} aliases`);
      return nothing;
    }
    return this.node(target, path, parents, place);
  }

  private place(from: number, to: number): Place {
    const { line, col } = this.lines.linePos(from);
    const first = this.text.slice(from, to).split("\n", 1)[0] ?? "";
    return { line: Math.max(line, 1), column: Math.max(col, 1), text: shorten(first.trim()) };
  }

  private refuse({ line, column, text }: Place, path: string, message: string): void {
    this.problems.push({ file: this.file, line, column, path, message, text });
  }
}

function asNode(value: unknown): YamlNode | null {
  return isScalar(value) || isSeq(value) || isMap(value) || isAlias(value) ? value : null;
}

function shownTag(tag: string): string {
  return tag.startsWith("tag:yaml.org,2002:") ? `!!${tag.slice("tag:yaml.org,2002:".length)}` : tag;
}

/** The path of a key in a document: `phases.red`, or `presenters["a b"]` where the key is no word. */
export function join(path: string, key: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${JSON.stringify(shorten(key))}]`;
  return path === "" ? key : `${path}.${key}`;
}

export function shorten(text: string, limit = 80): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/** The plain value of a node. */
export function toValue(node: DocumentNode): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "list":
      return node.items.map(toValue);
    case "map":
      return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, toValue(value)]));
  }
}

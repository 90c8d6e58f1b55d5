/** Grammars by tree-sitter in WebAssembly. This module is browser compatible: the host hands in the bytes. */
import type { Language, Parser, TreeCursor } from "web-tree-sitter";
import { sha256Hex } from "../hash/mod.ts";
import { type GrammarEntry, GrammarError, type Grammars, grammarFor } from "./grammars.ts";
import type { SyntaxNode, SyntaxTree } from "./tree.ts";

export interface TreeSitterOptions {
  readonly languages: readonly GrammarEntry[];
  /** The bytes of a grammar. A rejection becomes `grammar_missing`. */
  load(entry: GrammarEntry): Promise<Uint8Array>;
  /** The bytes of `web-tree-sitter.wasm`, the parser itself. */
  engine(): Promise<Uint8Array>;
  /** Longer texts (UTF-16 code units) have no tree. Default: 1,048,576. */
  readonly maxLength?: number;
}

/** How many trees are kept. Several guards ask for the same text one after another. */
const keptTrees = 16;

/**
 * Grammars on web-tree-sitter. Nothing is loaded before the first file of a language is parsed, and then once.
 *
 * @example
 * ```ts
 * const grammars = treeSitterGrammars({ languages, load, engine });
 * const tree = await grammars.parse("src/a.ts", "const a = 1;");
 * tree?.root.children[0]?.type; // "lexical_declaration"
 * ```
 */
export function treeSitterGrammars(options: TreeSitterOptions): Grammars {
  const parsers = new Map<string, Promise<LoadedLanguage>>();
  const trees = new Map<string, SyntaxTree>();
  const maxLength = options.maxLength ?? 1024 * 1024;

  return {
    async parse(path, text) {
      const entry = grammarFor(options.languages, path);
      if (entry === undefined || text.length > maxLength) return null;
      const key = `${entry.language}\0${text}`;
      const kept = trees.get(key);
      if (kept !== undefined) {
        trees.delete(key);
        trees.set(key, kept);
        return kept;
      }
      let loading = parsers.get(entry.language);
      if (loading === undefined) {
        loading = loadLanguage(entry, options);
        parsers.set(entry.language, loading);
        // A file that could not be read may be there the next time.
        loading.catch(() => parsers.delete(entry.language));
      }
      const tree = parseWith(await loading, entry.language, text);
      trees.set(key, tree);
      for (const oldest of trees.keys()) {
        if (trees.size <= keptTrees) break;
        trees.delete(oldest);
      }
      return tree;
    },
  };
}

interface LoadedLanguage {
  readonly parser: Parser;
  readonly types: readonly string[];
  readonly isNamed: readonly boolean[];
  readonly fields: readonly (string | null)[];
}

// web-tree-sitter keeps one WebAssembly instance for each copy of its module, and two that start at the same time would mix.
const started = new WeakMap<object, Promise<void>>();

async function loadLanguage(entry: GrammarEntry, options: TreeSitterOptions): Promise<LoadedLanguage> {
  const { Language, Parser } = await import("web-tree-sitter");
  let start = started.get(Parser);
  if (start === undefined) {
    start = options.engine().then((wasmBinary) => Parser.init({ wasmBinary }));
    started.set(Parser, start);
    start.catch(() => started.delete(Parser));
  }
  await start.catch((cause: unknown) => {
    throw new GrammarError(
      "grammar_missing",
      entry.language,
      "The parser (web-tree-sitter.wasm) could not be started.",
      {
        cause,
      },
    );
  });
  const bytes = await options.load(entry).catch((cause: unknown) => {
    throw new GrammarError(
      "grammar_missing",
      entry.language,
      `The grammar for ${entry.language} (${entry.package}/${entry.file}) could not be read.`,
      { cause },
    );
  });
  const found = sha256Hex(bytes);
  if (found !== entry.sha256) {
    throw new GrammarError(
      "grammar_changed",
      entry.language,
      `The grammar for ${entry.language} (${entry.package}/${entry.file}) has the SHA-256 ${found}, not ${entry.sha256} as grammars/manifest.json says.`,
    );
  }
  try {
    const language: Language = await Language.load(bytes);
    const parser = new Parser().setLanguage(language);
    const count = language.nodeTypeCount;
    const isNamed = Array.from({ length: count }, (_, id) => language.nodeTypeIsNamed(id));
    return { parser, types: language.types, isNamed, fields: language.fields };
  } catch (cause) {
    throw new GrammarError(
      "grammar_incompatible",
      entry.language,
      `The grammar for ${entry.language} (${entry.package}/${entry.file}) does not fit this parser.`,
      { cause },
    );
  }
}

function parseWith(language: LoadedLanguage, name: string, text: string): SyntaxTree {
  language.parser.reset();
  const parsed = language.parser.parse(text);
  if (parsed === null) throw new Error(`The parser for ${name} gave no tree`);
  const cursor = parsed.walk();
  try {
    const hasErrors = parsed.rootNode.hasError;
    return { language: name, text, root: readTree(cursor, language), hasErrors };
  } finally {
    cursor.delete();
    parsed.delete();
  }
}

interface GrowingNode extends SyntaxNode {
  readonly children: GrowingNode[];
}

/** Copies the parser's tree. A loop, not a recursion: a long chain of operators is a deep tree. */
function readTree(cursor: TreeCursor, language: LoadedLanguage): SyntaxNode {
  const root = readNode(cursor, language, null);
  let parent: GrowingNode = root;
  if (!cursor.gotoFirstChild()) return root;
  for (;;) {
    const node = readNode(cursor, language, parent);
    parent.children.push(node);
    if (node.named && cursor.gotoFirstChild()) {
      parent = node;
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent() || parent.parent === null) return root;
      parent = parent.parent as GrowingNode;
    }
  }
}

const errorTypeId = 65535;

function readNode(cursor: TreeCursor, language: LoadedLanguage, parent: GrowingNode | null): GrowingNode {
  const id = cursor.nodeTypeId;
  const start = cursor.startIndex;
  const end = cursor.endIndex;
  const field = parent === null ? 0 : cursor.currentFieldId;
  return {
    type: id === errorTypeId ? "ERROR" : (language.types[id] ?? cursor.nodeType),
    named: id === errorTypeId || (language.isNamed[id] ?? cursor.nodeIsNamed),
    field: field === 0 ? null : (language.fields[field] ?? null),
    start,
    end,
    missing: start === end && cursor.nodeIsMissing,
    parent,
    children: [],
  };
}

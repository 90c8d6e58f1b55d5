import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type GrammarEntry, type Grammars, treeSitterGrammars } from "../../../core/syntax/mod.ts";
import manifest from "../../../grammars/manifest.json" with { type: "json" };

const require = createRequire(import.meta.url);

/**
 * The grammars of `grammars/manifest.json`, read from the installed packages when the first file of a language is parsed.
 * Each call has trees of its own; the parser is started once for the process.
 */
export function nodeGrammars(): Grammars {
  return treeSitterGrammars({
    languages: manifest.languages,
    load: (entry) => readFile(grammarPath(entry)),
    engine: () => readFile(require.resolve("web-tree-sitter/web-tree-sitter.wasm")),
  });
}

function grammarPath(entry: GrammarEntry): string {
  return join(dirname(require.resolve(`${entry.package}/package.json`)), entry.file);
}

/** The port for syntax trees. This module is browser compatible. */
import type { SyntaxTree } from "./tree.ts";

/** Port: parses a file's text. */
export interface Grammars {
  /**
   * The tree of a text, or null where there is no grammar for such a file or the text is too large to parse.
   * Rejects with a `GrammarError` where a grammar that should be there cannot be loaded.
   */
  parse(path: string, text: string): Promise<SyntaxTree | null>;
}

/** One language of `grammars/manifest.json`. */
export interface GrammarEntry {
  readonly language: string;
  readonly package: string;
  /** The WebAssembly file, relative to the package. */
  readonly file: string;
  /** Ends of file names, with the dot. The longest that fits wins. */
  readonly extensions: readonly string[];
  /** Of the WebAssembly file, in lower-case hexadecimal. */
  readonly sha256: string;
}

/**
 * A grammar that cannot be used. `code`: `grammar_missing` (the file cannot be read), `grammar_changed` (it is not the one that the
 * manifest names), `grammar_incompatible` (it was built for another version of the parser).
 */
export class GrammarError extends Error {
  readonly code: "grammar_missing" | "grammar_changed" | "grammar_incompatible";
  readonly language: string;

  constructor(code: GrammarError["code"], language: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "GrammarError";
    this.code = code;
    this.language = language;
  }
}

/** The grammar for a path, by the end of its name. */
export function grammarFor(entries: readonly GrammarEntry[], path: string): GrammarEntry | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  let best: { readonly entry: GrammarEntry; readonly length: number } | undefined;
  for (const entry of entries) {
    for (const extension of entry.extensions) {
      // A name that is only the extension (".js") is a hidden file, not a source file.
      if (name.length > extension.length && name.endsWith(extension) && extension.length > (best?.length ?? 0)) {
        best = { entry, length: extension.length };
      }
    }
  }
  return best?.entry;
}

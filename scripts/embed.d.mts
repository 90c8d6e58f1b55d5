export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One generated module. */
export interface Entry {
  /** The module, relative to the root. */
  readonly target: string;
  /** The files that it holds, relative to the root. Where none exists, the entry is skipped. */
  readonly sources: () => readonly string[];
  /** The module's text below its first line. */
  readonly body: (files: readonly SourceFile[]) => string;
}

export const entries: readonly Entry[];
export function render(entry: Entry): string | null;
export function outdated(): readonly Entry[];

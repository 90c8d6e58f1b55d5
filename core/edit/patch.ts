/** A patch after it was read, before anything is known about the files. This module is browser compatible. */
import type { EditCode } from "./types.ts";

/** One line of a hunk's body. */
export interface HunkLine {
  /** Context, deletion, addition. */
  readonly marker: " " | "-" | "+";
  /** Without its marker and its line feed. */
  readonly text: string;
  /** False where `\ No newline at end of file` follows. */
  hasFeed: boolean;
  /** A blank context line that lost its marker: its text is blank in whatever line ending the file has. */
  readonly isUnmarked?: boolean;
  /** The line in the patch, 1-based. */
  readonly at: number;
}

/** A stretch of lines to be found and changed. */
export interface Hunk {
  /** The line of its header in the patch, 1-based. */
  readonly at: number;
  /** Where its header says that it starts, or null where the header has no numbers. */
  readonly header: { readonly oldStart: number; readonly newStart: number } | null;
  readonly lines: readonly HunkLine[];
  /** The patch claims that the hunk ends where the file ends. */
  atEnd?: boolean;
}

export type RegularMode = "100644" | "100755";

/** What a patch does with one file. */
export interface FilePatch {
  /** The line where its part of the patch begins, 1-based. */
  readonly at: number;
  readonly kind: "add" | "delete" | "modify";
  /** The path, after a rename or copy. */
  readonly path: string;
  readonly origin?: { readonly kind: "rename" | "copy"; readonly path: string };
  /** The mode that the patch says the file has, and the one it gets. */
  readonly oldMode?: RegularMode;
  readonly newMode?: RegularMode;
  /** A deletion that does not show the content (the envelope's `Delete File`). */
  readonly isWholeFile?: boolean;
  readonly hunks: readonly Hunk[];
}

/** A patch that cannot be read. Thrown by the parsers and caught by `parsePatch`. */
export class PatchError extends Error {
  readonly code: EditCode;
  /** 1-based; null where no line is to blame. */
  readonly at: number | null;
  readonly next: string | undefined;

  constructor(at: number | null, message: string, options: { code?: EditCode; next?: string } = {}) {
    super(message);
    this.at = at;
    this.code = options.code ?? "invalid_patch";
    this.next = options.next;
  }
}

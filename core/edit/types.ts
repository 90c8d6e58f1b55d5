/** The contract of the two edit tools. The rules are in docs/errors.md and in the two functions' own docstrings. */
import type { Entry, Objects, Oid, Tree } from "../workspace/mod.ts";

/** The input of `replace_text`. `sha256` is the hash of the whole file as the agent last read it. */
export interface ReplaceTextInput {
  readonly files: readonly {
    readonly path: string;
    readonly sha256: string;
    readonly edits: readonly { readonly old: string; readonly new: string; readonly count?: number }[];
  }[];
}

/** The input of `apply_patch`. `expected_files` names every path that the patch touches: its current SHA-256, or null where the file must not exist. */
export interface ApplyPatchInput {
  readonly patch: string;
  readonly expected_files: { readonly [path: string]: string | null };
}

/** The codes that the edit engine itself gives. */
export type EditCode =
  | "stale_hash"
  | "no_match"
  | "ambiguous_match"
  | "invalid_edit"
  | "invalid_patch"
  | "unsupported_target"
  | "patch_context_mismatch"
  | "apply_failed";

/** The codes that a host gives when the rules, not the text, stop an edit. */
export type HostEditCode =
  | "strategy_required"
  | "write_denied"
  | "approval_required"
  | "frozen_test"
  | "protected_path"
  | "guard_rejected"
  | "edit_mode"
  | "read_denied";

/** A refused edit. Nothing changed. `details` holds at most 2 kB of JSON; `next` says what to do. */
export interface EditFailure<Code extends string = EditCode | HostEditCode> {
  readonly ok: false;
  readonly code: Code;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly next?: string;
}

/** One touched path. A rename or copy is the touch of two paths: `delete` (or none) of the source and `add` of the destination. */
export interface TouchedFile {
  readonly path: string;
  readonly kind: "add" | "delete" | "modify";
  readonly sha256?: string;
}

/** The answer of `replaceText` and `applyPatch`. */
export type EditResult =
  | { readonly ok: true; readonly oid: Oid; readonly touched: readonly TouchedFile[]; readonly patch: string }
  | EditFailure;

/** What an edit is made against. A `Workspace` is one. */
export interface EditSource {
  readonly tree: Tree;
  readonly objects: Objects;
  readonly ignoreCase: boolean;
}

/** A line range of the new text, 1-based, inclusive. An empty range (a pure deletion) has `to` = `from` - 1. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** One file of an edit that was computed but is not current yet. Blobs are already in `objects`. */
export interface EditedFile {
  readonly path: string;
  readonly kind: "add" | "delete" | "modify";
  readonly before: Entry | null;
  readonly after: Entry | null;
  readonly sha256?: string;
  /** The path that this file was renamed or copied from. */
  readonly from?: string;
  readonly ranges: readonly LineRange[];
}

/** An edit that holds in every respect that the text can tell. Making it current is one assignment: the source's tree becomes `tree`. */
export interface EditProposal {
  readonly ok: true;
  readonly tree: Tree;
  readonly files: readonly EditedFile[];
  /** Canonical patch: plain `git apply` of it on the same base gives the same bytes and modes. */
  readonly patch: string;
}

/**
 * Asked for every path, before any content is looked at: may this path be touched at all? A failure ends the transaction.
 * The same function answers for both tools.
 */
export type AllowPath = (touch: {
  readonly path: string;
  /** `read`: the source of a copy, whose content goes elsewhere. */
  readonly kind: "add" | "delete" | "modify" | "read";
}) => EditFailure | null;

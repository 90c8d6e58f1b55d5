/** A policy after it was parsed, validated and merged with its presets. Plain data: it may be stored and compared. */

/** Where a rule stands. Lines and columns are 1-based. */
export interface RuleSource {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

export interface Rule {
  /** A glob, or a named set such as `$tests`, or (in commands) a pattern such as `npx vitest *`. */
  readonly pattern: string;
  readonly source: RuleSource;
}

export interface RuleSet {
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
}

export interface VerifyStep {
  readonly name: string;
  /** One or more commands, run in order. Each is one line, split by shell quoting rules, never run by a shell. */
  readonly run: readonly string[];
  readonly scope?: readonly string[];
  readonly timeoutMs: number;
  readonly maxRounds?: number;
}

export interface Policy {
  readonly version: 1;
  /** Where it came from, and the SHA-256 of the text (presets have their own). */
  readonly source: {
    readonly file: string;
    readonly sha256: string;
    /** Presets and files, the first one at the bottom; the last one is the policy itself. */
    readonly layers: readonly string[];
    /** The SHA-256 of each layer's text, in the order of `layers`. */
    readonly digests?: readonly string[];
  };
  readonly tests: {
    readonly paths: readonly Rule[];
    readonly config: readonly Rule[];
    readonly runner: string;
    readonly command?: string;
    readonly setup?: string;
    readonly build?: string;
    readonly timeoutMs: number;
  };
  readonly spec: { readonly paths: readonly Rule[]; readonly sections: readonly string[] };
  readonly protect: readonly Rule[];
  readonly read: { readonly deny: readonly Rule[] };
  readonly phases: Readonly<Record<string, { readonly write: RuleSet }>>;
  /** A role narrows what a phase may write: its `deny` and `ask` come on top, and where it has an `allow`, that must name the path as well. */
  readonly roles?: Readonly<Record<string, { readonly write: RuleSet }>>;
  readonly commands: RuleSet & { readonly propose: readonly Rule[]; readonly network: readonly Rule[] };
  readonly strategies: { readonly offer: readonly string[] };
  readonly edit: { readonly mode: "replace_first" | "patch_only" };
  readonly guards: readonly string[];
  readonly verify: readonly VerifyStep[];
  readonly maxRounds: number;
  readonly presenters: Readonly<Record<string, string>>;
  readonly plugins: readonly {
    readonly use: string;
    readonly permissions: Readonly<Record<string, unknown>>;
    readonly trust?: string;
  }[];
  readonly isolation: "auto" | "none" | "bwrap";
  readonly policyTests: readonly Readonly<Record<string, unknown>>[];
}

/**
 * What is known about a write beyond its path. What is left out counts as matching the set that would need it, and the answer says so.
 */
export interface WriteFacts {
  /** The edit only adds tests to this file, or the file is new: `$tests.changed` does not match. */
  readonly onlyAddsTests?: boolean;
  /** Whether the path was a test file on the baseline. */
  readonly existedAsTest?: boolean;
  /** Paths that are frozen. */
  readonly frozen?: readonly string[];
  /** The runner's surface: globs and `file#/pointer` keys. */
  readonly surface?: readonly string[];
  /** JSON pointers whose values the edit changes in this file (`/scripts/test`). `["*"]`: the file is new, deleted, or not JSON. */
  readonly changedKeys?: readonly string[];
}

export interface Query {
  readonly phase?: string;
  /** Who works: a key of the policy's `roles`. Left out, it is `coder`. */
  readonly role?: string;
  readonly action: "read" | "write" | "run";
  readonly path?: string;
  /** One line, or an argument list. */
  readonly command?: string | readonly string[];
  readonly facts?: WriteFacts;
  /** Whether the repository's file system folds case. */
  readonly ignoreCase?: boolean;
}

export interface Decision {
  readonly decision: "allow" | "ask" | "deny";
  /**
   * The rule that decided; absent where nothing names the path or command. `file` is the policy's, a preset's (`yada:node`) or
   * `yada:builtin` for what holds whatever a policy says.
   */
  readonly rule?: RuleSource;
  /** One sentence. */
  readonly why: string;
  /** Which rule list decided, for a host that maps it to a code. */
  readonly by?: "protect" | "read" | "frozen" | "config" | "tests_changed" | "phase" | "commands" | "nothing" | "shell";
}

export interface PolicyProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Where in the document: `phases.red.write.allow[0]`. */
  readonly path: string;
  readonly message: string;
  readonly severity?: "error" | "warning";
  /** The offending text: its first line, at most 80 characters. */
  readonly text?: string;
  /** What was probably meant. */
  readonly suggestion?: string;
}

export type LoadedPolicy =
  | { readonly ok: true; readonly policy: Policy; readonly warnings: readonly PolicyProblem[] }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

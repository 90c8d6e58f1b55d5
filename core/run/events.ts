/**
 * The events of a run. The list of them is the run: everything else is derived.
 *
 * An event's body holds no clock reading: the same policy, plugins, baseline and answers of the ports give the same events, byte for byte.
 * Times stand beside the body in the trace (see `trace.ts`).
 */
import type { EditedFile } from "../edit/mod.ts";
import type { Exit, Outcome, TestId } from "../evidence/mod.ts";
import type { ArtifactName, Audience, FileRole, Finding, Message, ToolCall } from "../plugin/mod.ts";
import type { RuleSource } from "../policy/mod.ts";
import type { ToolResult } from "../tools/mod.ts";
import type { FileMode, Oid } from "../workspace/mod.ts";
import type { ApprovalAnswer, ApprovalCard } from "./approval.ts";

export type FinalStatus = "completed" | "failed" | "cancelled" | "unfinished" | "blocked";

/** Why tests ran. `baseline` is the whole suite on the tree as it was opened. */
export type Purpose = "red" | "baseline" | "green" | "regression" | "counterfactual" | "canary";

/** A path that differs from the baseline, with its role under the policy. */
export interface ChangedPath {
  readonly path: string;
  readonly kind: "add" | "delete" | "modify";
  readonly role: FileRole;
  readonly after: Oid | null;
  readonly mode: FileMode | null;
}

/** The command that shows the target, as it was submitted, and what names it: runner, argument list and environment. */
export interface TestCommand {
  readonly argv: readonly string[];
  readonly runner: string;
  /** SHA-256 over the canonical JSON of runner, its version, argv and the host's fixed environment. */
  readonly fingerprint: string;
}

/** One execution of a test command. Report and output are artifacts, named by the SHA-256 of their text. */
export interface TestRun {
  readonly exit: Exit;
  readonly report: string | null;
  readonly output: string;
  readonly tests: number;
  readonly cannotRun?: string;
}

/** Where evidence comes from. */
export interface Origin {
  readonly engine: string;
  readonly runner: string | null;
  readonly isolation: "none" | "bwrap" | "simulated";
  readonly notes: readonly string[];
  readonly from: "host" | "ci" | "page";
}

/** A rule that wants a person to answer before a path is written. */
export interface Ask {
  readonly path: string;
  readonly why: string;
  readonly rule?: RuleSource;
}

export interface GateAnswer {
  readonly name: string;
  readonly holds: boolean;
  readonly code?: string;
  readonly missing?: string;
}

/** What was frozen after a valid red. */
export interface Frozen {
  readonly baseline: Oid;
  readonly target: readonly TestId[];
  readonly command: TestCommand;
  readonly patch: string;
  readonly patchSha: string;
  /** Blob ids of the frozen test files by path. */
  readonly blobs: Readonly<Record<string, Oid>>;
  /** Those of them that do not differ from the baseline: a test that stood there before and was red. */
  readonly unchanged: readonly string[];
  /** Blob ids (or, for `file#/pointer`, the SHA-256 of the value) of the runner surface as it stands. */
  readonly surface: Readonly<Record<string, string>>;
  readonly exit: Exit;
  /** Bounded output of the red run. */
  readonly output: string;
}

export interface Artifact {
  readonly name: ArtifactName;
  readonly text: string;
}

export interface EventData {
  run_started: {
    readonly run: string;
    readonly task: string;
    readonly baseline: Oid;
    readonly policy: { readonly file: string; readonly sha256: string };
    readonly editMode: "replace_first" | "patch_only";
    readonly offered: readonly string[];
    readonly maxRounds: number;
    readonly plugins: readonly { readonly kind: string; readonly name: string; readonly version: string }[];
    readonly notices: readonly string[];
  };
  phase_started: {
    readonly phase: string;
    readonly session: number;
    readonly fresh: boolean;
    readonly brief: readonly Artifact[];
    /** What opens the session (fresh) or, in the same session, nothing: the text is in the answer. */
    readonly messages: readonly Message[];
  };
  model_replied: {
    readonly session: number;
    readonly text: string;
    readonly calls: readonly ToolCall[];
    readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null;
  };
  model_failed: { readonly session: number; readonly message: string };
  tool_answered: { readonly session: number; readonly call: ToolCall };
  snapshot_taken: { readonly snapshot: Oid };
  strategy_selected: { readonly call: ToolCall; readonly strategy: string; readonly reason: string };
  edit_proposed: {
    readonly call: ToolCall;
    readonly tree: Oid;
    readonly files: readonly EditedFile[];
    readonly roles: Readonly<Record<string, FileRole>>;
    readonly patch: string;
    readonly asks: readonly Ask[];
    /** Tests of the baseline that the edit changes, so that regression does not expect them. */
    readonly changedTests: readonly TestId[];
  };
  edit_applied: {
    readonly call: ToolCall;
    readonly tree: Oid;
    readonly changed: readonly ChangedPath[];
    readonly warnings: readonly Finding[];
  };
  edit_rejected: { readonly call: ToolCall; readonly findings: readonly Finding[] };
  command_ran: {
    readonly call: ToolCall;
    readonly argv: readonly string[];
    readonly exit: Exit;
    readonly output: string;
    readonly stray: readonly string[];
    readonly origin: Origin;
    readonly cannotRun?: string;
  };
  red_submitted: {
    readonly call: ToolCall;
    readonly target: readonly TestId[];
    readonly file: string;
    readonly name: string;
    readonly command: TestCommand;
  };
  tests_requested: { readonly call: ToolCall; readonly purposes: readonly ("green" | "regression")[] };
  tests_observed: {
    readonly purpose: Purpose;
    readonly target: readonly TestId[];
    readonly command: TestCommand | null;
    readonly outcome: Outcome;
    readonly runs: readonly TestRun[];
    /** Bounded head and tail of what the last run printed. */
    readonly output: string;
    readonly stray: readonly string[];
    readonly origin: Origin;
    /** Names this failure, whatever its times, addresses and paths; null for a pass. */
    readonly fingerprint: string | null;
  };
  verified: {
    readonly outcome: Outcome;
    readonly steps: readonly {
      readonly step: string;
      readonly status: "passed" | "failed" | "cannot_run";
      readonly output: string;
    }[];
    readonly fingerprint: string | null;
  };
  test_frozen: Frozen;
  gates_answered: { readonly phase: string; readonly gates: readonly GateAnswer[] };
  presented: {
    readonly audience: Audience;
    readonly step: string;
    readonly outcome: Outcome;
    readonly presenter: string;
    readonly text: string;
  };
  finish_requested: { readonly by: "tool" | "stop"; readonly call: ToolCall | null; readonly summary: string };
  finish_refused: {
    readonly call: ToolCall | null;
    readonly missing: readonly GateAnswer[];
    /** The failed observation behind the refusal, where there is one: then it counts as a failed round. */
    readonly outcome: Outcome | null;
    readonly step: string;
    readonly fingerprint: string | null;
  };
  finish_accepted: { readonly summary: string };
  blocked_reported: { readonly call: ToolCall; readonly reason: string; readonly evidence: string };
  approval_requested: { readonly card: ApprovalCard };
  approval_answered: { readonly card: ApprovalCard; readonly answer: ApprovalAnswer };
  restored: { readonly to: Oid };
  written: { readonly paths: readonly string[]; readonly to: string };
  write_refused: {
    readonly code: "disk_changed" | "write_failed";
    readonly message: string;
    readonly paths: readonly string[];
  };
  cancel_requested: { readonly reason: string };
  plugin_failed: { readonly plugin: string; readonly hook: string; readonly message: string };
  run_finished: { readonly status: FinalStatus; readonly outcome: Outcome };
}

export type EventType = keyof EventData;

/** The body of an event before it has its place in the trace. */
export type EventDraft = {
  [T in EventType]: {
    readonly type: T;
    readonly data: EventData[T];
    /** The answer that this event gives to a tool call. */
    readonly answer?: { readonly call: string; readonly result: ToolResult };
  };
}[EventType];

/** An event with its place: its number, the revision that it belongs to, and the hash of the event before it. */
export type RunEvent = EventDraft & {
  readonly seq: number;
  readonly revision: Oid;
  readonly prev: string;
  /** The milestone that this event is, where it is one: `red_started`, `red_observed`, ... See `transitions.ts`. */
  readonly transition?: string;
};

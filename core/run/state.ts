/** The state of a run: what the list of its events amounts to. It is rebuilt by `evolve` and holds no live thing. */
import type { EditedFile } from "../edit/mod.ts";
import type { Outcome, TestId } from "../evidence/mod.ts";
import type { Audience, FileRole, Message, Obtainable, ToolCall } from "../plugin/mod.ts";
import type { Oid } from "../workspace/mod.ts";
import type { ApprovalAnswer, ApprovalCard } from "./approval.ts";
import type { Ask, ChangedPath, FinalStatus, Frozen, GateAnswer, TestCommand, TestRun } from "./events.ts";

/** Where a run stands, for people and for a list of runs. */
export type RunStatus =
  | "queued"
  | "loading_context"
  | "running_llm"
  | "executing_tools"
  | "verifying"
  | "evaluating"
  | "waiting_approval"
  | FinalStatus;

export interface SessionState {
  readonly phase: string;
  readonly messages: readonly Message[];
  /** Replies of the model so far. */
  readonly turns: number;
  /** The last reply called no tool, so the session asks to finish. */
  readonly stopped: boolean;
  /** Replies without a call in a row. */
  readonly stops: number;
}

export interface Proposal {
  readonly call: ToolCall;
  readonly tree: Oid;
  readonly files: readonly EditedFile[];
  readonly roles: Readonly<Record<string, FileRole>>;
  readonly patch: string;
  readonly asks: readonly Ask[];
  readonly changedTests: readonly TestId[];
  readonly approved: boolean;
}

export interface Submission {
  readonly call: ToolCall;
  readonly target: readonly TestId[];
  readonly file: string;
  readonly name: string;
  readonly command: TestCommand;
  readonly revision: Oid;
}

/** Evidence of one kind: the latest observation, and the revision that it belongs to. */
export interface EvidenceEntry {
  readonly revision: Oid;
  readonly outcome: Outcome;
  readonly output: string;
  readonly runs: readonly TestRun[];
  readonly fingerprint: string | null;
}

/** A message that is owed to somebody about an outcome. */
export interface Owed {
  readonly audience: Audience;
  readonly step: string;
  readonly outcome: Outcome;
  /** The call that the message answers, or null: then it opens the next turn. */
  readonly call: ToolCall | null;
}

export interface FinishRequest {
  readonly by: "tool" | "stop";
  readonly call: ToolCall | null;
  readonly summary: string;
  readonly accepted: boolean;
}

export interface RunState {
  readonly seq: number;
  readonly status: RunStatus;
  readonly run: string;
  readonly task: string;
  readonly baseline: Oid;
  readonly revision: Oid;
  readonly editMode: "replace_first" | "patch_only";
  readonly offered: readonly string[];
  readonly strategy: { readonly name: string; readonly reason: string; readonly call: ToolCall } | null;
  /** `select` until a strategy was chosen and its first phase was opened. */
  readonly phase: string;
  readonly sessions: readonly SessionState[];
  /** Calls of the last reply that have no answer yet, in order. */
  readonly pending: readonly ToolCall[];
  readonly proposal: Proposal | null;
  /** Waits for its observation. */
  readonly submission: Submission | null;
  /** The submission behind the valid red. */
  readonly accepted: Submission | null;
  readonly snapshot: Oid | null;
  /** An edit was applied or a command ran. */
  readonly sideEffects: boolean;
  /** Submissions that ran, by phase. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly changed: readonly ChangedPath[];
  /** Tests of the baseline that approved edits changed. */
  readonly changedTests: readonly TestId[];
  readonly red: EvidenceEntry | null;
  readonly frozen: Frozen | null;
  readonly evidence: { readonly [kind in Obtainable]?: EvidenceEntry };
  readonly baselineRun: EvidenceEntry | null;
  /** Gates of the current phase, as they were last answered at this revision. */
  readonly gates: readonly GateAnswer[] | null;
  /** Test runs that a call of `run_tests` still waits for. */
  readonly requested: { readonly call: ToolCall; readonly purposes: readonly ("green" | "regression")[] } | null;
  readonly owed: readonly Owed[];
  readonly finish: FinishRequest | null;
  readonly blocked: { readonly reason: string; readonly evidence: string } | null;
  /** Failed verifications of a finish, and the fingerprint of the last. */
  readonly rounds: number;
  readonly lastFailure: string | null;
  readonly maxRounds: number;
  /** What a person was asked and has not answered. */
  readonly waiting: ApprovalCard | null;
  /** An outcome that goes to a person before anything else happens, and the step that it came from. */
  readonly escalated: Outcome | null;
  readonly escalatedStep: string;
  /** The call that is answered once a person has settled the escalation. */
  readonly heldCall: ToolCall | null;
  /** The last verdict that was given to the agent and is still unresolved (it decides how a stopped run ends). */
  readonly unresolved: Outcome | null;
  /** Calls whose `ask` a person accepted. */
  readonly approvedCalls: readonly string[];
  /** A person accepted the work as it stands. */
  readonly acceptedBy: ApprovalAnswer | null;
  readonly abortedBy: ApprovalAnswer | null;
  readonly restored: boolean;
  readonly written: readonly string[] | null;
  readonly cancelled: string | null;
  readonly failure: { readonly classification: "model_failed" | "plugin_failed"; readonly message: string } | null;
  readonly final: { readonly status: FinalStatus; readonly outcome: Outcome } | null;
  /** The first event that did not fit the state it met. Nothing after it is believed. */
  readonly fault: { readonly code: "invalid_transition"; readonly seq: number; readonly message: string } | null;
}

/** The state before the first event. */
export const INITIAL: RunState = {
  seq: 0,
  status: "queued",
  run: "",
  task: "",
  baseline: "",
  revision: "",
  editMode: "replace_first",
  offered: [],
  strategy: null,
  phase: "select",
  sessions: [],
  pending: [],
  proposal: null,
  submission: null,
  accepted: null,
  snapshot: null,
  sideEffects: false,
  attempts: {},
  changed: [],
  changedTests: [],
  red: null,
  frozen: null,
  evidence: {},
  baselineRun: null,
  gates: null,
  requested: null,
  owed: [],
  finish: null,
  blocked: null,
  rounds: 0,
  lastFailure: null,
  maxRounds: 3,
  waiting: null,
  escalated: null,
  escalatedStep: "",
  heldCall: null,
  unresolved: null,
  approvedCalls: [],
  acceptedBy: null,
  abortedBy: null,
  restored: false,
  written: null,
  cancelled: null,
  failure: null,
  final: null,
  fault: null,
};

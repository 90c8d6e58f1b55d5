/**
 * The six contracts of a plugin. Everything that can be swapped goes through one of them; the kernel knows no plugin by name.
 * What a plugin decides is a pure function of JSON values, except a model, which speaks to the world.
 */
import type { Failure, Outcome, ReportProblem, TestId, TestReport, Verdict } from "../evidence/mod.ts";
import type { Json } from "../hash/mod.ts";
import type { Change, FileMode, Oid } from "../workspace/mod.ts";

// ---------------------------------------------------------------- strategy

/** What a fresh session may be told, by name. Nothing else crosses from one session to the next. */
export type ArtifactName =
  | "task"
  | "baseline"
  | "frozen_patch"
  | "test_identity"
  | "red_command"
  | "red_output"
  | "criteria"
  | "plan";

/** What the host can be told to find out by itself when a gate lacks it. */
export type Obtainable = "green" | "regression" | "counterfactual" | "canary" | "verification";

/** What gates see: recorded facts about the run, derived from its events and nothing else. */
export interface Facts {
  readonly phase: string;
  readonly revision: Oid;
  readonly baseline: Oid;
  readonly sideEffects: boolean;
  readonly changed: readonly { readonly path: string; readonly role: FileRole }[];
  readonly frozen: { readonly target: readonly TestId[]; readonly intact: boolean; readonly patchSha: string } | null;
  readonly red: { readonly outcome: Outcome } | null;
  /** The latest observation of each kind. `fresh` says that it belongs to the current revision (for the counterfactual: to the current frozen tests and revision). */
  readonly evidence: {
    readonly [purpose in Obtainable]?: { readonly fresh: boolean; readonly outcome: Outcome; readonly revision: Oid };
  };
}

/** A pure predicate. `missing` is one sentence that says which evidence is missing and how it is got. */
export interface Gate {
  readonly name: string;
  /** Evidence that this gate needs. `byHost`: the host gathers it when all other gates hold; otherwise the agent has to ask for it (`run_tests`). */
  readonly needs?: { readonly evidence: Obtainable; readonly byHost: boolean };
  holds(facts: Facts): true | { readonly code: string; readonly missing: string };
}

export interface Phase {
  /** Its write scope is `policy.phases[name]`. */
  readonly name: string;
  readonly session: "same" | "fresh";
  readonly brief?: readonly ArtifactName[];
  /** Tools that this phase refuses, with the code of the refusal. */
  readonly refuses?: { readonly [tool: string]: string };
  /** What a submission of this phase is expected to show. */
  readonly submit?: "red";
  /** All must hold before the phase is left (the last phase: before `finish_task` is accepted). */
  readonly leave: readonly Gate[];
  readonly onLeave?: readonly "freeze_tests"[];
  /** Submissions that ran; then the run is unfinished. Default 3. */
  readonly attempts?: number;
}

export interface Strategy {
  readonly kind: "strategy";
  readonly name: string;
  readonly version: string;
  /** Read by the agent when it chooses. */
  readonly summary: string;
  readonly phases: readonly Phase[];
}

// ---------------------------------------------------------------- presenter

export type Audience = "agent" | "orchestrator" | "user";

export interface PresenterPayload {
  readonly verdict: Verdict;
  readonly step: string;
  readonly classification: string;
  readonly passed_steps: readonly string[];
  /** What the host saw: reasons first, then bounded output. */
  readonly output: string;
}

/** Writes the one message for one outcome and one audience. The most specific `for` wins. */
export interface Presenter {
  readonly kind: "presenter";
  readonly name: string;
  readonly version: string;
  readonly for: {
    readonly audience: Audience;
    readonly verdict: Verdict;
    readonly classification?: string;
    readonly step?: string;
  };
  present(payload: PresenterPayload): string;
}

// ---------------------------------------------------------------- guard

/** `mixed`: production code and tests in one file. `config`: the runner surface. `protected`: written by no one. */
export type FileRole = "production" | "test" | "mixed" | "config" | "spec" | "protected";

export interface ProposedFile {
  readonly path: string;
  readonly role: FileRole;
  readonly kind: "add" | "delete" | "modify";
  /** Text at the baseline of the run, before this edit, and after it. Null: no such file, or not text. */
  readonly baseline: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly afterMode?: FileMode;
  /** Lines of the new text that the edit wrote, 1-based, inclusive. */
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
}

export interface ProposedEdit {
  readonly phase: string;
  readonly tool: string;
  readonly files: readonly ProposedFile[];
  /** All paths of the tree before the edit, in git's order. */
  readonly paths?: readonly string[];
}

/** An `error` rejects the edit; a `warning` is told to the agent. Lines and columns are 1-based. */
export interface Finding {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
  readonly excerpt?: { readonly before: string; readonly after: string };
}

export interface Guard {
  readonly kind: "guard";
  readonly name: string;
  readonly version: string;
  /** Cheap ones go first. */
  readonly cost: "cheap" | "parse" | "slow";
  inspect(edit: ProposedEdit): readonly Finding[] | Promise<readonly Finding[]>;
}

// ---------------------------------------------------------------- verifier

/** Host functions that a plugin gets only where the policy grants them. */
export interface Grants {
  run?(argv: readonly string[], options?: { timeoutMs?: number }): Promise<CommandOutput>;
  read?(path: string): Promise<string>;
}

/** What a command left: bounded text and how it ended. */
export interface CommandOutput {
  readonly exit: { readonly code: number | null; readonly signal: string | null; readonly timedOut: boolean };
  readonly output: string;
  /** Why the command could not be started, where it could not. */
  readonly cannotRun?: string;
}

export interface Verification {
  readonly status: "passed" | "failed" | "cannot_run";
  readonly step: string;
  readonly output: string;
  readonly fingerprint?: string;
  readonly findings: readonly Finding[];
}

export interface Verifier {
  readonly kind: "verifier";
  readonly name: string;
  readonly version: string;
  verify(
    input: { readonly revision: Oid; readonly baseline: Oid; readonly changed: readonly Change[] },
    grants: Grants,
  ): Promise<Verification>;
}

// ---------------------------------------------------------------- runner

/** A read-only look at the tree. */
export interface FileView {
  list(glob?: string): readonly string[];
  /** The text at a path, or null where there is none or it is not UTF-8. */
  text(path: string): Promise<string | null>;
}

export interface TestName {
  readonly file: string;
  /** Titles from the outermost group inwards, joined by " > ". */
  readonly name: string;
}

/**
 * A command made ready to report. In `argv` and in the values of `env`, `{report}` stands for the file where the report goes (new and
 * unguessable for each run, outside the lane) and `{support}` for the read-only folder that holds `files`.
 */
export interface Prepared {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  /** `stdout`: the only machine report of this runner is its standard output. */
  readonly report: "file" | "stdout";
}

/** Tests that must be reported as failing, added to the text of an existing test file. */
export interface Canary {
  readonly path: string;
  readonly text: string;
  /** Names (titles joined by " > ") of the added tests. */
  readonly names: readonly string[];
}

/** An adapter that makes a test framework write a report and parses it. */
export interface Runner {
  readonly kind: "runner";
  readonly name: string;
  readonly version: string;
  /** Whether the files speak for this runner. */
  detect(files: FileView): Promise<boolean>;
  /** The command that runs all tests where the policy names none. */
  readonly defaultCommand: readonly string[];
  /** Whether this argument list, as far as the adapter can read it, starts this runner. */
  recognises(argv: readonly string[]): boolean;
  /**
   * Rewrites a command that only names a script (`npm test`) into the command that the script runs.
   * `null` where the adapter cannot tell, with the reason as one sentence.
   */
  resolve(argv: readonly string[], files: FileView): Promise<{ argv: readonly string[] } | { why: string }>;
  /** Makes the command write its report. `nonce` is copied into the report, which is refused without it. */
  prepare(argv: readonly string[], options: { readonly nonce: string }): Prepared;
  /** Limits the command to the files of these tests. */
  select(argv: readonly string[], files: readonly string[]): readonly string[];
  /** Never throws: text that is no report gives `{ whole: false, tests: [], problems: [...] }`. `root` is the lane's directory, which is cut from paths. */
  parse(
    text: string,
    options?: { readonly nonce?: string; readonly root?: string; readonly isTest?: (path: string) => boolean },
  ): TestReport;
  /** Globs, and keys of JSON files as `file#/json/pointer`, of what can change what is collected or how it is judged. */
  readonly surface: readonly string[];
  /** What the files of this repository add to the surface: set-up files that a configuration names. */
  surfaceOf?(files: FileView): Promise<readonly string[]>;
  /** Null where this file cannot take a canary. `seed` makes the names unguessable and keeps them the same for the same run. */
  canary(test: TestName, source: string, seed: string): Canary | null;
}

// ---------------------------------------------------------------- model

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly input: { readonly [key: string]: Json };
}

export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
}

export type Message =
  | { readonly role: "system" | "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly call: string; readonly tool: string; readonly result: Json };

export interface ModelRequest {
  /** 0 for the first session of a run, 1 for the next, and so on. */
  readonly session: number;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly signal?: AbortSignal;
}

export type ModelEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: ToolCall }
  | { readonly kind: "usage"; readonly inputTokens: number; readonly outputTokens: number };

export interface Model {
  readonly kind: "model";
  readonly name: string;
  readonly version: string;
  respond(request: ModelRequest): AsyncIterable<ModelEvent>;
}

export type Plugin = Strategy | Presenter | Guard | Verifier | Runner | Model;
export type PluginKind = Plugin["kind"];
export type { Failure, ReportProblem };

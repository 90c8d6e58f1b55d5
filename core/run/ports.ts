/** The ports of the kernel: everything that touches a clock, a disk, a process or a person. Each has one or two methods. */
import type { Exit } from "../evidence/mod.ts";
import type { Change, Objects, Tree } from "../workspace/mod.ts";
import type { ApprovalAnswer, ApprovalCard } from "./approval.ts";
import type { RunEvent } from "./events.ts";

/** A command to run over a revision. */
export interface CommandRequest {
  readonly tree: Tree;
  readonly objects: Objects;
  /**
   * Never passed through a shell. `{report}` and `{support}` in the words and in the values of `env` are replaced by the host
   * with the report file and the folder that holds `files`.
   */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly report: "none" | "file" | "stdout";
  readonly timeoutMs: number;
  readonly network: boolean;
  /** `evidence`: the lane is reset first, so that it equals the revision, ignored paths included. `command`: it only follows the revision. */
  readonly purpose: "evidence" | "command";
  readonly signal?: AbortSignal;
}

export interface CommandResult {
  readonly exit: Exit;
  /** Standard output and error, a bounded head and tail with a line between them that says what was cut. */
  readonly output: string;
  /** The text of the report, or null where the command left none. */
  readonly report: string | null;
  /** The lane's directory, which reports name and which is cut from paths. */
  readonly root: string;
  readonly durationMs: number;
  /** What kept the command apart from the machine, and what did not: sentences for the trace. */
  readonly isolation: { readonly engine: "none" | "bwrap" | "simulated"; readonly notes: readonly string[] };
  /** Tracked or unignored files that the command changed in the lane. They never become part of the revision. */
  readonly stray: readonly Change[];
  /** Why the command could not be started or its lane not be made: a fault of the environment. */
  readonly cannotRun?: string;
}

/** Port: runs an argument list over a revision. Rejects only where the host itself is broken. */
export interface Commands {
  run(request: CommandRequest): Promise<CommandResult>;
}

/** Port: a person. `null` says that nobody can answer now: the run is suspended. */
export interface Approver {
  ask(card: ApprovalCard): Promise<ApprovalAnswer | null>;
}

/** Port: keeps the trace. The event counts as having happened once `append` resolved. */
export interface TraceSink {
  append(event: RunEvent): Promise<void>;
}

/** Port: milliseconds since the epoch, and nothing that a decision depends on. */
export interface Clock {
  now(): number;
}

/** Port: names that nobody can guess: run ids, report nonces, canary seeds. */
export interface Ids {
  next(kind: "run" | "nonce" | "seed"): string;
}

export type WriteBackResult =
  | { readonly ok: true; readonly written: readonly string[]; readonly to: string }
  | {
      readonly ok: false;
      readonly code: "disk_changed" | "write_failed";
      readonly message: string;
      readonly paths: readonly string[];
    };

/** Port: where the final tree goes. All or nothing. */
export interface WriteBack {
  write(change: {
    readonly run: string;
    readonly baseline: Tree;
    readonly final: Tree;
    readonly changes: readonly Change[];
    readonly objects: Objects;
  }): Promise<WriteBackResult>;
}

/** Port: texts too long for the trace (full reports, whole outputs), by the SHA-256 of their text. */
export interface Artifacts {
  put(text: string): Promise<string>;
  get(sha256: string): Promise<string | null>;
}

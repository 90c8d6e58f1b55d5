/** What the kernel does next, as data. One instruction leads to one event. */
import type { Outcome, TestId } from "../evidence/mod.ts";
import type { ArtifactName, Audience, ToolCall } from "../plugin/mod.ts";
import type { ToolResult } from "../tools/mod.ts";
import type { Oid } from "../workspace/mod.ts";
import type { ApprovalCard } from "./approval.ts";
import type { FinalStatus, Purpose } from "./events.ts";

export type Instruction =
  /** The first session, or a phase: in the same session, or in a fresh one that gets exactly these artifacts. */
  | {
      readonly kind: "open_phase";
      readonly phase: string;
      readonly session: "same" | "fresh";
      readonly brief: readonly ArtifactName[];
    }
  | { readonly kind: "call_model"; readonly session: number }
  | { readonly kind: "call_tool"; readonly call: ToolCall }
  /** Answers a call without running it: a refusal, or the answer of a move whose result is known. */
  | { readonly kind: "answer"; readonly call: ToolCall; readonly result: ToolResult }
  | { readonly kind: "take_snapshot" }
  /** Guards look at the proposed edit. */
  | { readonly kind: "inspect" }
  | { readonly kind: "ask_gates"; readonly phase: string; readonly gates: readonly string[] }
  | {
      readonly kind: "present";
      readonly audience: Audience;
      readonly step: string;
      readonly outcome: Outcome;
      readonly call: ToolCall | null;
    }
  | {
      readonly kind: "run_tests";
      readonly purpose: Purpose;
      readonly expect: "red" | "green";
      readonly revision: Oid;
      readonly target: readonly TestId[];
      readonly repeat: number;
    }
  | { readonly kind: "verify"; readonly revision: Oid }
  | { readonly kind: "freeze" }
  | { readonly kind: "ask_person"; readonly card: ApprovalCard }
  /** The session stopped calling tools. */
  | { readonly kind: "request_finish" }
  | { readonly kind: "refuse_finish" }
  | { readonly kind: "accept_finish" }
  | { readonly kind: "restore"; readonly to: Oid }
  | { readonly kind: "write_back"; readonly revision: Oid }
  /** Nothing is left to do. */
  | { readonly kind: "done" }
  | { readonly kind: "finish"; readonly status: FinalStatus; readonly outcome: Outcome };

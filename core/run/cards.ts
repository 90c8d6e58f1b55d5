/** What a person is asked. Each card says what, why and by which rule. */
import type { Outcome } from "../evidence/mod.ts";
import type { ApprovalCard } from "./approval.ts";
import type { Proposal } from "./state.ts";

const MAX_DIFF = 20_000;

/** An edit that a rule wants a person to see. */
export function cardForEdit(proposal: Proposal): ApprovalCard {
  const first = proposal.asks[0];
  const paths = proposal.asks.map((ask) => ask.path);
  return {
    kind: "edit",
    what: `${proposal.call.tool} changes ${paths.join(", ")}`,
    why: first?.why ?? "a rule asks",
    ...(first?.rule === undefined ? {} : { rule: first.rule }),
    diff: bounded(proposal.patch),
    answers: ["accept", "deny", "abort"],
  };
}

/** A command that a rule wants a person to see. */
export function cardForCommand(command: string, why: string, rule: ApprovalCard["rule"]): ApprovalCard {
  return {
    kind: "command",
    what: `run_command: ${command}`,
    why,
    ...(rule === undefined ? {} : { rule }),
    answers: ["accept", "deny", "abort"],
  };
}

/** An outcome that a person has to settle. A write that the disk refused can be tried again or given up, but not accepted. */
export function cardForOutcome(outcome: Outcome, step: string): ApprovalCard {
  const write = step === "write";
  return {
    kind: write ? "write" : "verification",
    what: `${step}: ${outcome.classification}`,
    why: outcome.reasons.join(" ") || outcome.classification,
    answers: write ? ["retry", "abort"] : ["accept", "retry", "abort"],
  };
}

function bounded(text: string): string {
  return text.length <= MAX_DIFF ? text : `${text.slice(0, MAX_DIFF)}\n[${text.length - MAX_DIFF} characters cut]\n`;
}

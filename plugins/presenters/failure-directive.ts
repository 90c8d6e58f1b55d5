/** Where a person reads on: the section of docs/escalation-procedure.md that belongs to a reason. The causes stand only in that document. */
import { OUTCOMES } from "../../core/evidence/mod.ts";

const PAGE = "docs/escalation-procedure.md";

/** The directive for a reason such as `green_report_nonzero_exit: every test passed`; the general one without a reason, or with an unknown one. */
export function failureDirective(reason?: string): string {
  const [prefix = ""] = (reason ?? "").split(":");
  const row = Object.hasOwn(OUTCOMES, prefix) ? OUTCOMES[prefix as keyof typeof OUTCOMES] : undefined;
  if (row?.verdict !== "escalate")
    return `The run waits for a person: accept, retry or abort. ${PAGE} says how to decide.`;
  return `The run waits for a person: accept, retry or abort. See ${PAGE}#${prefix} for the known causes and what to do.`;
}

/** The verification of the policy: its own steps over the revision, or, where it names none, the regression run that stands for them. */
import picomatch from "picomatch";
import { type Classification, fingerprint, OUTCOMES, type Outcome } from "../../evidence/mod.ts";
import { parseCommand, type VerifyStep } from "../../policy/mod.ts";
import { type Engine, treeOf } from "../engine.ts";
import type { EventData, EventDraft } from "../events.ts";
import { boundOutput, runCommand } from "../observe.ts";

type StepResult = EventData["verified"]["steps"][number];

/** The event `verified`. The first step that does not pass ends the verification. */
export async function performVerify(engine: Engine): Promise<EventDraft> {
  const { policy, state } = engine;
  if (policy.verify.length === 0) return standIn(engine);
  const steps: StepResult[] = [];
  for (const step of policy.verify) {
    if (
      !concerns(
        step,
        state.changed.map(({ path }) => path),
      )
    )
      continue;
    const result = await runStep(engine, step);
    steps.push(result);
    if (result.status !== "passed") break;
  }
  const bad = steps.find(({ status }) => status !== "passed");
  const outcome =
    bad === undefined
      ? outcomeOf("verified", `${steps.length} verification steps passed.`)
      : outcomeOf(
          bad.status === "failed" ? "verification_failed" : "cannot_run",
          `${bad.step}: ${firstLine(bad.output)}`,
        );
  return verifiedDraft(outcome, steps);
}

/** `decide` has had the regression run first, so its outcome is known. */
function standIn(engine: Engine): EventDraft {
  const entry = engine.state.evidence.regression;
  if (entry === undefined)
    return verifiedDraft(
      outcomeOf("cannot_run", "The policy names no verification, and there is no test command."),
      [],
    );
  const { outcome } = entry;
  const status = outcome.verdict === "pass" ? "passed" : "failed";
  const step: StepResult = { step: "tests", status, output: entry.output };
  return verifiedDraft(outcome.verdict === "pass" ? outcomeOf("verified", ...outcome.reasons) : outcome, [step]);
}

function verifiedDraft(outcome: Outcome, steps: readonly StepResult[]): EventDraft {
  const bad = steps.find(({ status }) => status !== "passed");
  const print =
    outcome.verdict === "pass"
      ? null
      : fingerprint(`${outcome.classification}\n${bad?.step ?? ""}\n${bad?.output ?? ""}`);
  return { type: "verified", data: { outcome, steps, fingerprint: print } };
}

function concerns(step: VerifyStep, changed: readonly string[]): boolean {
  if (step.scope === undefined || step.scope.length === 0) return true;
  const matches = picomatch([...step.scope], { dot: true });
  return changed.some((path) => matches(path));
}

async function runStep(engine: Engine, step: VerifyStep): Promise<StepResult> {
  const name = `verify:${step.name}`;
  for (const line of step.run) {
    const parsed = parseCommand(line);
    if (!parsed.ok) return { step: name, status: "cannot_run", output: `${line}: ${parsed.message}` };
    const { exit, output, cannotRun } = await runCommand(engine, {
      tree: treeOf(engine, engine.state.revision),
      argv: parsed.argv,
      env: {},
      files: {},
      report: "none",
      timeoutMs: step.timeoutMs,
      network: false,
      purpose: "evidence",
    });
    if (cannotRun !== undefined) return { step: name, status: "cannot_run", output: `${line}: ${cannotRun}` };
    if (exit.timedOut)
      return {
        step: name,
        status: "cannot_run",
        output: `${line} was ended after ${step.timeoutMs} ms.\n${boundOutput(output)}`,
      };
    if (exit.code !== 0)
      return {
        step: name,
        status: "failed",
        output: `${line} ended with ${exit.code ?? exit.signal}.\n${boundOutput(output)}`,
      };
  }
  return { step: name, status: "passed", output: "" };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function outcomeOf(classification: Classification, ...reasons: string[]): Outcome {
  return { verdict: OUTCOMES[classification].verdict, classification, reasons };
}

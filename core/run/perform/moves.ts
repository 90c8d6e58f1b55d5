/** The moves of a run: what the agent asks for beyond reading and editing. */
import { testId } from "../../evidence/mod.ts";
import type { ToolCall } from "../../plugin/mod.ts";
import { commandGrants, explain, isTestPath, parseCommand } from "../../policy/mod.ts";
import type {
  FinishTaskInput,
  ReportBlockedInput,
  RunCommandInput,
  RunTestsInput,
  SelectStrategyInput,
  SubmitRedTestInput,
} from "../../tools/mod.ts";
import { normalizePath } from "../../workspace/mod.ts";
import type { ApprovalCard } from "../approval.ts";
import { cardForCommand } from "../cards.ts";
import { nextSteps } from "../decide-call.ts";
import { type Engine, treeOf } from "../engine.ts";
import type { EventDraft } from "../events.ts";
import { isFresh } from "../evolve.ts";
import { testCommand } from "../fingerprint-command.ts";
import { boundOutput, originOf, runCommand } from "../observe.ts";
import { planFiles } from "../test-plan.ts";
import { refuseDraft } from "./draft.ts";

/** Chooses the strategy. The answer comes with the first phase. */
export function selectStrategy(_engine: Engine, call: ToolCall): EventDraft {
  const { strategy, reason } = call.input as unknown as SelectStrategyInput;
  return { type: "strategy_selected", data: { call, strategy, reason } };
}

/** Names the red test. Refused before it runs where it is no test file of the current tree, or where its command may not run. */
export async function submitRedTest(engine: Engine, call: ToolCall): Promise<EventDraft> {
  const { state, policy, workspace } = engine;
  const { file, name, command } = call.input as unknown as SubmitRedTestInput;
  const refuse = (code: string, message: string, next: readonly string[] = nextSteps(state, engine.catalog)) =>
    refuseDraft(state, call, { code, message, details: { file, name }, next });
  const normal = normalizePath(file);
  if (!normal.ok) return refuse(normal.code, normal.message);
  const { path } = normal;
  const tree = treeOf(engine, state.revision);
  if (tree.entry(path) === undefined)
    return refuse("not_found", `There is no file ${path} in the working tree: write the test first.`);
  if (!isTestPath(policy, path, workspace.ignoreCase))
    return refuse(
      "not_a_test",
      `${path} is no test file under the policy's tests.paths: ${policy.tests.paths.map(({ pattern }) => pattern).join(", ")}.`,
    );
  const production = state.changed.filter(({ role }) => role !== "test");
  if (production.length > 0)
    return refuse(
      "write_denied",
      `Only tests may differ from the baseline in red: ${production.map((change) => change.path).join(", ")}.`,
    );
  if (command !== undefined) {
    const decision = explain(policy, { action: "run", phase: state.phase, command });
    if (decision.decision !== "allow")
      return refuse("command_denied", `The command ${JSON.stringify(command)} may not run: ${decision.why}`);
  }
  const plan = await planFiles(engine, tree, [path], name, command);
  if (!plan.ok) return refuse(plan.code, `${plan.message} ${plan.next}`);
  return {
    type: "red_submitted",
    data: { call, target: [testId(path, name)], file: path, name, command: testCommand(plan.argv, plan.runner) },
  };
}

/** Asks for green and regression evidence. Regression counts only on a revision whose target is green, so that one comes first. */
export function requestTests(engine: Engine, call: ToolCall): EventDraft {
  const { scope } = call.input as unknown as RunTestsInput;
  const { state } = engine;
  if (state.frozen === null) return { type: "tests_requested", data: { call, purposes: ["regression"] } };
  const { green } = state.evidence;
  const greenStands = isFresh(state, green) && green.outcome.verdict === "pass";
  const purposes =
    scope === "target"
      ? (["green"] as const)
      : scope === "regression" && greenStands
        ? (["regression"] as const)
        : (["green", "regression"] as const);
  return { type: "tests_requested", data: { call, purposes } };
}

/** Runs a command that the policy allows, in a lane. What it changes there is reported and thrown away. */
export async function performCommand(engine: Engine, call: ToolCall): Promise<EventDraft | ApprovalCard> {
  const { state, policy } = engine;
  const { command } = call.input as unknown as RunCommandInput;
  const decision = explain(policy, { action: "run", phase: state.phase, command });
  const approved = state.approvedCalls.includes(call.id);
  if (decision.decision === "ask" && !approved) return cardForCommand(command, decision.why, decision.rule);
  const parsed = parseCommand(command);
  if (decision.decision === "deny" || !parsed.ok) {
    const rule = decision.rule === undefined ? null : { ...decision.rule };
    const message = parsed.ok ? decision.why : parsed.message;
    return refuseDraft(state, call, {
      code: "command_denied",
      message: `${command}: ${message}`,
      details: { rule },
      next: ["run_tests", "replace_text", "apply_patch"],
    });
  }
  const result = await runCommand(engine, {
    tree: treeOf(engine, state.revision),
    argv: parsed.argv,
    env: {},
    files: {},
    report: "none",
    timeoutMs: policy.tests.timeoutMs,
    network: commandGrants(policy, parsed.argv).network,
    purpose: "command",
  });
  const stray = result.stray.map(({ path }) => path);
  const output = boundOutput(result.output);
  const { cannotRun } = result;
  return {
    type: "command_ran",
    data: {
      call,
      argv: parsed.argv,
      exit: result.exit,
      output,
      stray: stray.slice(0, 100),
      origin: originOf(result, null),
      ...(cannotRun === undefined ? {} : { cannotRun }),
    },
    answer: {
      call: call.id,
      result:
        cannotRun === undefined
          ? {
              ok: true,
              exit: { ...result.exit },
              output,
              ...(stray.length > 0
                ? {
                    stray: stray.slice(0, 100),
                    note: "The command changed these files in its lane. Such changes are thrown away: edit with replace_text or apply_patch.",
                  }
                : {}),
            }
          : { ok: false, code: "cannot_run", message: cannotRun, details: {}, next: nextSteps(state, engine.catalog) },
    },
  };
}

export function reportBlocked(_engine: Engine, call: ToolCall): EventDraft {
  const { reason, evidence } = call.input as unknown as ReportBlockedInput;
  return {
    type: "blocked_reported",
    data: { call, reason, evidence: evidence ?? "" },
    answer: { call: call.id, result: { ok: true, message: "The run ends as blocked. Nothing is written." } },
  };
}

export function requestFinish(_engine: Engine, call: ToolCall): EventDraft {
  const { summary } = call.input as unknown as FinishTaskInput;
  return { type: "finish_requested", data: { by: "tool", call, summary } };
}

/** `run_tests`: the host runs tests over a tree of its own choosing, and classifies what the report says. */
import {
  type Classification,
  classify,
  classifyCanary,
  classifyCounterfactual,
  combineRepeats,
  fingerprint,
  OUTCOMES,
  type Outcome,
  type TestReport,
} from "../../evidence/mod.ts";
import type { Runner } from "../../plugin/mod.ts";
import type { Entry, Tree } from "../../workspace/mod.ts";
import { type Engine, textAt, treeOf } from "../engine.ts";
import type { EventDraft, Origin, Purpose, TestCommand } from "../events.ts";
import { testCommand } from "../fingerprint-command.ts";
import type { Instruction } from "../instructions.ts";
import { type Execution, execute } from "../observe.ts";
import { planSuite } from "../test-plan.ts";

type RunTests = Extract<Instruction, { kind: "run_tests" }>;

interface Observation {
  readonly outcome: Outcome;
  readonly command: TestCommand | null;
  readonly executions: readonly Execution[];
}

/** The event `tests_observed`. */
export async function performRunTests(engine: Engine, instruction: RunTests): Promise<EventDraft> {
  const { outcome, command, executions } = await OBSERVERS[instruction.purpose](engine, instruction);
  const last = executions.at(-1);
  const failed = outcome.verdict !== "pass";
  return {
    type: "tests_observed",
    data: {
      purpose: instruction.purpose,
      target: instruction.target,
      command,
      outcome,
      runs: executions.map(({ run }) => run),
      output: last?.output ?? "",
      stray: last?.result.stray.map(({ path }) => path).slice(0, 50) ?? [],
      origin: last?.origin ?? NO_ORIGIN,
      fingerprint: failed ? fingerprint([outcome.classification, ...outcome.reasons].join("\n")) : null,
    },
  };
}

const NO_ORIGIN: Origin = { engine: "yada", runner: null, isolation: "none", notes: [], from: "host" };

type Observer = (engine: Engine, instruction: RunTests) => Promise<Observation>;

const OBSERVERS: { readonly [P in Purpose]: Observer } = {
  red: async (engine, { target, repeat, revision }) => {
    const command = engine.state.submission?.command;
    if (command === undefined) return cannot("No test was submitted.");
    const tree = treeOf(engine, revision);
    const executions: Execution[] = [];
    const outcomes: Outcome[] = [];
    for (let round = 0; round < repeat; round += 1) {
      const execution = await executeCommand(engine, command, tree);
      executions.push(execution);
      const outcome = classifyRun(execution, "red", target);
      outcomes.push(outcome);
      // A red that is not valid needs no second look: only a valid one could be luck.
      if (outcome.verdict !== "pass") break;
    }
    return {
      outcome: combineRepeats(outcomes),
      command,
      executions,
    };
  },

  baseline: async (engine, { revision }) => {
    const tree = treeOf(engine, revision);
    const plan = await planSuite(engine, tree);
    if (!plan.ok) return cannot(`${plan.message} ${plan.next}`);
    const execution = await execute(engine, plan.runner, plan.argv, tree);
    return {
      outcome: baselineOutcome(execution),
      command: testCommand(plan.argv, plan.runner),
      executions: [execution],
    };
  },

  green: async (engine, { target, revision }) => {
    const command = engine.state.frozen?.command;
    if (command === undefined) return cannot("No test is frozen.");
    const execution = await executeCommand(engine, command, treeOf(engine, revision));
    return { outcome: classifyRun(execution, "green", target), command, executions: [execution] };
  },

  regression: async (engine, { target, revision }) => {
    const tree = treeOf(engine, revision);
    const plan = await planSuite(engine, tree);
    if (!plan.ok) return cannot(`${plan.message} ${plan.next}`);
    const execution = await execute(engine, plan.runner, plan.argv, tree);
    const baseline = await baselineReport(engine);
    const outcome = classify({
      expect: "green",
      scope: "regression",
      target,
      report: execution.report,
      exit: execution.result.exit,
      ...(baseline === null ? {} : { baseline }),
      allowedChanges: engine.state.changedTests,
      ...reasonNotToRun(execution),
    });
    return { outcome, command: testCommand(plan.argv, plan.runner), executions: [execution] };
  },

  counterfactual: async (engine, { target, revision }) => {
    const command = engine.state.frozen?.command;
    if (command === undefined) return cannot("No test is frozen.");
    const execution = await executeCommand(engine, command, withoutProduction(engine, treeOf(engine, revision)));
    return { outcome: classifyCounterfactual(classifyRun(execution, "red", target)), command, executions: [execution] };
  },

  canary: async (engine, { revision }) => {
    const { frozen, accepted } = engine.state;
    const runner = frozen === null ? undefined : engine.registry.get("runner", frozen.command.runner);
    if (frozen === null || accepted === null || runner === undefined) return cannot("No test is frozen.");
    const tree = treeOf(engine, revision);
    const source = (await textAt(engine, tree, accepted.file)) ?? "";
    const canary = runner.canary({ file: accepted.file, name: accepted.name }, source, engine.ports.ids.next("seed"));
    if (canary === null)
      return {
        outcome: outcomeOf(
          "canary_silent",
          `${accepted.file} cannot take a canary, so nobody knows whether its assertions still work.`,
        ),
        command: frozen.command,
        executions: [],
      };
    const oid = await engine.workspace.objects.write(new TextEncoder().encode(canary.text));
    const mode = tree.entry(canary.path)?.mode ?? "100644";
    const execution = await executeCommand(engine, frozen.command, tree.with(new Map([[canary.path, { mode, oid }]])));
    const ids = canary.names.map((name) => `${canary.path} > ${name}`);
    return {
      outcome: classifyCanary({
        report: execution.report,
        names: ids,
        exit: execution.result.exit,
        ...reasonNotToRun(execution),
      }),
      command: frozen.command,
      executions: [execution],
    };
  },
};

/** Runs a recorded command with the runner that it names. */
async function executeCommand(engine: Engine, command: TestCommand, tree: Tree): Promise<Execution> {
  const runner: Runner | undefined = engine.registry.get("runner", command.runner);
  if (runner === undefined) throw new Error(`The runner ${command.runner} is not registered.`);
  return execute(engine, runner, command.argv, tree);
}

function classifyRun(execution: Execution, expect: "red" | "green", target: readonly string[]): Outcome {
  return classify({
    expect,
    target,
    report: execution.report,
    exit: execution.result.exit,
    ...reasonNotToRun(execution),
  });
}

function reasonNotToRun({ result }: Execution): { cannotRun?: string } {
  return result.cannotRun === undefined ? {} : { cannotRun: result.cannotRun };
}

/** The baseline may be red in places. It must only be known: a baseline that could not run says nothing about what failed before. */
function baselineOutcome({ report, result }: Execution): Outcome {
  if (result.cannotRun !== undefined) return outcomeOf("cannot_run", result.cannotRun);
  if (result.exit.timedOut)
    return outcomeOf("timeout", "The test command was ended at its time limit on the baseline.");
  if (report === null || !report.whole) {
    const why = report?.problems[0]?.message ?? "the runner left no report";
    return outcomeOf("cannot_run", `The tests could not be run on the baseline: ${why}`);
  }
  const passed = report.tests.filter(({ status }) => status === "passed").length;
  return outcomeOf("baseline_observed", `${passed} of ${report.tests.length} tests pass on the baseline.`);
}

async function baselineReport(engine: Engine): Promise<TestReport | null> {
  const sha = engine.state.baselineRun?.runs[0]?.report;
  const text = sha == null ? null : await engine.ports.artifacts.get(sha);
  return text === null ? null : (JSON.parse(text) as TestReport);
}

/** The tree with every production file put back to the baseline: what is left is the tests alone. */
function withoutProduction(engine: Engine, tree: Tree): Tree {
  const back = new Map<string, Entry | null>();
  for (const { path, role } of engine.state.changed) {
    if (role === "production" || role === "mixed") back.set(path, engine.workspace.baseline.tree.entry(path) ?? null);
  }
  return tree.with(back);
}

function cannot(reason: string): Observation {
  return { outcome: outcomeOf("cannot_run", reason), command: null, executions: [] };
}

function outcomeOf(classification: Classification, ...reasons: string[]): Outcome {
  return { verdict: OUTCOMES[classification].verdict, classification, reasons };
}

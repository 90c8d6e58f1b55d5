/** Which runner and which argument list show a test: from the policy's command or the runner's own, never by a shell. */
import type { Runner } from "../plugin/mod.ts";
import { parseCommand } from "../policy/mod.ts";
import type { Tree } from "../workspace/mod.ts";
import { type Engine, fileView } from "./engine.ts";

export type TestPlan =
  | { readonly ok: true; readonly runner: Runner; readonly argv: readonly string[] }
  | {
      readonly ok: false;
      readonly code: "no_test_command" | "unknown_runner" | "unsupported_command";
      readonly message: string;
      readonly next: string;
    };

/** The plan for the whole suite. */
export async function planSuite(engine: Engine, tree: Tree): Promise<TestPlan> {
  const missing = notBuiltYet(engine);
  if (missing !== null) return missing;
  const { command } = engine.policy.tests;
  if (command === undefined) {
    const runner = await detectRunner(engine, tree);
    if (!runner.ok) return runner;
    return resolvePlan(engine, tree, runner.runner.defaultCommand, [runner.runner]);
  }
  const words = wordsOf(command);
  if (!words.ok) return words;
  return resolvePlan(
    engine,
    tree,
    words.argv.filter((word) => word !== "{files}" && word !== "{name}"),
    candidates(engine),
  );
}

/** The plan for these test files, by the policy's command or by `line`, the command that the agent submitted. */
export async function planFiles(
  engine: Engine,
  tree: Tree,
  files: readonly string[],
  name: string,
  line?: string,
): Promise<TestPlan> {
  const missing = notBuiltYet(engine);
  if (missing !== null) return missing;
  if (line !== undefined) {
    const words = wordsOf(line);
    return words.ok ? resolvePlan(engine, tree, words.argv, candidates(engine)) : words;
  }
  const { command } = engine.policy.tests;
  const words = command === undefined ? null : wordsOf(command);
  if (words !== null && !words.ok) return words;
  if (words === null || !words.argv.includes("{files}")) {
    const suite = await planSuite(engine, tree);
    return suite.ok ? { ...suite, argv: suite.runner.select(suite.argv, files) } : suite;
  }
  const filled = words.argv.flatMap((word) => (word === "{files}" ? files : word === "{name}" ? [name] : [word]));
  return resolvePlan(engine, tree, filled, candidates(engine));
}

/** What the policy asks for and this version does not do. A test that runs without its build would prove something else, so it does not run. */
function notBuiltYet(engine: Engine): Extract<TestPlan, { ok: false }> | null {
  const { setup, build } = engine.policy.tests;
  const [named] = [...(setup === undefined ? [] : ["tests.setup"]), ...(build === undefined ? [] : ["tests.build"])];
  if (named === undefined) return null;
  return {
    ok: false,
    code: "unsupported_command",
    message: `The policy sets ${named}, which is not in this version.`,
    next: "Remove it and prepare the checkout yourself: its dependency folders are linked into the lane.",
  };
}

async function detectRunner(
  engine: Engine,
  tree: Tree,
): Promise<{ ok: true; runner: Runner } | Extract<TestPlan, { ok: false }>> {
  const all = candidates(engine);
  const wanted = engine.policy.tests.runner;
  if (wanted !== "auto") {
    const runner = all[0];
    if (runner !== undefined) return { ok: true, runner };
    const known = engine.registry
      .all("runner")
      .map(({ name }) => name)
      .join(", ");
    return {
      ok: false,
      code: "unknown_runner",
      message: `The policy names the runner ${wanted}, which this version does not have.`,
      next: `Runners here: ${known}.`,
    };
  }
  const files = fileView(engine, tree);
  for (const runner of all) if (await runner.detect(files)) return { ok: true, runner };
  return {
    ok: false,
    code: "no_test_command",
    message: `No test runner was found: tried ${all.map(({ name }) => name).join(", ") || "none"}.`,
    next: "Name one under tests.runner, or the command under tests.command, in .yada/policy.yaml.",
  };
}

function candidates(engine: Engine): readonly Runner[] {
  const wanted = engine.policy.tests.runner;
  const all = engine.registry.all("runner");
  return wanted === "auto" ? all : all.filter(({ name }) => name === wanted);
}

/** The first runner that can read the command; where none can, why each could not. */
async function resolvePlan(
  engine: Engine,
  tree: Tree,
  argv: readonly string[],
  runners: readonly Runner[],
): Promise<TestPlan> {
  const files = fileView(engine, tree);
  const reasons: string[] = [];
  for (const runner of runners) {
    const resolved = await runner.resolve(argv, files);
    if ("why" in resolved) reasons.push(`${runner.name}: ${resolved.why}`);
    else if (runner.recognises(resolved.argv)) return { ok: true, runner, argv: resolved.argv };
  }
  return {
    ok: false,
    code: "unsupported_command",
    message: `No runner can read the test command ${JSON.stringify(argv.join(" "))}. ${reasons.join(" ")}`.trim(),
    next: `Use a plain command of one of these runners: ${runners.map(({ name }) => name).join(", ") || "none is registered"}.`,
  };
}

function wordsOf(line: string): { ok: true; argv: readonly string[] } | Extract<TestPlan, { ok: false }> {
  // Braces are no shell here: the two placeholders are whole words that the host fills.
  const parsed = parseCommand(line.replaceAll("{files}", "__yada_files__").replaceAll("{name}", "__yada_name__"));
  if (!parsed.ok) {
    return {
      ok: false,
      code: "unsupported_command",
      message: `The test command ${JSON.stringify(line)} is no plain command: ${parsed.message}`,
      next: "Write it as one program with arguments.",
    };
  }
  return {
    ok: true,
    argv: parsed.argv.map((word) =>
      word === "__yada_files__" ? "{files}" : word === "__yada_name__" ? "{name}" : word,
    ),
  };
}

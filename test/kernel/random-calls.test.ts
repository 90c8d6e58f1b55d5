/**
 * Random sequences of calls, honest and hostile mixed. `YADA_RANDOM_RUNS` sets how many (default 400).
 * The oracle does not ask the kernel whether a finish is right: it reads the events.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ApprovalAnswer, evolve, INITIAL, type RunEvent } from "../../core/run/mod.ts";
import { directExecute, redGreen } from "../../plugins/strategies/mod.ts";
import { type Step, scripted, sha, world } from "./simulation.ts";
import { choose, create, finish, RED, runTests, submit, write } from "./steps.ts";

const RUNS = Number(process.env["YADA_RANDOM_RUNS"] ?? 400);
const FILES = {
  "src/value.txt": "1\n",
  "src/other.txt": "a\n",
  "test/old.test.txt": "test old = 2\n",
  "sim.config": "strict\n",
  "secret/key.txt": "x\n",
};

const path = fc.constantFrom(
  "src/value.txt",
  "src/other.txt",
  "test/old.test.txt",
  "test/new.test.txt",
  "TEST/new.test.txt",
  "test/New.test.txt",
  "sim.config",
  "secret/key.txt",
  ".git/config",
  ".yada/policy.yaml",
  "../out.txt",
  "",
);
const text = fc.constantFrom("1", "2", "3", "1\nmute", "2\nexit", "test a = 2", "skip a = 2", "broken", "test old = 2");
const name = fc.constantFrom("wants-two", "old", "a", "nothing");
const oneStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom("red_green", "direct_execute", "hope").map(choose) },
  { weight: 6, arbitrary: fc.tuple(path, text, text).map(([file, old, now]) => write(file, old, now)) },
  { weight: 3, arbitrary: fc.tuple(path, text).map(([file, body]) => create(file, `${body}\n`)) },
  {
    weight: 1,
    arbitrary: path.map((file) => ({
      tool: "apply_patch",
      input: {
        patch: `--- a/${file}\n+++ /dev/null\n@@ -1 +0,0 @@\n-test wants-two = 2\n`,
        expected_files: { [file]: sha(file) },
      },
    })),
  },
  { weight: 3, arbitrary: fc.tuple(path, name).map(([file, title]) => submit(file, title)) },
  { weight: 3, arbitrary: fc.constantFrom(runTests(), runTests("target"), runTests("regression")) },
  { weight: 3, arbitrary: fc.constant(finish) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>(
      { tool: "run_command", input: { command: "sed -i s/1/2/ src/value.txt" } },
      { tool: "run_command", input: { command: "sim" } },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Step>(
      { tool: "read_file", input: { path: "secret/key.txt" } },
      { tool: "view_changes", input: {} },
      { tool: "list_files", input: {} },
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.string(), fc.jsonValue())
      .map(([tool, input]): Step => ({ tool, input: JSON.parse(JSON.stringify(input)) })),
  },
);
const honestFix: readonly Step[] = [write("src/value.txt", "1", "2"), runTests(), finish];
/** An honest session with random calls strewn in, or random calls alone. */
const session = (honest: readonly Step[]): fc.Arbitrary<readonly Step[]> =>
  fc.oneof(
    fc.array(oneStep, { maxLength: 12 }),
    fc
      .tuple(
        fc.array(oneStep, { minLength: honest.length + 1, maxLength: honest.length + 1 }),
        fc.array(fc.boolean(), { minLength: honest.length + 1, maxLength: honest.length + 1 }),
      )
      .map(([extra, keep]) =>
        honest.flatMap((step, index) => {
          const strewn = extra[index];
          return keep[index] && strewn !== undefined ? [strewn, step] : [step];
        }),
      ),
  );
const answers = fc.array(
  fc
    .constantFrom<ApprovalAnswer["answer"]>("accept", "deny", "retry", "abort")
    .map((answer): ApprovalAnswer => ({ answer, by: "fc", reason: "random" })),
  { maxLength: 3 },
);

describe("random sequences of calls", () => {
  it(`never throw, fold to the live state, stay in scope and finish only on evidence (${RUNS} runs)`, {
    timeout: 600_000,
  }, async () => {
    const seen = { completed: 0, finished: 0 };
    await fc.assert(
      fc.asyncProperty(session(RED), session(honestFix), answers, async (red, fix, given) => {
        const usable = given.filter(({ answer }) => answer !== "accept" || red.length > 0);
        const { kernel, events, written } = await world({
          model: (workspace) => scripted(workspace, [red, fix]),
          plugins: [redGreen, directExecute],
          files: FILES,
          answers: usable,
        });
        const result = await kernel.run("Make the value two.");
        expect(result.state.fault).toBeNull();
        expect(events.reduce(evolve, INITIAL)).toEqual(kernel.state);
        inScope(events);
        const accepted = events.findIndex(({ type }) => type === "finish_accepted");
        if (accepted >= 0) {
          evidenceBehind(events.slice(0, accepted + 1));
          seen.finished += 1;
        }
        if (written.length > 0 && result.outcome?.classification !== "accepted_by_person")
          expect(accepted).toBeGreaterThanOrEqual(0);
        if (result.status === "completed") seen.completed += 1;
      }),
      { numRuns: RUNS },
    );
    // A property over runs that never finish would say nothing.
    expect(seen.finished).toBeGreaterThan(RUNS / 50);
  });
});

/** No applied edit touched what its phase may not write. */
function inScope(events: readonly RunEvent[]): void {
  let phase = "select";
  let frozen: readonly string[] = [];
  let files: readonly string[] = [];
  for (const event of events) {
    if (event.type === "phase_started") phase = event.data.phase;
    if (event.type === "test_frozen") frozen = Object.keys(event.data.blobs);
    if (event.type === "edit_proposed") files = event.data.files.map((file) => file.path);
    if (event.type !== "edit_applied") continue;
    for (const touched of files) {
      expect(touched).not.toMatch(/^(\.git|\.yada|secret)\//);
      if (phase === "red") expect(touched).toMatch(/^test\//);
      if (phase === "red" || phase === "fix") expect(touched).not.toBe("sim.config");
      if (phase === "fix") expect(frozen.map((one) => one.toLowerCase())).not.toContain(touched.toLowerCase());
    }
    expect(phase).not.toBe("select");
  }
}

/** Every piece of evidence that DESIGN asks for stands before the acceptance, at the revision that was accepted. */
function evidenceBehind(events: readonly RunEvent[]): void {
  const { revision } = events.at(-1) ?? { revision: "" };
  const latest = (purpose: string) =>
    events.findLast((event) => event.type === "tests_observed" && event.data.purpose === purpose);
  const strategy = events.find((event) => event.type === "strategy_selected");
  if (strategy?.type === "strategy_selected" && strategy.data.strategy === "direct_execute") {
    const verified = events.findLast((event) => event.type === "verified");
    expect(verified).toMatchObject({ revision, data: { outcome: { verdict: "pass" } } });
    return;
  }
  expect(latest("red")).toMatchObject({ data: { outcome: { classification: "red_observed" } } });
  expect(events.some(({ type }) => type === "test_frozen")).toBe(true);
  for (const purpose of ["green", "regression", "counterfactual", "canary"]) {
    expect(latest(purpose), purpose).toMatchObject({ revision, data: { outcome: { verdict: "pass" } } });
  }
  const edit = events.findLast((event) => event.type === "edit_applied");
  expect(edit?.type === "edit_applied" && edit.data.changed.some(({ role }) => role === "production")).toBe(true);
}

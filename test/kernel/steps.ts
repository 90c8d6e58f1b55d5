/** Steps of the agent in the small world. */
import { type Step, sha } from "./simulation.ts";

export const choose = (strategy: string): Step => ({
  tool: "select_strategy",
  input: { strategy, reason: "it can be reproduced" },
});

export const write = (path: string, old: string, text: string): Step => ({
  tool: "replace_text",
  input: { files: [{ path, sha256: sha(path), edits: [{ old, new: text }] }] },
});

export const create = (path: string, text: string): Step => {
  const lines = text.split("\n").slice(0, -1);
  return {
    tool: "apply_patch",
    input: {
      patch: `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`,
      expected_files: { [path]: null },
    },
  };
};

export const submit = (file: string, name: string): Step => ({ tool: "submit_red_test", input: { file, name } });
export const runTests = (scope?: "target" | "regression"): Step => ({
  tool: "run_tests",
  input: scope === undefined ? {} : { scope },
});
export const finish: Step = { tool: "finish_task", input: { summary: "done" } };

/** The honest red session: a test that wants 2 where production says 1, and that the old tests leave room for. */
export const RED: readonly Step[] = [
  choose("red_green"),
  create("test/new.test.txt", "test wants-two = 2\n"),
  submit("test/new.test.txt", "wants-two"),
];

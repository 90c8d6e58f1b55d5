/** The tools that an agent sees: the same list, in the same order, for the whole run. */
import { applyPatchTool } from "./apply-patch.ts";
import { finishTask } from "./finish-task.ts";
import { listFiles } from "./list-files.ts";
import { readFile } from "./read-file.ts";
import { replaceTextTool } from "./replace-text.ts";
import { reportBlocked } from "./report-blocked.ts";
import { runCommandTool } from "./run-command.ts";
import { runTests } from "./run-tests.ts";
import { search } from "./search.ts";
import { selectStrategy } from "./select-strategy.ts";
import { submitRedTest } from "./submit-red-test.ts";
import type { ReadTool, ToolDefinition } from "./types.ts";
import { viewChanges } from "./view-changes.ts";

/** All tools of a run that offers these strategies. */
export function toolset(
  offered: readonly { readonly name: string; readonly summary: string }[],
): readonly (ToolDefinition | ReadTool)[] {
  return [
    readFile,
    listFiles,
    search,
    viewChanges,
    selectStrategy(offered),
    replaceTextTool,
    applyPatchTool,
    submitRedTest,
    runTests,
    runCommandTool,
    reportBlocked,
    finishTask,
  ];
}

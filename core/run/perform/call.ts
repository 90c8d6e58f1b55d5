/** Running a tool: the input is checked once, here, and then the effect decides what happens. */
import type { ToolCall } from "../../plugin/mod.ts";
import { explain } from "../../policy/mod.ts";
import { checkInput, type ReadContext, type ReadTool, type ToolDefinition } from "../../tools/mod.ts";
import type { ApprovalCard } from "../approval.ts";
import { type Engine, treeOf } from "../engine.ts";
import type { EventDraft } from "../events.ts";
import { answerDraft, refuseDraft } from "./draft.ts";
import { performEdit } from "./edit.ts";
import { performCommand, reportBlocked, requestFinish, requestTests, selectStrategy, submitRedTest } from "./moves.ts";

/** The event that a call leads to, or the card that a person has to answer first. */
export async function performCall(engine: Engine, call: ToolCall): Promise<EventDraft | ApprovalCard> {
  const tool = engine.tools.find(({ name }) => name === call.tool);
  if (tool === undefined) throw new Error(`decide let an unknown tool through: ${call.tool}`);
  const invalid = checkInput(tool, call.input);
  if (invalid !== null) return answerDraft(engine.state, call, invalid);
  switch (tool.effect) {
    case "read":
      return performRead(engine, call, tool);
    case "select":
      return selectStrategy(engine, call);
    case "edit":
      return performEdit(engine, call);
    case "submit":
      return submitRedTest(engine, call);
    case "test":
      return requestTests(engine, call);
    case "run":
      return performCommand(engine, call);
    case "block":
      return reportBlocked(engine, call);
    case "finish":
      return requestFinish(engine, call);
  }
}

async function performRead(engine: Engine, call: ToolCall, tool: ToolDefinition | ReadTool): Promise<EventDraft> {
  if (!("run" in tool)) throw new Error(`The reading tool ${tool.name} has no implementation.`);
  const { baseline, objects, ignoreCase } = engine.workspace;
  const context: ReadContext = {
    tree: treeOf(engine, engine.state.revision),
    baseline: baseline.tree,
    objects,
    ignoreCase,
    decide: (query) => explain(engine.policy, query),
  };
  try {
    return answerDraft(engine.state, call, await tool.run(call.input, context));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return refuseDraft(engine.state, call, { code: "read_failed", message, next: [] });
  }
}

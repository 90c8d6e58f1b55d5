/** Drafts of events that several performers write. */
import type { Json } from "../../hash/mod.ts";
import type { ToolCall } from "../../plugin/mod.ts";
import type { ToolResult } from "../../tools/mod.ts";
import type { EventDraft } from "../events.ts";
import type { RunState } from "../state.ts";

/** The plain answer to a call. */
export function answerDraft(state: RunState, call: ToolCall, result: ToolResult): EventDraft {
  return {
    type: "tool_answered",
    data: { session: state.sessions.length - 1, call },
    answer: { call: call.id, result },
  };
}

/** A refusal as the answer to a call. */
export function refuseDraft(
  state: RunState,
  call: ToolCall,
  refused: {
    readonly code: string;
    readonly message: string;
    readonly details?: Json;
    readonly next: readonly string[];
  },
): EventDraft {
  const { code, message, details, next } = refused;
  return answerDraft(state, call, { ok: false, code, message, details: details ?? {}, next });
}

/** A plugin that broke: the run fails closed and names it. */
export function brokenPlugin(plugin: string, hook: string, error: unknown): EventDraft {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { type: "plugin_failed", data: { plugin, hook, message } };
}

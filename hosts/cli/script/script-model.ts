/** A script as a model: one call a reply, session by session. */
import type { Json } from "../../../core/hash/mod.ts";
import { sha256Hex } from "../../../core/hash/mod.ts";
import type { Model, ModelEvent } from "../../../core/plugin/mod.ts";
import type { RunEvent } from "../../../core/run/mod.ts";
import type { ToolResult } from "../../../core/tools/mod.ts";
import type { Workspace } from "../../../core/workspace/mod.ts";
import type { Script, ScriptStep } from "./parse-script.ts";

export interface PlayedStep {
  readonly session: number;
  readonly tool: string;
  readonly ok: boolean;
  readonly code?: string;
}

/** An expectation that did not hold. */
export interface Mismatch {
  readonly session: number;
  /** 1-based, within the session. */
  readonly step: number;
  readonly line: number;
  readonly tool: string;
  readonly expected: Json;
  readonly got: ToolResult;
}

export interface ScriptPlayer {
  model(workspace: Workspace): Model;
  /** Watches the events: pairs answers with steps. Returns the first mismatch once it is there. */
  onEvent(event: RunEvent): Mismatch | null;
  readonly steps: readonly PlayedStep[];
}

/** Plays a script. Calls carry ids by session and step, so that a resumed run goes on where its trace ends. */
export function playScript(script: Script): ScriptPlayer {
  const steps: PlayedStep[] = [];
  return {
    steps,
    model: (workspace) => ({
      kind: "model",
      name: "script",
      version: "1.0.0",
      async *respond({ session, messages }): AsyncIterable<ModelEvent> {
        const taken = messages.filter((message) => message.role === "assistant").length;
        const step = script.sessions[session]?.[taken];
        if (step === undefined) return;
        const input = await withHashes(step.input, workspace);
        yield { kind: "call", call: { id: callId(session, taken), tool: step.tool, input } };
      },
    }),
    onEvent(event) {
      if (event.answer === undefined) return null;
      const place = stepOf(script, event.answer.call);
      if (place === null) return null;
      const { session, index, step } = place;
      const { result } = event.answer;
      steps.push({ session, tool: step.tool, ok: result.ok, ...(result.ok ? {} : { code: result.code }) });
      if (step.expect === undefined || holds(step.expect, result)) return null;
      return { session, step: index + 1, line: step.line, tool: step.tool, expected: step.expect, got: result };
    },
  };
}

function callId(session: number, step: number): string {
  return `s${session + 1}-${step + 1}`;
}

function stepOf(script: Script, call: string): { session: number; index: number; step: ScriptStep } | null {
  const [, session = "", index = ""] = /^s(\d+)-(\d+)$/.exec(call) ?? [];
  const step = script.sessions[Number(session) - 1]?.[Number(index) - 1];
  return step === undefined ? null : { session: Number(session) - 1, index: Number(index) - 1, step };
}

/** Every member of what is expected stands in what came. */
function holds(expected: unknown, got: unknown): boolean {
  if (expected === null || typeof expected !== "object") return expected === got;
  if (got === null || typeof got !== "object" || Array.isArray(expected) !== Array.isArray(got)) return false;
  return Object.entries(expected).every(([key, value]) =>
    holds(value, (got as Readonly<Record<string, unknown>>)[key]),
  );
}

const HASH = /\$\{sha256:([^}]*)\}/g;

/** `${sha256:PATH}` in any string, keys included, becomes the hash of PATH in the current tree; nothing where there is no such file. */
async function withHashes(value: Json, workspace: Workspace): Promise<Json> {
  if (typeof value === "string") {
    let text = value;
    for (const [mark, path = ""] of value.matchAll(HASH)) {
      const hash = workspace.tree.entry(path) === undefined ? "" : sha256Hex(await workspace.read(path));
      text = text.replaceAll(mark, hash);
    }
    return text;
  }
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return Promise.all(value.map((item: Json) => withHashes(item, workspace)));
  const entries = Object.entries(value).map(
    async ([key, item]) => [await withHashes(key, workspace), await withHashes(item as Json, workspace)] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as Json;
}

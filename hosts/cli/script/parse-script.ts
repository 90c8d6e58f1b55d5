/** Reading a script: YAML or JSON, checked by the published schema, every problem with its place. */
import { Validator } from "@cfworker/json-schema";
import { isNode, LineCounter, parseDocument } from "yaml";
import type { Json } from "../../../core/hash/mod.ts";
import schema from "../script.schema.json" with { type: "json" };

export interface ScriptStep {
  readonly tool: string;
  readonly input: Json;
  readonly expect?: Readonly<Record<string, Json>>;
  /** 1-based line in the script file. */
  readonly line: number;
}

export interface Script {
  readonly task: string;
  readonly sessions: readonly (readonly ScriptStep[])[];
  readonly approvals: readonly ("accept" | "deny" | "retry" | "abort")[];
  readonly expect: { readonly status?: string; readonly outcome?: string; readonly transitions?: readonly string[] };
}

export type ParsedScript =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly problems: readonly string[] };

const MAX_PROBLEMS = 20;

/** Parses the text of a script. Problems read `file:line:column: what is wrong`. */
export function parseScript(text: string, file: string): ParsedScript {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    return {
      ok: false,
      problems: document.errors.slice(0, MAX_PROBLEMS).map((error) => `${at(error.pos[0])}: ${error.message}`),
    };
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  const offsetOf = (path: readonly string[]): number => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = document.getIn(
        path.slice(0, length).map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
        true,
      );
      if (isNode(node)) return node.range?.[0] ?? 0;
    }
    return 0;
  };
  const { valid, errors } = new Validator(schema as object, "2020-12", false).validate(value);
  if (!valid) {
    const deepest = errors.filter(
      (error) => !errors.some((other) => other.instanceLocation.startsWith(`${error.instanceLocation}/`)),
    );
    const problems = deepest.slice(0, MAX_PROBLEMS).map(({ instanceLocation, error }) => {
      const path = instanceLocation.split("/").slice(1);
      return `${at(offsetOf(path))}: ${path.join(".") || "the script"}: ${error}`;
    });
    return { ok: false, problems };
  }
  const parsed = value as {
    task: string;
    sessions: { tool: string; input?: Json; expect?: Record<string, Json> }[][];
    approvals?: Script["approvals"];
    expect?: Script["expect"];
  };
  const sessions = parsed.sessions.map((steps, session) =>
    steps.map(
      (step, index): ScriptStep => ({
        tool: step.tool,
        input: step.input ?? {},
        ...(step.expect === undefined ? {} : { expect: step.expect }),
        line: lines.linePos(offsetOf(["sessions", String(session), String(index)])).line,
      }),
    ),
  );
  return {
    ok: true,
    script: { task: parsed.task, sessions, approvals: parsed.approvals ?? [], expect: parsed.expect ?? {} },
  };
}

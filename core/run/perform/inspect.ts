/** Guards look at a proposed edit. All of them or none: then the new tree is current, or nothing has changed. */
import type { Json } from "../../hash/mod.ts";
import type { Finding, Guard, ProposedEdit, ProposedFile } from "../../plugin/mod.ts";
import { fileRole } from "../../policy/mod.ts";
import { diffTrees, type Tree } from "../../workspace/mod.ts";
import { nextSteps } from "../decide-call.ts";
import { type Engine, textAt, treeOf } from "../engine.ts";
import type { ChangedPath, EventDraft } from "../events.ts";
import { changedKeys } from "../json-keys.ts";
import type { Proposal } from "../state.ts";
import { surfaceOf } from "./surface.ts";

const COST = { cheap: 0, parse: 1, slow: 2 } as const;
const MAX_FINDINGS = 20;

/** `edit_applied`, or `edit_rejected` with what the guards found. A guard that breaks rejects the edit. */
export async function performInspect(engine: Engine, proposal: Proposal): Promise<EventDraft> {
  const edit = await proposedEdit(engine, proposal);
  const findings: Finding[] = [];
  for (const guard of guardsOf(engine)) {
    findings.push(...(await ask(guard, edit)));
    if (findings.some(({ severity }) => severity === "error")) break;
  }
  const errors = findings.filter(({ severity }) => severity === "error").slice(0, MAX_FINDINGS);
  const { call } = proposal;
  if (errors.length > 0) {
    const message = errors.map(({ path, line, column, message }) => `${path}:${line}:${column}: ${message}`).join("\n");
    const next = errors.flatMap(({ hint }) => (hint === undefined ? [] : [hint]));
    return {
      type: "edit_rejected",
      data: { call, findings: errors },
      answer: {
        call: call.id,
        result: {
          ok: false,
          code: "guard_rejected",
          message,
          details: { findings: plain(errors) },
          next: next.length > 0 ? next : nextSteps(engine.state, engine.catalog),
        },
      },
    };
  }
  const warnings = findings.slice(0, MAX_FINDINGS);
  const tree = treeOf(engine, proposal.tree);
  return {
    type: "edit_applied",
    data: { call, tree: proposal.tree, changed: await changedPaths(engine, tree), warnings },
    answer: {
      call: call.id,
      result: {
        ok: true,
        oid: proposal.tree,
        touched: proposal.files.map(({ path, kind, sha256 }) => ({
          path,
          kind,
          ...(sha256 === undefined ? {} : { sha256 }),
        })),
        patch: proposal.patch,
        ...(warnings.length > 0 ? { warnings: plain(warnings) } : {}),
      },
    },
  };
}

function guardsOf(engine: Engine): readonly Guard[] {
  return engine.registry
    .all("guard")
    .filter(({ name }) => engine.policy.guards.includes(name))
    .sort((a, b) => COST[a.cost] - COST[b.cost]);
}

async function ask(guard: Guard, edit: ProposedEdit): Promise<readonly Finding[]> {
  try {
    return await guard.inspect(edit);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const path = edit.files[0]?.path ?? "";
    return [
      {
        severity: "error",
        code: "guard_broke",
        path,
        line: 1,
        column: 1,
        message: `The guard ${guard.name} broke (inspect: ${why}), so the edit is refused.`,
      },
    ];
  }
}

async function proposedEdit(engine: Engine, proposal: Proposal): Promise<ProposedEdit> {
  const before = treeOf(engine, engine.state.revision);
  const after = treeOf(engine, proposal.tree);
  const files = proposal.files.map(
    async (file): Promise<ProposedFile> => ({
      path: file.path,
      role: proposal.roles[file.path] ?? "production",
      kind: file.kind,
      baseline: await textAt(engine, engine.workspace.baseline.tree, file.path),
      before: await textAt(engine, before, file.path),
      after: await textAt(engine, after, file.path),
      ...(file.after === null ? {} : { afterMode: file.after.mode }),
      ranges: file.ranges,
    }),
  );
  return {
    phase: engine.state.phase,
    tool: proposal.call.tool,
    files: await Promise.all(files),
    paths: [...before.entries()].map(([path]) => path),
  };
}

/** Everything that differs from the baseline, with the role that it has under the policy. */
export async function changedPaths(engine: Engine, tree: Tree): Promise<ChangedPath[]> {
  const { baseline, ignoreCase } = engine.workspace;
  const surface = await surfaceOf(engine, baseline.tree);
  return Promise.all(
    diffTrees(baseline.tree, tree).map(async ({ path, kind, after, afterMode }) => {
      const keys = changedKeys(await textAt(engine, baseline.tree, path), await textAt(engine, tree, path));
      return {
        path,
        kind,
        role: fileRole(engine.policy, path, ignoreCase, { surface, changedKeys: keys }),
        after: after ?? null,
        mode: afterMode ?? null,
      };
    }),
  );
}

function plain(findings: readonly Finding[]): Json {
  return JSON.parse(JSON.stringify(findings)) as Json;
}

/** `replace_text` and `apply_patch`: one transaction from text to a proposed tree, under the policy. Guards come after, as an instruction of their own. */
import {
  type AllowPath,
  type ApplyPatchInput,
  type EditedFile,
  type EditFailure,
  proposeApplyPatch,
  proposeReplaceText,
  type ReplaceTextInput,
} from "../../edit/mod.ts";
import { testId } from "../../evidence/mod.ts";
import type { FileRole, ToolCall } from "../../plugin/mod.ts";
import { type Decision, explain, fileRole, isTestPath, type WriteFacts } from "../../policy/mod.ts";
import { changedTests, onlyAddsTests } from "../../syntax/mod.ts";
import type { Tree } from "../../workspace/mod.ts";
import { nextSteps } from "../decide-call.ts";
import { type Engine, keepTree, textAt, treeOf } from "../engine.ts";
import type { Ask, EventDraft } from "../events.ts";
import { changedKeys } from "../json-keys.ts";
import { refuseDraft } from "./draft.ts";
import { surfaceOf } from "./surface.ts";

/** Facts under which a path is refused only where its name alone decides. */
const BY_NAME_ALONE: WriteFacts = { onlyAddsTests: true, existedAsTest: false, changedKeys: [], surface: [] };

/** Proposes the edit, or answers the call with the refusal. Nothing is current before the guards have seen it. */
export async function performEdit(engine: Engine, call: ToolCall): Promise<EventDraft> {
  const { state } = engine;
  const tree = treeOf(engine, state.revision);
  const { objects, ignoreCase } = engine.workspace;
  const source = { tree, objects, ignoreCase };
  const allow: AllowPath = ({ path, kind }) => deniedByName(engine, path, kind !== "read");
  const proposal =
    call.tool === "replace_text"
      ? await proposeReplaceText(source, call.input as unknown as ReplaceTextInput, allow)
      : await proposeApplyPatch(source, call.input as unknown as ApplyPatchInput, allow);
  if (!proposal.ok) return refused(engine, call, proposal);

  const surface = await surfaceOf(engine, tree);
  const asks: Ask[] = [];
  const roles: Record<string, FileRole> = {};
  const touchedTests: string[] = [];
  for (const file of proposal.files) {
    const facts = await factsAbout(engine, file, tree, proposal.tree, surface);
    roles[file.path] = fileRole(engine.policy, file.path, ignoreCase, facts);
    const decision = decideWrite(engine, file.path, facts);
    if (decision.decision === "deny") return refused(engine, call, denial(file.path, decision));
    if (decision.decision === "ask")
      asks.push({
        path: file.path,
        why: decision.why,
        ...(decision.rule === undefined ? {} : { rule: decision.rule }),
      });
    if (facts.existedAsTest === true && facts.onlyAddsTests === false)
      touchedTests.push(...(await testsChangedBy(engine, file.path, tree, proposal.tree)));
  }
  return {
    type: "edit_proposed",
    data: {
      call,
      tree: keepTree(engine, proposal.tree),
      files: proposal.files,
      roles,
      patch: proposal.patch,
      asks,
      changedTests: touchedTests,
    },
  };
}

function decideWrite(engine: Engine, path: string, facts: WriteFacts): Decision {
  const { phase, frozen } = engine.state;
  return explain(engine.policy, {
    action: "write",
    phase,
    path,
    ignoreCase: engine.workspace.ignoreCase,
    facts: { ...facts, frozen: Object.keys(frozen?.blobs ?? {}) },
  });
}

function deniedByName(engine: Engine, path: string, writes: boolean): EditFailure | null {
  const write = writes ? decideWrite(engine, path, BY_NAME_ALONE) : null;
  if (write?.decision === "deny") return denial(path, write);
  const read = explain(engine.policy, { action: "read", path, ignoreCase: engine.workspace.ignoreCase });
  return read.decision === "deny" ? denial(path, read, "read_denied") : null;
}

const CODES: { readonly [by in NonNullable<Decision["by"]>]?: EditFailure["code"] } = {
  protect: "protected_path",
  frozen: "frozen_test",
  read: "read_denied",
};

function denial(path: string, decision: Decision, code?: EditFailure["code"]): EditFailure {
  return {
    ok: false,
    code: code ?? (decision.by === undefined ? undefined : CODES[decision.by]) ?? "write_denied",
    message: `${path}: ${decision.why}`,
    details: { path, rule: decision.rule ?? null },
  };
}

function refused(engine: Engine, call: ToolCall, failure: EditFailure): EventDraft {
  const { code, message, details, next } = failure;
  const steps = next === undefined ? nextSteps(engine.state, engine.catalog) : [next];
  return refuseDraft(engine.state, call, { code, message, details: JSON.parse(JSON.stringify(details)), next: steps });
}

/** What a write does beyond its path. Additions are measured against the tree before the edit and against the baseline: one of them is enough. */
async function factsAbout(
  engine: Engine,
  file: EditedFile,
  before: Tree,
  after: Tree,
  surface: readonly string[],
): Promise<WriteFacts> {
  const { path } = file;
  const { ignoreCase, baseline } = engine.workspace;
  const old = await textAt(engine, before, path);
  const text = await textAt(engine, after, path);
  const existedAsTest = baseline.tree.entry(path) !== undefined && isTestPath(engine.policy, path, ignoreCase);
  return {
    existedAsTest,
    onlyAddsTests: !existedAsTest || (await addsOnly(engine, file, old, text)),
    changedKeys: changedKeys(old, text),
    surface,
  };
}

async function addsOnly(engine: Engine, file: EditedFile, old: string | null, text: string | null): Promise<boolean> {
  if (text === null || (file.before !== null && file.after !== null && file.before.mode !== file.after.mode))
    return false;
  const original = await textAt(engine, engine.workspace.baseline.tree, file.path);
  if (original !== null && (await onlyAddsTests(file.path, original, text, engine.grammars))) return true;
  return old !== null && original !== old && (await onlyAddsTests(file.path, old, text, engine.grammars));
}

async function testsChangedBy(engine: Engine, path: string, before: Tree, after: Tree): Promise<string[]> {
  const changes = await changedTests(
    path,
    (await textAt(engine, before, path)) ?? "",
    (await textAt(engine, after, path)) ?? "",
    engine.grammars,
  );
  return [...changes.changed, ...changes.removed, ...changes.disabled].map((name) => testId(path, name));
}

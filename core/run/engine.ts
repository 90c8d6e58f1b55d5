/** What the performers of instructions share: the policy, the plugins, the ports and the live trees behind the ids in the state. */

import picomatch from "picomatch";
import type { FileView, Model, Registry } from "../plugin/mod.ts";
import type { Policy } from "../policy/mod.ts";
import type { Grammars } from "../syntax/mod.ts";
import type { ReadTool, ToolDefinition } from "../tools/mod.ts";
import { decodeUtf8, type Oid, type Tree, type Workspace } from "../workspace/mod.ts";
import type { Catalog } from "./catalog.ts";
import type { Approver, Artifacts, Clock, Commands, Ids, TraceSink, WriteBack } from "./ports.ts";
import type { RunState } from "./state.ts";

export interface KernelPorts {
  readonly commands: Commands;
  readonly approver: Approver;
  readonly trace: TraceSink;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly writeBack: WriteBack;
  readonly artifacts: Artifacts;
}

export interface Engine {
  readonly policy: Policy;
  readonly registry: Registry;
  readonly workspace: Workspace;
  readonly model: Model;
  readonly ports: KernelPorts;
  readonly tools: readonly (ToolDefinition | ReadTool)[];
  readonly catalog: Catalog;
  readonly grammars: Grammars | null;
  readonly signal: AbortSignal | null;
  /** Trees by id: everything that the run may still go back to. */
  readonly trees: Map<Oid, Tree>;
  state: RunState;
}

/** The live tree of a revision. A missing one is a bug: every tree of a run is put here before an event names it. */
export function treeOf(engine: Engine, oid: Oid): Tree {
  const tree = engine.trees.get(oid);
  if (tree === undefined) throw new Error(`No tree ${oid} is held by this run.`);
  return tree;
}

/** Keeps a tree and returns its id. */
export function keepTree(engine: Engine, tree: Tree): Oid {
  engine.trees.set(tree.oid, tree);
  return tree.oid;
}

/** The text at a path of a tree, or null where there is none or it is not UTF-8. */
export async function textAt(engine: Engine, tree: Tree, path: string): Promise<string | null> {
  const entry = tree.entry(path);
  if (entry === undefined || !entry.mode.startsWith("100")) return null;
  return decodeUtf8(await engine.workspace.objects.read(entry.oid)) ?? null;
}

/** A tree as runner adapters look at it. */
export function fileView(engine: Engine, tree: Tree): FileView {
  return {
    list: (glob) => {
      const matches = glob === undefined ? () => true : picomatch(glob, { dot: true });
      return [...tree.entries()].map(([path]) => path).filter((path) => matches(path));
    },
    text: (path) => textAt(engine, tree, path),
  };
}

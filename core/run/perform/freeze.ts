/** Freezing a valid red: the patch, the test files, the target, the command and the runner surface, by hash. */
import picomatch from "picomatch";
import { canonicalPatch } from "../../edit/mod.ts";
import { canonicalJson, sha256Hex } from "../../hash/mod.ts";
import type { FileMode, Tree } from "../../workspace/mod.ts";
import { type Engine, textAt, treeOf } from "../engine.ts";
import type { EventDraft, Frozen } from "../events.ts";
import { valueAt } from "../json-keys.ts";
import { surfaceOf } from "./surface.ts";

/** The event `test_frozen`. The state has a valid red at its revision. */
export async function performFreeze(engine: Engine): Promise<EventDraft> {
  const { state } = engine;
  const { accepted, red } = state;
  if (accepted === null || red === null) throw new Error("There is no valid red to freeze.");
  const tree = treeOf(engine, state.revision);
  const changed = state.changed.filter(({ after }) => after !== null);
  const paths = [...new Set([...changed.map(({ path }) => path), accepted.file])].sort();
  const blobs: Record<string, string> = {};
  for (const path of paths) {
    const entry = tree.entry(path);
    if (entry !== undefined) blobs[path] = entry.oid;
  }
  const patch = canonicalPatch(await Promise.all(state.changed.map(({ path }) => bothSides(engine, tree, path))));
  const frozen: Frozen = {
    baseline: state.baseline,
    target: accepted.target,
    command: accepted.command,
    patch,
    patchSha: sha256Hex(patch),
    blobs,
    unchanged: paths.filter((path) => !state.changed.some((change) => change.path === path)),
    surface: await surfaceHashes(engine, tree),
    exit: red.runs.at(-1)?.exit ?? { code: null, signal: null, timedOut: false },
    output: red.output,
  };
  return { type: "test_frozen", data: frozen };
}

async function bothSides(
  engine: Engine,
  tree: Tree,
  path: string,
): Promise<{ path: string; before: Side; after: Side }> {
  return {
    path,
    before: await sideOf(engine, engine.workspace.baseline.tree, path),
    after: await sideOf(engine, tree, path),
  };
}

type Side = { bytes: Uint8Array; mode: FileMode } | null;

async function sideOf(engine: Engine, tree: Tree, path: string): Promise<Side> {
  const entry = tree.entry(path);
  return entry === undefined ? null : { bytes: await engine.workspace.objects.read(entry.oid), mode: entry.mode };
}

/** Blob ids of the files under the surface, and hashes of the values under its keys. */
async function surfaceHashes(engine: Engine, tree: Tree): Promise<Record<string, string>> {
  const surface = await surfaceOf(engine, tree);
  const keys = surface.filter((rule) => rule.includes("#"));
  const globs = surface.filter((rule) => !rule.includes("#")).map((glob) => picomatch(glob, { dot: true }));
  const hashes: Record<string, string> = {};
  for (const [path, entry] of tree.entries()) if (globs.some((matches) => matches(path))) hashes[path] = entry.oid;
  for (const key of keys) {
    const [glob = "", pointer = ""] = key.split("#");
    const matches = picomatch(glob, { dot: true });
    for (const [path] of tree.entries()) {
      if (!matches(path)) continue;
      const value = valueAt(await textAt(engine, tree, path), pointer);
      if (value !== undefined) hashes[`${path}#${pointer}`] = sha256Hex(canonicalJson({ value }));
    }
  }
  return hashes;
}

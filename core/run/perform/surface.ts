/** The runner surface of a tree: what every adapter that applies to it declares, and what its files add. */
import { policySurface } from "../../policy/mod.ts";
import type { Tree } from "../../workspace/mod.ts";
import { type Engine, fileView } from "../engine.ts";
import { planSuite } from "../test-plan.ts";

/** Globs and `file#/pointer` keys of everything that can change what is collected or how it is judged. */
export async function surfaceOf(engine: Engine, tree: Tree): Promise<readonly string[]> {
  const known = cache.get(tree);
  if (known !== undefined) return known;
  const plan = await planSuite(engine, tree);
  // With no runner to ask, all of them speak: a surface that is too wide only asks more often.
  const runners = plan.ok ? [plan.runner] : engine.registry.all("runner");
  const files = fileView(engine, tree);
  const more = await Promise.all(runners.map(async (runner) => (await runner.surfaceOf?.(files)) ?? []));
  const surface = [
    ...new Set([...policySurface(engine.policy), ...runners.flatMap((runner) => runner.surface), ...more.flat()]),
  ];
  cache.set(tree, surface);
  return surface;
}

const cache = new WeakMap<Tree, readonly string[]>();

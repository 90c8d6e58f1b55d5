/** The registry: what a run may use, by kind and name. The kernel finds everything here and knows nothing by name. */
import type { Guard, Model, Plugin, PluginKind, Presenter, Runner, Strategy, Verifier } from "./contracts.ts";
import { pluginProblems } from "./define-plugin.ts";

interface KindMap {
  strategy: Strategy;
  presenter: Presenter;
  guard: Guard;
  verifier: Verifier;
  runner: Runner;
  model: Model;
}

export interface Registry {
  /** All plugins of a kind, in the order in which they were registered. */
  all<K extends PluginKind>(kind: K): readonly KindMap[K][];
  get<K extends PluginKind>(kind: K, name: string): KindMap[K] | undefined;
}

export type RegistryResult =
  | { readonly ok: true; readonly registry: Registry }
  | { readonly ok: false; readonly code: "invalid_plugin" | "duplicate_plugin"; readonly message: string };

/** Builds a registry. Two plugins of one kind and name, or a value that is no plugin, are refused by name. */
export function createRegistry(plugins: readonly Plugin[]): RegistryResult {
  const byKind = new Map<PluginKind, Map<string, Plugin>>();
  for (const plugin of plugins) {
    const problems = pluginProblems(plugin);
    if (problems.length > 0) {
      return { ok: false, code: "invalid_plugin", message: `plugin ${String(plugin?.name)}: ${problems.join("; ")}.` };
    }
    const named = byKind.get(plugin.kind) ?? new Map<string, Plugin>();
    byKind.set(plugin.kind, named);
    if (named.has(plugin.name)) {
      return {
        ok: false,
        code: "duplicate_plugin",
        message: `Two plugins of kind ${plugin.kind} are named ${plugin.name}.`,
      };
    }
    named.set(plugin.name, plugin);
  }
  const registry: Registry = {
    // The map of a kind holds plugins of that kind alone: `pluginProblems` checked the discriminant.
    all: <K extends PluginKind>(kind: K) => [...(byKind.get(kind)?.values() ?? [])] as KindMap[K][],
    get: <K extends PluginKind>(kind: K, name: string) => byKind.get(kind)?.get(name) as KindMap[K] | undefined,
  };
  return { ok: true, registry };
}

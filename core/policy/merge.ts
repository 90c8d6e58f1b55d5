/** Layers of a policy as one policy. This module is browser compatible. */
import { DEFAULT_TIMEOUT_MS, type Layer, type LayerRules } from "./layer.ts";
import type { Policy, Rule, RuleSet } from "./types.ts";

/**
 * Merges layers, the lowest first. `protect`, `read.deny`, `deny` and `ask` add up, and so do `tests.config` and `spec`, which only restrict.
 * A later `allow` (and `propose`, `network`, `tests.paths` and every simple value) replaces the earlier one.
 */
export function mergeLayers(layers: readonly Layer[], file: string): Policy {
  const own = layers.at(-1);
  const latest = <T>(get: (layer: Layer) => T | undefined): T | undefined =>
    layers.reduce<T | undefined>((value, layer) => get(layer) ?? value, undefined);
  const all = (get: (layer: Layer) => readonly Rule[] | undefined): readonly Rule[] =>
    layers.flatMap((layer) => get(layer) ?? []);
  const rules = (get: (layer: Layer) => LayerRules | undefined): RuleSet => ({
    allow: latest((layer) => get(layer)?.allow) ?? [],
    ask: all((layer) => get(layer)?.ask),
    deny: all((layer) => get(layer)?.deny),
  });
  const named = (get: (layer: Layer) => ReadonlyMap<string, LayerRules> | undefined) => {
    const names = new Set(layers.flatMap((layer) => [...(get(layer)?.keys() ?? [])]));
    return Object.fromEntries([...names].map((name) => [name, { write: rules((layer) => get(layer)?.get(name)) }]));
  };
  const text = (get: (tests: Layer["tests"]) => string | undefined, key: "command" | "setup" | "build") => {
    const value = latest(({ tests }) => get(tests));
    return value === undefined ? {} : { [key]: value };
  };
  const roles = named((layer) => layer.roles);

  return {
    version: 1,
    source: {
      file,
      sha256: own?.sha256 ?? "",
      layers: layers.map(({ name }) => name),
      digests: layers.map(({ sha256 }) => sha256),
    },
    tests: {
      paths: latest(({ tests }) => tests.paths) ?? [],
      config: all(({ tests }) => tests.config),
      runner: latest(({ tests }) => tests.runner) ?? "auto",
      ...text(({ command }) => command, "command"),
      ...text(({ setup }) => setup, "setup"),
      ...text(({ build }) => build, "build"),
      timeoutMs: latest(({ tests }) => tests.timeoutMs) ?? DEFAULT_TIMEOUT_MS,
    },
    spec: {
      paths: all(({ spec }) => spec.paths),
      sections: [...new Set(layers.flatMap(({ spec }) => spec.sections ?? []))],
    },
    protect: all((layer) => layer.protect),
    read: { deny: all((layer) => layer.readDeny) },
    phases: named((layer) => layer.phases),
    ...(Object.keys(roles).length > 0 ? { roles } : {}),
    commands: {
      ...rules((layer) => layer.commands),
      propose: latest(({ commands }) => commands.propose) ?? [],
      network: latest(({ commands }) => commands.network) ?? [],
    },
    strategies: { offer: latest((layer) => layer.offer) ?? ["red_green", "direct_execute"] },
    edit: { mode: latest((layer) => layer.editMode) ?? "replace_first" },
    guards: latest((layer) => layer.guards) ?? [],
    verify: latest((layer) => layer.verify) ?? [],
    maxRounds: latest((layer) => layer.maxRounds) ?? 3,
    presenters: latest((layer) => layer.presenters) ?? {},
    plugins: latest((layer) => layer.plugins) ?? [],
    isolation: latest((layer) => layer.isolation) ?? "auto",
    policyTests: own?.policyTests ?? [],
  };
}

/** The policy that a repository gets where it has none. This module is browser compatible. */
import { presets } from "./presets.generated.ts";

/** Presets that stand for a language and can be a policy of their own. */
export const LANGUAGE_PRESETS = ["base", "node", "python", "go", "rust"] as const;
export type LanguagePreset = (typeof LANGUAGE_PRESETS)[number];

/** The text of the policy that `yada init` would write for a preset. Loaded like any other. */
export function defaultPolicy(preset: LanguagePreset | `yada:${LanguagePreset}`): string {
  const name = preset.startsWith("yada:") ? preset : `yada:${preset}`;
  return [
    "# yaml-language-server: $schema=../node_modules/yada-runtime/policies/policy.schema.json",
    "# What an agent may read, write and run here. `yada policy explain PATH` says which line decides.",
    "version: 1",
    `extends: [${name}]`,
    "",
  ].join("\n");
}

/** The text of a preset by its name, with or without `yada:`; undefined where there is none. */
export function presetText(name: string): string | undefined {
  return presets.get(name.replace(/^yada:/, ""));
}

/** The names of all presets, as `extends` takes them. */
export function presetNames(): readonly string[] {
  return [...presets.keys()].map((name) => `yada:${name}`);
}

import { describe, expect, test } from "vitest";
import { defaultPolicy, LANGUAGE_PRESETS, loadPolicy, presetNames, presetText, runPolicyTests } from "./mod.ts";

describe("presets", () => {
  test.each(presetNames())("%s loads without a problem or a warning of its own", async (name) => {
    const loaded = await loadPolicy({ text: presetText(name) ?? "", file: name });
    expect(loaded).toMatchObject({ ok: true });
  });

  test.each(presetNames())("%s answers its own policy tests as they say", async (name) => {
    const text = presetText(name) ?? "";
    const loaded = await loadPolicy({
      text: name === "yada:role-separation" ? `${text}extends: [yada:node]\n` : text,
      file: name,
    });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const results = runPolicyTests(loaded.policy);
    expect(results.length).toBeGreaterThan(0);
    expect(
      results.filter(({ passed }) => !passed).map(({ query, expected, actual }) => ({ query, expected, actual })),
    ).toEqual([]);
  });

  test.each(LANGUAGE_PRESETS)("the default policy for %s loads and names its layers", async (name) => {
    const loaded = await loadPolicy({ text: defaultPolicy(name) });
    const layers = ["yada:base", ...(name === "base" ? [] : [`yada:${name}`]), ".yada/policy.yaml"];
    expect(loaded).toMatchObject({ ok: true, warnings: [], policy: { source: { layers } } });
  });
});

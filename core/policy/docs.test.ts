import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KNOWN_AUTHORITY } from "./authority.ts";
import { loadPolicy, presetNames, runPolicyTests } from "./mod.ts";
import { WRAPPERS } from "./wrappers.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/policy.md"), "utf8");
const blocks = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] ?? "");

test("the guide has examples", () => {
  expect(blocks.length).toBeGreaterThan(3);
});

test.each(blocks)("an example of the guide loads, and its policy tests hold:\n%s", async (text) => {
  const loaded = await loadPolicy({ text });
  expect(loaded).toMatchObject({ ok: true, warnings: [] });
  if (loaded.ok) expect(runPolicyTests(loaded.policy).filter(({ passed }) => !passed)).toEqual([]);
});

const quoted = [...guide.matchAll(/^> (.*)$/gm)].map((match) => match[1] ?? "").join(" ");
const listed = new Set(quoted.split(/[,\s]+/).map((word) => word.replaceAll("`", "")));

test.each([
  ["wrapper", [...WRAPPERS.keys()]],
  ["program whose flags are known", KNOWN_AUTHORITY],
])("the guide lists every %s", (_, names) => {
  expect(names.filter((name) => !listed.has(name))).toEqual([]);
});

test("the guide names every preset", () => {
  expect(presetNames().filter((name) => !guide.includes(name))).toEqual([]);
});

import { expect, test } from "vitest";
import { entries, outdated, render } from "./embed.mjs";

test("every generated module equals what its sources give", () => {
  expect(outdated().map(({ target }) => target)).toEqual([]);
});

test("backslashes, backquotes and placeholders survive embedding", async () => {
  const text = "a \\d `b` ${c} \\` \\${d}\n";
  const [entry] = entries;
  const module = entry?.body([{ path: "policies/x.yaml", text }]) ?? "";
  const body = module.replace("export const presets: ReadonlyMap<string, string> =", "return");
  const presets: unknown = new Function(body)();
  expect(presets).toEqual(new Map([["x", text]]));
});

test("an entry whose sources do not exist yet is skipped", () => {
  expect(render({ target: "x.generated.ts", sources: () => ["no/such/file.mjs"], body: () => "" })).toBeNull();
});

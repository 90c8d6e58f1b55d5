import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalPatch, type FileChange } from "../../core/edit/mod.ts";
import { memoryObjects } from "../../core/workspace/mod.ts";
import { bytesOf, type FileSpec, type Files, GitOracle, modeOf, treeOf } from "./fixtures.ts";
import { Random, randomChange } from "./random.ts";

let git: GitOracle;
beforeAll(() => {
  git = new GitOracle();
});
afterAll(() => git.remove());

function changesOf(before: Files, after: Files): FileChange[] {
  const side = (spec: FileSpec | undefined) =>
    spec === undefined ? null : { bytes: bytesOf(spec), mode: modeOf(spec) };
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((path) => ({
    path,
    before: side(before[path]),
    after: side(after[path]),
  }));
}

async function check(before: Files, after: Files): Promise<string> {
  const patch = canonicalPatch(changesOf(before, after));
  git.checkout(before);
  for (const [path, spec] of Object.entries(before)) {
    if (modeOf(spec) === "120000") symlinkSync(Buffer.from(bytesOf(spec)), join(git.directory, path));
  }
  if (patch !== "") git.apply(patch);
  expect(git.tree()).toBe((await treeOf(after, memoryObjects())).oid);
  return patch;
}

const everyByte = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7 + (i >> 8)) & 0xff);

describe("canonicalPatch", () => {
  it.each<[string, Files, Files]>([
    ["nothing", { a: "x\n" }, { a: "x\n" }],
    ["a changed line", { a: "x\ny\n" }, { a: "x\nz\n" }],
    ["a new and a deleted file", { a: "x\n", keep: "" }, { b: "x\n", keep: "" }],
    ["empty files", { a: "", keep: "" }, { b: "", keep: "" }],
    ["a mode", { a: "x\n" }, { a: { mode: "100755", content: "x\n" } }],
    ["a mode and a line", { a: "x\n" }, { a: { mode: "100755", content: "y\n" } }],
    ["a missing last newline", { a: "x\ny" }, { a: "x\ny\n" }],
    ["names that need quotes", { 'q"\\ü': "x\n", "s p": "x\n" }, { 'q"\\ü': "y\n", "s p": "y\n" }],
    ["a binary file", { a: everyByte }, { a: everyByte.slice(0, 30_000) }],
    ["a new binary file and a deleted one", { a: everyByte, keep: "" }, { b: everyByte.slice(1), keep: "" }],
    ["a binary file with a mode", { a: everyByte }, { a: { mode: "100755", content: everyByte.slice(3) } }],
    ["text that becomes binary", { a: "x\n" }, { a: "x\0\n" }],
    ["a changed line that is no UTF-8", { a: Uint8Array.of(0xe9, 0x0a) }, { a: Uint8Array.of(0xe8, 0x0a) }],
    [
      "lines that are no UTF-8 beside the change",
      { a: Uint8Array.of(0xe9, 0x0a, 0x61, 0x0a, 0xe9, 0x0a) },
      { a: Uint8Array.of(0xe9, 0x0a, 0x62, 0x0a, 0xe9, 0x0a) },
    ],
    ["a file that becomes a folder", { a: "x\n" }, { "a/b": "y\n" }],
    ["a folder that becomes a file", { "a/b": "x\n" }, { a: "y\n" }],
    ["a symbolic link's target", { a: { mode: "120000", content: "x" } }, { a: { mode: "120000", content: "y" } }],
    ["a link that becomes a file", { a: { mode: "120000", content: "x" } }, { a: "x\n" }],
    ["a file that becomes a link", { a: "x\n" }, { a: { mode: "120000", content: "x" } }],
  ])("applies: %s", async (_, before, after) => {
    await check(before, after);
  });

  it("is what the documentation shows", () => {
    const content = (text: string) => ({ bytes: new TextEncoder().encode(text), mode: "100644" as const });
    expect(canonicalPatch([{ path: "a.txt", before: content("a\n"), after: content("b\n") }])).toBe(
      "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n",
    );
  });

  it("applies for random changes, forth and back", async () => {
    const before: Record<string, FileSpec> = {};
    const after: Record<string, FileSpec> = {};
    for (let index = 0; index < 150; index += 1) {
      const change = randomChange(new Random(900 + index), `case${index}`);
      Object.assign(before, change.before);
      Object.assign(after, change.after);
    }
    await check(before, after);
    await check(after, before);
  });

  it("leaves a submodule out", () => {
    const submodule = { bytes: new TextEncoder().encode("1".repeat(40)), mode: "160000" as const };
    expect(canonicalPatch([{ path: "sub", before: null, after: submodule }])).toBe("");
  });
});

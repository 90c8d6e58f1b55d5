import { describe, expect, it } from "vitest";
import { sha256Hex } from "../hash/mod.ts";
import { memoryObjects, type Objects, openWorkspace, type Workspace } from "../workspace/mod.ts";
import {
  applyPatch,
  type EditFailure,
  proposeApplyPatch,
  proposeReplaceText,
  type ReplaceTextInput,
  replaceText,
} from "./mod.ts";

const replace = (path: string, text: string, old: string, replacement: string): ReplaceTextInput => ({
  files: [{ path, sha256: sha256Hex(text), edits: [{ old, new: replacement }] }],
});

/** An input as a model may send it. */
function untyped<T>(value: unknown): T {
  return JSON.parse(JSON.stringify(value));
}

function sourceOf(workspace: Workspace, objects: Objects = workspace.objects) {
  return { tree: workspace.tree, objects, ignoreCase: false };
}

const denied: EditFailure = { ok: false, code: "write_denied", message: "no", details: {} };

describe("a proposal", () => {
  it("leaves the workspace as it is and holds the new tree with its blobs", async () => {
    const workspace = await openWorkspace({ files: { "a.txt": "one\n" } });
    const before = await workspace.oid();
    const result = await proposeReplaceText(workspace, replace("a.txt", "one\n", "one", "1"));
    if (!result.ok) expect.fail(result.message);
    expect(await workspace.oid()).toBe(before);
    const entry = result.tree.entry("a.txt");
    expect(new TextDecoder().decode(await workspace.objects.read(entry?.oid ?? ""))).toBe("1\n");
  });

  it("names the lines of the new text that changed", async () => {
    const text = "a\nb\nc\nd\ne\nf\n";
    const workspace = await openWorkspace({ files: { "a.txt": text } });
    const result = await proposeReplaceText(workspace, {
      files: [
        {
          path: "a.txt",
          sha256: sha256Hex(text),
          edits: [
            { old: "a\n", new: "a\nx\ny\n" },
            { old: "c\n", new: "" },
            { old: "e", new: "E" },
          ],
        },
      ],
    });
    if (!result.ok) expect.fail(result.message);
    expect(result.files).toMatchObject([
      {
        kind: "modify",
        ranges: [
          { from: 2, to: 3 },
          { from: 5, to: 4 },
          { from: 6, to: 6 },
        ],
      },
    ]);
  });

  it("names where a renamed file came from, and all its lines", async () => {
    const workspace = await openWorkspace({ files: { "a.txt": "one\ntwo\n" } });
    const result = await proposeApplyPatch(workspace, {
      patch: "diff --git a/a.txt b/b.txt\nrename from a.txt\nrename to b.txt\n",
      expected_files: { "a.txt": sha256Hex("one\ntwo\n"), "b.txt": null },
    });
    if (!result.ok) expect.fail(result.message);
    expect(result.files).toMatchObject([
      { path: "a.txt", kind: "delete", after: null, ranges: [] },
      { path: "b.txt", kind: "add", before: null, from: "a.txt", ranges: [{ from: 1, to: 2 }] },
    ]);
  });

  it("is the same whatever the order of the files in the patch", async () => {
    const workspace = await openWorkspace({ files: { "a.txt": "one\n", "b.txt": "two\n" } });
    const parts = [
      "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n",
      "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-two\n+2\n",
      "--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1 @@\n+three\n",
    ];
    const expected_files = { "a.txt": sha256Hex("one\n"), "b.txt": sha256Hex("two\n"), "c.txt": null };
    const forward = await proposeApplyPatch(workspace, { patch: parts.join(""), expected_files });
    const backward = await proposeApplyPatch(workspace, { patch: parts.reverse().join(""), expected_files });
    if (!forward.ok || !backward.ok) expect.fail("refused");
    expect(backward.tree.oid).toBe(forward.tree.oid);
    expect(backward.patch).toBe(forward.patch);
    expect(backward.files).toEqual(forward.files);
  });
});

describe("the permission", () => {
  const patch =
    "diff --git a/a.txt b/b.txt\nrename from a.txt\nrename to b.txt\n" +
    "diff --git a/c.txt b/d.txt\ncopy from c.txt\ncopy to d.txt\n" +
    "diff --git a/e.txt b/e.txt\ndeleted file mode 100644\n--- a/e.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-e\n" +
    "diff --git a/f.txt b/f.txt\n--- a/f.txt\n+++ b/f.txt\n@@ -1 +1 @@\n-f\n+F\n";
  const files = { "a.txt": "a\n", "c.txt": "c\n", "e.txt": "e\n", "f.txt": "f\n" };
  const expected_files = {
    "a.txt": sha256Hex("a\n"),
    "b.txt": null,
    "c.txt": sha256Hex("c\n"),
    "d.txt": null,
    "e.txt": sha256Hex("e\n"),
    "f.txt": sha256Hex("f\n"),
  };

  it("is asked for every path of a patch, both paths of renames and copies", async () => {
    const asked: string[] = [];
    const workspace = await openWorkspace({ files });
    const result = await proposeApplyPatch(workspace, { patch, expected_files }, ({ path, kind }) => {
      asked.push(`${kind} ${path}`);
      return null;
    });
    expect(result.ok).toBe(true);
    expect(asked).toEqual(["delete a.txt", "add b.txt", "read c.txt", "add d.txt", "delete e.txt", "modify f.txt"]);
  });

  it("comes before any content is read", async () => {
    const workspace = await openWorkspace({ files });
    const objects: Objects = {
      read: () => expect.fail("content was read"),
      write: () => expect.fail("content was written"),
    };
    for (const path of Object.keys(expected_files)) {
      const refuse = (touch: { path: string }) => (touch.path === path ? denied : null);
      expect(await proposeApplyPatch(sourceOf(workspace, objects), { patch, expected_files }, refuse)).toBe(denied);
    }
    const input = replace("f.txt", "f\n", "absent", "x");
    expect(await proposeReplaceText(sourceOf(workspace, objects), input, () => denied)).toBe(denied);
  });
});

describe("a store that fails", () => {
  const broken = new Error("disk full");

  it("is apply_failed when it cannot be read", async () => {
    const workspace = await openWorkspace({ files: { "a.txt": "one\n" } });
    const objects: Objects = { ...memoryObjects(), read: () => Promise.reject(broken) };
    const result = await proposeReplaceText(sourceOf(workspace, objects), replace("a.txt", "one\n", "one", "1"));
    expect(result).toMatchObject({ ok: false, code: "apply_failed", details: { reason: "disk full" } });
  });

  it("is apply_failed when it cannot be written", async () => {
    const workspace = await openWorkspace({ files: { "a.txt": "one\n" } });
    const objects: Objects = { read: (oid) => workspace.objects.read(oid), write: () => Promise.reject(broken) };
    const result = await proposeReplaceText(sourceOf(workspace, objects), replace("a.txt", "one\n", "one", "1"));
    expect(result).toMatchObject({ ok: false, code: "apply_failed" });
  });
});

describe("two edits in flight", () => {
  it("are made in the order of their calls", async () => {
    const workspace = await openWorkspace({ files: { "a.txt": "one\n" } });
    const results = await Promise.all([
      replaceText(workspace, replace("a.txt", "one\n", "one", "two")),
      applyPatch(workspace, {
        patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-two\n+three\n",
        expected_files: { "a.txt": sha256Hex("two\n") },
      }),
      replaceText(workspace, replace("a.txt", "three\n", "three", "four")),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect((await workspace.readText("a.txt")).text).toBe("four\n");
  });

  it("against the same content: the second is stale", async () => {
    const workspace = await openWorkspace({ files: { "a.txt": "one\n" } });
    const [first, second] = await Promise.all([
      replaceText(workspace, replace("a.txt", "one\n", "one", "1")),
      replaceText(workspace, replace("a.txt", "one\n", "one", "2")),
    ]);
    expect(first.ok).toBe(true);
    expect(second).toMatchObject({ ok: false, code: "stale_hash", details: { sha256: sha256Hex("1\n") } });
  });

  it("and a restore: the edit is made against what was restored", async () => {
    const workspace = await openWorkspace({ files: { "a.txt": "one\n", "b.txt": "b\n" } });
    const start = workspace.snapshot();
    await replaceText(workspace, replace("b.txt", "b\n", "b", "B"));
    const edit = replaceText(workspace, replace("a.txt", "one\n", "one", "1"));
    await Promise.resolve();
    workspace.restore(start);
    expect((await edit).ok).toBe(true);
    expect((await workspace.readText("a.txt")).text).toBe("1\n");
    expect((await workspace.readText("b.txt")).text).toBe("b\n");
  });

  it("of which one fails: the other is made", async () => {
    const workspace = await openWorkspace({ files: { "a.txt": "one\n" } });
    const [first, second] = await Promise.all([
      replaceText(workspace, replace("a.txt", "one\n", "absent", "1")),
      replaceText(workspace, replace("a.txt", "one\n", "one", "2")),
    ]);
    expect([first.ok, second.ok]).toEqual([false, true]);
  });
});

describe("an input of another shape", () => {
  const hash = "0".repeat(64);
  it.each([
    [null, "input"],
    [[], "input"],
    ["x", "input"],
    [{}, "files"],
    [{ files: {} }, "files"],
    [{ files: [1] }, "files[0]"],
    [{ files: [{ path: 1, sha256: hash, edits: [] }] }, "files[0].path"],
    [{ files: [{ path: "a", edits: [] }] }, "files[0].sha256"],
    [{ files: [{ path: "a", sha256: hash }] }, "files[0].edits"],
    [{ files: [{ path: "a", sha256: hash, edits: ["x"] }] }, "files[0].edits[0]"],
    [{ files: [{ path: "a", sha256: hash, edits: [{ old: 1, new: "" }] }] }, "files[0].edits[0].old"],
    [{ files: [{ path: "a", sha256: hash, edits: [{ old: "x" }] }] }, "files[0].edits[0].new"],
    [{ files: [{ path: "a", sha256: hash, edits: [{ old: "x", new: "y", count: "2" }] }] }, "files[0].edits[0].count"],
    [
      { files: [{ path: "a", sha256: hash, edits: [{ old: "x", new: "y", replace_all: true }] }] },
      "files[0].edits[0].replace_all",
    ],
    [{ files: [], dry_run: true }, "input.dry_run"],
  ])("%j is invalid_edit and names %s", async (input, field) => {
    const workspace = await openWorkspace({ files: { a: "x\n" } });
    expect(await replaceText(workspace, untyped(input))).toMatchObject({
      ok: false,
      code: "invalid_edit",
      details: { field },
    });
  });

  it.each([
    [null, "input"],
    [{ patch: "x" }, "expected_files"],
    [{ patch: "x", expected_files: [] }, "expected_files"],
    [{ patch: "x", expected_files: { a: 1 } }, 'expected_files["a"]'],
    [{ patch: 1, expected_files: {} }, "patch"],
    [{ expected_files: {} }, "patch"],
    [{ patch: "x", expected_files: {}, fuzz: 2 }, "input.fuzz"],
  ])("%j is invalid_patch and names %s", async (input, field) => {
    const workspace = await openWorkspace({ files: { a: "x\n" } });
    expect(await applyPatch(workspace, untyped(input))).toMatchObject({
      ok: false,
      code: "invalid_patch",
      details: { field },
    });
  });
});

describe("the details of a refusal", () => {
  const long = "x".repeat(100_000);
  const size = (result: { ok: boolean; details?: unknown }) =>
    Buffer.byteLength(JSON.stringify(result.details ?? null));

  it("stay within 2 kB and keep the hash, however long lines, paths and texts are", async () => {
    const path = `${"d".repeat(250)}/${"\u{1f600}".repeat(60)}.txt`;
    const text = `${long}a${long}\n${long}b\n`.repeat(10);
    const workspace = await openWorkspace({ files: { [path]: text } });
    const results = [
      await replaceText(workspace, replace(path, text, `${long}c`, "x")),
      await replaceText(workspace, replace(path, text, long, "x")),
      await replaceText(workspace, replace(path, `${text}x`, "a", "b")),
      await applyPatch(workspace, {
        patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n ${long}a${long}\n-${long}c\n+x\n*** End Patch\n`,
        expected_files: { [path]: sha256Hex(text) },
      }),
      await applyPatch(workspace, {
        patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${long}b\n+x\n*** End Patch\n`,
        expected_files: { [path]: sha256Hex(text) },
      }),
    ];
    expect(results.map((result) => (result.ok ? "ok" : result.code))).toEqual([
      "no_match",
      "ambiguous_match",
      "stale_hash",
      "patch_context_mismatch",
      "ambiguous_match",
    ]);
    for (const result of results) {
      expect(size(result)).toBeLessThanOrEqual(2048);
      expect(result).toMatchObject({ details: { sha256: sha256Hex(text) } });
      if (!result.ok) expect(result.message.length).toBeLessThan(600);
    }
  });

  it("show a long line where it begins to differ", async () => {
    const text = `${"x".repeat(5000)} total = 1; ${"y".repeat(5000)}\nnext\n`;
    const workspace = await openWorkspace({ files: { "a.txt": text } });
    const result = await replaceText(workspace, replace("a.txt", text, text.replace("total = 1", "total = 2"), ""));
    expect(result).toMatchObject({ code: "no_match" });
    expect(JSON.stringify(result)).toContain("total = 1;");
    expect(JSON.stringify(result)).toContain("total = 2;");
  });

  it("stay within 2 kB for a thousand unexpected paths", async () => {
    const workspace = await openWorkspace({ files: {} });
    const expected_files = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [`some/long/path/${i}.txt`, null]),
    );
    const result = await applyPatch(workspace, {
      patch: "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+one\n",
      expected_files,
    });
    expect(result).toMatchObject({ code: "invalid_patch", details: { missing: ["a.txt"] } });
    expect(size(result)).toBeLessThanOrEqual(2048);
  });
});

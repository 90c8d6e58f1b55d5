import { describe, expect, test } from "vitest";
import { type Entry, findTwin, normalizePath, pathKey, pathObstacle, treeFrom } from "./mod.ts";

const file = (mode: Entry["mode"] = "100644"): Entry => ({ mode, oid: "1".repeat(40) });
const treeOf = (...paths: string[]) => treeFrom(paths.map((path) => [path, file()] as const));

describe("normalizePath", () => {
  test.each([
    "a",
    "src/a.ts",
    "a b/c d",
    "ünï/é.ts",
    "日本/テスト.test.ts",
    ".github/workflows/ci.yml",
    ".gitignore",
    ".gitattributes",
    "a.git/b",
    "git/x",
    "console/a.ts",
    "auxiliary.ts",
    "lib/com.ts",
    "nullable.ts",
    "com10.ts",
    "...",
    "..a/b",
    "a~1",
    "-flag",
    "a:b/c",
    `${"n".repeat(255)}`,
  ])("%s is taken as it is", (path) => {
    expect(normalizePath(path.replace(/^a:/, "ab:"))).toEqual({ ok: true, path: path.replace(/^a:/, "ab:") });
  });

  test.each([
    ["", "empty"],
    ["/etc/passwd", "absolute"],
    ["../a", "segment .."],
    ["a/../../b", "segment .."],
    ["a/..", "segment .."],
    ["./a", "segment ."],
    ["a/./b", "segment ."],
    ["a//b", "empty segment"],
    ["a/", "empty segment"],
    ["a\\b", "backslash"],
    ["..\\a", "backslash"],
    ["a\0b", "NUL"],
    ["a\nb", "control"],
    ["a\x7fb", "control"],
    ["a\x85b", "control"],
    ["a\ud800", "Unicode"],
    ["a\udc80", "Unicode"],
    [".git", ".git"],
    [".git/hooks/pre-commit", ".git"],
    [".GIT/config", ".git"],
    ["sub/.gIt/config", ".git"],
    [".git./config", ".git"],
    [".git ./config", ".git"],
    [".git /config", ".git"],
    [".git::$INDEX_ALLOCATION/config", ".git"],
    ["git~1/config", ".git"],
    ["GIT~1", ".git"],
    ["GIT~2", ".git"],
    [".g\u200cit/config", ".git"],
    [".git\ufeff/config", ".git"],
    ["\u202e.git/config", ".git"],
    ["C:/a", "drive"],
    ["c:a", "drive"],
    ["con", "device"],
    ["src/NUL.txt", "device"],
    ["aux.ts", "device"],
    ["COM1", "device"],
    ["lpt9.log", "device"],
    ["com¹", "device"],
    ["nul:", "device"],
    ["n".repeat(256), "longer"],
    ["é".repeat(128), "longer"],
    [`${"dir/".repeat(1100)}a`, "longer"],
  ])("%j is refused: %s", (path, reason) => {
    const result = normalizePath(path);
    expect(result).toMatchObject({ ok: false, code: "unsupported_target" });
    expect(result.ok ? "" : result.message).toContain(reason);
    expect(result.ok ? "" : result.message).not.toMatch(/[\x00-\x1f\u202e]/);
  });
});

describe("pathKey", () => {
  test.each([
    ["src/A.ts", "SRC/a.ts"],
    ["straße", "STRASSE"],
    ["STRAẞE", "strasse"],
    ["ΟΔΟΣ", "οδος"],
    ["e\u0301", "É"],
    ["\u212a", "k"],
    ["a.ts.", "a.ts"],
    ["a\u200db", "ab"],
  ])("%j and %j are one file where case is folded", (a, b) => {
    expect(pathKey(a, true)).toBe(pathKey(b, true));
  });

  test("normal forms are one also where case counts, cases are not", () => {
    expect(pathKey("e\u0301", false)).toBe(pathKey("é", false));
    expect(pathKey("A", false)).not.toBe(pathKey("a", false));
  });
});

describe("findTwin", () => {
  const tree = treeOf("src/a.test.ts", "src/deep/b.ts", "docs/é.md", "README");

  test.each([
    ["src/a.test.ts", true, undefined],
    ["src/new.ts", true, undefined],
    ["src/A.test.ts", true, "src/a.test.ts"],
    ["src/A.test.ts", false, undefined],
    ["SRC/a.test.ts", true, "src"],
    ["Src/new.ts", true, "src"],
    ["src/Deep/c.ts", true, "src/deep"],
    ["src/DEEP", true, "src/deep"],
    ["docs/e\u0301.md", false, "docs/é.md"],
    ["docs/E\u0301.md", true, "docs/é.md"],
    ["readme/x", true, "README"],
    ["README/x", true, undefined],
    ["src/deep", true, undefined],
  ])("%j (ignoreCase %s) meets %j", (path, ignoreCase, twin) => {
    expect(findTwin(tree, path, ignoreCase)).toBe(twin);
  });

  test("a twin in a directory that is itself a twin is found", () => {
    expect(findTwin(treeOf("lib/a.ts", "LIB/b.ts"), "LIB/A.ts", true)).toBe("lib/a.ts");
    expect(findTwin(treeOf("lib/a.ts", "LIB/b.ts"), "LIB/c.ts", true)).toBeUndefined();
  });

  test("a tree that was changed shows its new twins", () => {
    const changed = tree.with(new Map([["src/C.ts", file()]]));
    expect(findTwin(tree, "src/c.ts", true)).toBeUndefined();
    expect(findTwin(changed, "src/c.ts", true)).toBe("src/C.ts");
  });
});

describe("pathObstacle", () => {
  const tree = treeFrom([
    ["link", file("120000")],
    ["module", file("160000")],
    ["dir/plain", file()],
  ]);

  test.each([
    ["link/a", { path: "link", kind: "symlink" }],
    ["module/a/b", { path: "module", kind: "submodule" }],
    ["dir/plain/x/y", { path: "dir/plain", kind: "file" }],
    ["link", undefined],
    ["dir/other/x", undefined],
  ])("%s: %j", (path, obstacle) => {
    expect(pathObstacle(tree, path)).toEqual(obstacle);
  });
});

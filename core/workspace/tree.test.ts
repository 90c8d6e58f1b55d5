import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { type Directory, emptyDirectory } from "./directory.ts";
import {
  comparePaths,
  decodePath,
  diffTrees,
  type Entry,
  emptyTree,
  encodePath,
  type FileMode,
  treeFrom,
} from "./mod.ts";
import { rootOf } from "./tree.ts";

const repository = mkdtempSync(join(tmpdir(), "yada-tree-"));
execFileSync("git", ["init", "-q", "--bare", repository]);
afterAll(() => rmSync(repository, { recursive: true, force: true }));

/** The tree id that git computes for these entries. */
function gitTree(entries: readonly (readonly [string, Entry])[]): string {
  const index = join(repository, `index-${Math.random()}`);
  const env = { ...process.env, GIT_DIR: repository, GIT_INDEX_FILE: index };
  const input = Buffer.concat(
    entries.map(([path, { mode, oid }]) =>
      Buffer.concat([Buffer.from(`${mode} ${oid}\t`), encodePath(path), Buffer.from("\0")]),
    ),
  );
  execFileSync("git", ["update-index", "-z", "--index-info"], { env, input });
  return execFileSync("git", ["write-tree", "--missing-ok"], { env, encoding: "utf8" }).trim();
}

const oid = fc.stringMatching(/^[0-9a-f]{40}$/);
const mode = fc.constantFrom<FileMode>("100644", "100755", "120000", "160000");
const entry: fc.Arbitrary<Entry> = fc.record({ mode, oid });
const name = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("a", "a.b", "a-b", "a0", "ab", "B", "é", "e\u0301", "\u{1f600}", "\uffee", "a b", '"q"'),
  },
  { weight: 1, arbitrary: fc.constantFrom("\udc80", "x\udcff", "tab\t", "new\nline", "back\\slash", ".gitignore") },
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));

/** Entries of which none is another's directory. */
const entries: fc.Arbitrary<[string, Entry][]> = fc.array(fc.tuple(path, entry), { maxLength: 25 }).map((all) => {
  const kept = new Map<string, Entry>();
  for (const [candidate, value] of all) {
    const others = [...kept.keys()];
    if (others.some((o) => o === candidate || o.startsWith(`${candidate}/`) || candidate.startsWith(`${o}/`))) continue;
    kept.set(candidate, value);
  }
  return [...kept];
});

describe("treeFrom", () => {
  test("the empty tree has git's id", () => {
    expect(emptyTree.oid).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    expect(treeFrom([])).toBe(emptyTree);
  });

  test("ids equal those of git write-tree, with awkward names and all modes", () => {
    fc.assert(
      fc.property(entries, (all) => {
        expect(treeFrom(all).oid).toBe(gitTree(all));
      }),
      { numRuns: 40 },
    );
  });

  test("entries come in git's order and are found again", () => {
    fc.assert(
      fc.property(entries, (all) => {
        const tree = treeFrom(all);
        const expected = all.map(([p]) => p).sort((a, b) => Buffer.compare(encodePath(a), encodePath(b)));
        expect([...tree.entries()].map(([p]) => p)).toEqual(expected);
        for (const [p, value] of all) {
          expect(tree.entry(p)).toEqual(value);
          const slash = p.lastIndexOf("/");
          if (slash > 0) expect(tree.hasDirectory(p.slice(0, slash))).toBe(true);
          expect(tree.hasDirectory(p)).toBe(false);
        }
      }),
    );
  });

  test.each([
    [["a", "a"], "path_conflict"],
    [["a", "a/b"], "path_conflict"],
    [["a/b", "a"], "path_conflict"],
    [["a/b/c", "a/b"], "path_conflict"],
    [["a//b"], "unsupported_target"],
    [["/a"], "unsupported_target"],
    [["a/"], "unsupported_target"],
    [[""], "unsupported_target"],
    [["a/../b"], "unsupported_target"],
    [["a/.GIT/hooks"], "unsupported_target"],
    [["a\0b"], "unsupported_target"],
    [["\udcc3\udca9"], "unsupported_target"],
  ])("%j cannot be a tree: %s", (paths, code) => {
    const value: Entry = { mode: "100644", oid: "0".repeat(40) };
    expect(() => treeFrom(paths.map((p) => [p, value] as const))).toThrow(expect.objectContaining({ code }));
  });
});

describe("with", () => {
  const file = (digit: string): Entry => ({ mode: "100644", oid: digit.repeat(40) });

  test("equals the tree that is built from the changed entries", () => {
    fc.assert(
      fc.property(entries, entries, fc.integer({ min: 0, max: 5 }), (before, after, keep) => {
        const tree = treeFrom(before);
        const changes = new Map<string, Entry | null>(before.slice(keep).map(([p]) => [p, null]));
        const result = new Map(before.slice(0, keep));
        for (const [p, value] of after) {
          const clash = [...result.keys()].some((o) => o.startsWith(`${p}/`) || p.startsWith(`${o}/`));
          if (clash) continue;
          changes.set(p, value);
          result.set(p, value);
        }
        expect(tree.with(changes).oid).toBe(treeFrom(result).oid);
        expect(tree.oid).toBe(treeFrom(before).oid);
      }),
    );
  });

  test("nothing changed gives the same tree", () => {
    const tree = treeFrom([["a/b", file("1")]]);
    expect(tree.with(new Map())).toBe(tree);
    expect(tree.with(new Map([["a/b", file("1")]]))).toBe(tree);
    expect(tree.with(new Map([["a/x/y", null]]))).toBe(tree);
    expect(tree.with(new Map([["a", null]]))).toBe(tree);
  });

  test("a directory that becomes empty vanishes", () => {
    const tree = treeFrom([["a/b/c", file("1")]]).with(new Map([["a/b/c", null]]));
    expect(tree.oid).toBe(emptyTree.oid);
    expect(tree.hasDirectory("a")).toBe(false);
  });

  test("a file may become a directory and back in one step", () => {
    const tree = treeFrom([["a", file("1")]]);
    const turned = tree.with(
      new Map([
        ["a", null],
        ["a/b", file("2")],
      ]),
    );
    expect([...turned.entries()].map(([p]) => p)).toEqual(["a/b"]);
    expect(
      turned.with(
        new Map([
          ["a", file("1")],
          ["a/b", null],
        ]),
      ).oid,
    ).toBe(tree.oid);
  });

  test("a file and a directory of one name are refused, and the tree stays", () => {
    const tree = treeFrom([["a/b", file("1")]]);
    expect(() => tree.with(new Map([["a", file("2")]]))).toThrow(
      expect.objectContaining({ code: "path_conflict", path: "a" }),
    );
    expect(() => tree.with(new Map([["a/b/c", file("2")]]))).toThrow(
      expect.objectContaining({ code: "path_conflict", path: "a/b" }),
    );
  });

  test("an edit makes the directories on its path anew and shares all others", () => {
    const before = treeFrom(
      Array.from({ length: 2_000 }, (_, i): [string, Entry] => [`d${i % 20}/s${i % 7}/f${i}`, file("1")]),
    );
    const after = before.with(new Map([["d3/s0/new", file("2")]]));
    const fresh = (a: Directory, b: Directory, prefix: string): string[] =>
      b.keys.flatMap((key) => {
        const name = key.slice(0, -1);
        const left = a.directory(name);
        const right = b.directory(name);
        if (right === undefined || left === right) return [];
        return [prefix + key, ...fresh(left ?? emptyDirectory, right, prefix + key)];
      });
    expect(fresh(rootOf(before), rootOf(after), "")).toEqual(["d3/", "d3/s0/"]);
    expect(before.entry("d3/s0/new")).toBeUndefined();
  });
});

describe("diffTrees", () => {
  test("leads from one tree to the other, in git's order, with each path once", () => {
    fc.assert(
      fc.property(entries, entries, (left, right) => {
        const a = treeFrom(left);
        const b = treeFrom(right);
        const changes = diffTrees(a, b);
        const back = new Map<string, Entry | null>();
        for (const change of changes) {
          expect({ oid: change.before, mode: change.beforeMode }).toEqual({
            oid: a.entry(change.path)?.oid,
            mode: a.entry(change.path)?.mode,
          });
          const { after, afterMode } = change;
          back.set(
            change.path,
            after === undefined || afterMode === undefined ? null : { oid: after, mode: afterMode },
          );
          expect(change.kind).toBe(change.before === undefined ? "add" : after === undefined ? "delete" : "modify");
        }
        expect(a.with(back).oid).toBe(b.oid);
        const paths = changes.map((change) => change.path);
        expect(paths).toEqual([...new Set(paths)].sort(comparePaths));
        expect(diffTrees(a, treeFrom(left))).toEqual([]);
      }),
    );
  });

  test("a changed mode is a modification with the same blob", () => {
    const one = "1".repeat(40);
    const a = treeFrom([["run.sh", { mode: "100644", oid: one }]]);
    const b = treeFrom([["run.sh", { mode: "100755", oid: one }]]);
    expect(diffTrees(a, b)).toEqual([
      { path: "run.sh", kind: "modify", before: one, after: one, beforeMode: "100644", afterMode: "100755" },
    ]);
  });
});

describe("paths as bytes", () => {
  test("every sequence of bytes has one string and comes back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), fc.uint8Array({ maxLength: 12 }), (a, b) => {
        expect(encodePath(decodePath(a))).toEqual(a);
        expect(Math.sign(comparePaths(decodePath(a), decodePath(b)))).toBe(Math.sign(Buffer.compare(a, b)));
      }),
      { numRuns: 2_000 },
    );
  });
});

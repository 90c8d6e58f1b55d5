import { describe, expect, it } from "vitest";
import type { ProposedEdit } from "../../core/plugin/mod.ts";
import { nodeGrammars } from "../../hosts/node/grammars/mod.ts";
import { guards } from "../../plugins/guards/mod.ts";

const all = guards(nodeGrammars());

async function inspect(
  guard: string,
  path: string,
  before: string | null,
  after: string | null,
  paths: string[] = [],
  phase = "fix",
) {
  const edit: ProposedEdit = {
    phase,
    tool: "replace_text",
    paths,
    files: [
      {
        path,
        role: "production",
        kind: before === null ? "add" : after === null ? "delete" : "modify",
        baseline: before,
        before,
        after,
        ranges: [],
      },
    ],
  };
  return (await all.find(({ name }) => name === guard)?.inspect(edit)) ?? [];
}

describe("syntax", () => {
  it.each([
    ["a bracket is missing", "a.js", "f(1);\n", "f(1;\n", 1],
    ["a string is not closed", "a.js", "const a = 1;\n", 'const a = "1;\n', 1],
    ["a brace is missing at the end", "a.ts", "function f() {}\n", "function f() {\n", 1],
    ["a second error beside one that stood there", "a.js", "f(;\n", "f(;\ng(;\n", 1],
  ])("%s: an error", async (_name, path, before, after, atLeast) => {
    const findings = await inspect("syntax", path, before, after);
    expect(findings.filter(({ severity }) => severity === "error").length).toBeGreaterThanOrEqual(atLeast);
  });

  it.each([
    ["a right edit", "a.js", "f(1);\n", "f(2);\n"],
    ["an error that stood there, moved by an edit above", "a.js", "f(;\n", "const a = 1;\nf(;\n"],
    ["an error that stood there is mended", "a.js", "f(;\n", "f();\n"],
    ["a language without a grammar", "a.zz", "f(", "f(("],
    ["a deleted file", "a.js", "f(1);\n", null],
  ])("%s: nothing", async (_name, path, before, after) => {
    expect(await inspect("syntax", path, before, after)).toEqual([]);
  });

  it("says where, and shows the line before and after", async () => {
    const [finding] = await inspect("syntax", "src/a.js", "const a = 1;\nf(1);\n", "const a = 1;\nf(1;\n");
    expect(finding).toMatchObject({ path: "src/a.js", line: 2, excerpt: { before: "f(1);", after: "f(1;" } });
  });
});

describe("shadowing", () => {
  it.each([
    ["src/total.js", ["src/total.ts"]],
    ["src/total.mjs", ["src/total.js"]],
    ["src/total/index.js", ["src/total.ts"]],
    ["src/total.ts", ["src/total/index.ts"]],
    ["src/data.json", ["src/data.js"]],
  ])("%s beside %s is refused", async (added, paths) => {
    expect(await inspect("shadowing", added, null, "x", paths)).toMatchObject([
      { severity: "error", code: "shadowing_file" },
    ]);
  });

  it.each([
    ["src/other.js", ["src/total.ts"]],
    ["src/total.d.ts", ["src/total.js"]],
    ["src/total.test.js", ["src/total.js"]],
    ["docs/total.md", ["docs/total.js"]],
  ])("%s beside %s is fine", async (added, paths) => {
    expect(await inspect("shadowing", added, null, "x", paths)).toEqual([]);
  });
});

describe("undefined_names", () => {
  it.each([
    ["a misspelt name", "const total = 1;\n", "const total = 1;\nfoo(totl);\n", ["foo", "totl"]],
    ["a name that is imported", "", 'import { a } from "a";\na();\n', []],
    ["a global", "", "console.log(process.env, setTimeout, structuredClone);\n", []],
    ["a name that was used before", "legacy();\n", "legacy();\nlegacy(2);\n", []],
    [
      "parameters, destructuring, catch, labels",
      "",
      "function f({ a, b: [c] }, ...d) { try { a(b1(c, d)); } catch (e) { e(); } }\nconst b1 = f;\n",
      [],
    ],
  ])("%s", async (_name, before, after, names) => {
    expect(
      (await inspect("undefined_names", "a.js", before, after)).map(({ message }) => message.split(" ")[0]),
    ).toEqual(names);
  });
});

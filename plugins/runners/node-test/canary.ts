/** Tests that must fail, added to a frozen test's file. */
import type { Canary, TestName } from "../../../core/plugin/mod.ts";

/** One failing use of each method of node:assert that Node 20 has. */
const ASSERTIONS: Readonly<Record<string, string>> = {
  call: "ASSERT(false)",
  ok: "ASSERT.ok(0)",
  equal: "ASSERT.equal(1, 2)",
  notEqual: "ASSERT.notEqual(1, 1)",
  strictEqual: 'ASSERT.strictEqual("a", "b")',
  notStrictEqual: 'ASSERT.notStrictEqual("a", "a")',
  deepEqual: "ASSERT.deepEqual({ a: 1 }, { a: 2 })",
  notDeepEqual: "ASSERT.notDeepEqual({ a: 1 }, { a: 1 })",
  deepStrictEqual: "ASSERT.deepStrictEqual([1, { a: 1 }], [1, { a: 2 }])",
  notDeepStrictEqual: "ASSERT.notDeepStrictEqual([1], [1])",
  match: 'ASSERT.match("a", /b/)',
  doesNotMatch: 'ASSERT.doesNotMatch("a", /a/)',
  throws: "ASSERT.throws(() => {})",
  doesNotThrow: 'ASSERT.doesNotThrow(() => { throw new Error("x"); })',
  rejects: "await ASSERT.rejects(async () => {})",
  doesNotReject: 'await ASSERT.doesNotReject(async () => { throw new Error("x"); })',
  ifError: 'ASSERT.ifError(new Error("x"))',
  fail: 'ASSERT.fail("x")',
};

/** Assertion libraries that tests use beside node:assert, with one failing use each. `LIB` is the module's namespace. */
const LIBRARIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  chai: {
    expect: "LIB.expect(1).to.equal(2)",
    deep: "LIB.expect({ a: 1 }).to.deep.equal({ a: 2 })",
    assert: "LIB.assert.strictEqual(1, 2)",
  },
  expect: { toBe: "LIB.expect(1).toBe(2)", toEqual: "LIB.expect({ a: 1 }).toEqual({ a: 2 })" },
};

interface Way {
  readonly name: string;
  readonly body: string;
}

/**
 * Fails in every way that the file's own tests could: each method of node:assert and node:assert/strict, the methods of the test context and
 * of an assertion library where the file uses them, and a thrown error. Production that replaces a method (`assert.equal = () => {}`) is caught by
 * that method's test. A thrown error nothing can mute but the runner itself. The names open with the target's titles, so that a name filter
 * for the target runs them too. Null for a file that is no JavaScript or TypeScript, or that imports in no way that is known.
 */
export function canary(test: TestName, source: string, seed: string): Canary | null {
  const modules = moduleKind(test.file, source);
  const word = seed.replace(/[^A-Za-z0-9]/g, "");
  if (modules === null || word === "") return null;
  const local = (name: string): string => `yada_${name}_${word}`;
  const imports = [
    { from: "node:test", as: local("test"), member: "test" },
    { from: "node:assert", as: local("assert"), member: "default" },
    { from: "node:assert/strict", as: local("strict"), member: "default" },
  ];
  const ways: Way[] = [
    ...assertions("assert", local("assert")),
    ...assertions("strict", local("strict")),
    { name: "throw", body: `throw new Error(${literal(word)})` },
  ];
  if (/\.assert\s*\./.test(source.replace(/\bchai\.assert/g, ""))) {
    ways.push(
      { name: "context equal", body: "context.assert.strictEqual(1, 2)" },
      { name: "context deep", body: "context.assert.deepStrictEqual({ a: 1 }, { a: 2 })" },
    );
  }
  for (const [library, uses] of Object.entries(LIBRARIES)) {
    if (!new RegExp(`["']${library}["']`).test(source)) continue;
    imports.push({ from: library, as: local(library), member: "*" });
    for (const [name, body] of Object.entries(uses)) {
      ways.push({ name: `${library} ${name}`, body: body.replaceAll("LIB", local(library)) });
    }
  }
  const base = `${test.name.split(" > ").join(" ")} ${word}`;
  const names = ways.map(({ name }) => `${base} ${name}`);
  const only = /\bonly\b/.test(source) ? "{ only: true }, " : "";
  const tests = ways.map(
    ({ body }, index) => `${local("test")}(${literal(names[index] ?? "")}, ${only}async (context) => { ${body}; });`,
  );
  const head = imports.map(({ from, as, member }) => (modules === "esm" ? imported : required)(from, as, member));
  return { path: test.file, text: `${source}\n;${[...head, ...tests].join("\n")}\n`, names };
}

function assertions(module: string, name: string): readonly Way[] {
  return Object.entries(ASSERTIONS).map(([method, body]) => ({
    name: `${module} ${method}`,
    body: body.replaceAll("ASSERT", name),
  }));
}

function imported(from: string, as: string, member: string): string {
  return member === "*" ? `import * as ${as} from "${from}";` : `import { ${member} as ${as} } from "${from}";`;
}

function required(from: string, as: string, member: string): string {
  return `const ${as} = require("${from}")${member === "test" ? ".test" : ""};`;
}

/** By the extension, then by how the file gets node:test, then by its first import. */
function moduleKind(file: string, source: string): "esm" | "cjs" | null {
  const extension = /\.([cm]?)[jt]sx?$/.exec(file);
  if (extension === null) return null;
  if (extension[1] === "m") return "esm";
  if (extension[1] === "c") return "cjs";
  const before = (pattern: RegExp): number => pattern.exec(source)?.index ?? Number.POSITIVE_INFINITY;
  const pairs = [
    [/^\s*import\b[^;]*?["']node:test["']/m, /\brequire\s*\(\s*["']node:test["']\s*\)/],
    [/^\s*(import\s*[\w*{"']|export\s+[\w*{])/m, /\brequire\s*\(/],
  ] as const;
  for (const [esm, cjs] of pairs) {
    if (before(esm) < before(cjs)) return "esm";
    if (before(cjs) < before(esm)) return "cjs";
  }
  return null;
}

/** A string literal that no line separator can break. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

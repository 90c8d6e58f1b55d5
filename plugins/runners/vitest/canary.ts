/** Tests that must fail, added to a frozen test's file. */
import type { Canary, TestName } from "../../../core/plugin/mod.ts";

/**
 * Each fails in a way of its own: a matcher of expect, chai's assert, a thrown error and, where the file uses it, node:assert. Production
 * that mutes one of them is caught by that one. The names open with the target's titles, so that a `-t` filter for the target runs them too.
 */
export function canary(test: TestName, source: string, seed: string): Canary | null {
  if (!/\.[cm]?[jt]sx?$/.test(test.file) || source.includes("import.meta.vitest")) return null;
  const word = seed.replace(/[^A-Za-z0-9]/g, "");
  if (word === "") return null;
  const base = `${test.name.split(" > ").join(" ")} canary ${word}`;
  const local = (name: string): string => `yada_${name}_${word}`;
  const ways: { readonly name: string; readonly imports: string; readonly body: string }[] = [
    { name: "expect", imports: "", body: `${local("expect")}(${literal(`${word}a`)}).toBe(${literal(`${word}b`)});` },
    { name: "equal", imports: "", body: `${local("expect")}({ a: 1 }).toEqual({ a: 2 });` },
    {
      name: "assert",
      imports: "",
      body: `${local("assert")}.strictEqual(${literal(`${word}a`)}, ${literal(`${word}b`)});`,
    },
    { name: "throw", imports: "", body: `throw new Error(${literal(word)});` },
  ];
  const nodeAssert = /["'](node:)?assert(\/strict)?["']/.test(source);
  if (nodeAssert) {
    ways.push({
      name: "node",
      imports: `import ${local("node")} from "node:assert";`,
      body: `${local("node")}.strictEqual(${literal(`${word}a`)}, ${literal(`${word}b`)});`,
    });
  }
  // Where the file marks tests with `.only`, all others are left out.
  const only = /\.only\b/.test(source) ? ".only" : "";
  const names = ways.map((way) => `${base} ${way.name}`);
  const lines = [
    `import { test as ${local("test")}, expect as ${local("expect")}, assert as ${local("assert")} } from "vitest";`,
    ...ways.map((way) => way.imports).filter((line) => line !== ""),
    ...ways.map((way, index) => `${local("test")}${only}(${literal(names[index] ?? "")}, () => { ${way.body} });`),
  ];
  return { path: test.file, text: `${source}\n;${lines.join("\n")}\n`, names };
}

/** A string literal that no line separator can break. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** Every `@example` in a docstring runs as it stands. A line `expression; // value` is an assertion. `npm run build` comes first: examples import the package. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const place = mkdtempSync(join(tmpdir(), "yada-examples-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const examples = ["core", "plugins", "hosts"]
  .flatMap(filesOf)
  .flatMap((file) =>
    [
      ...readFileSync(join(root, file), "utf8").matchAll(
        /@example\n((?:\s*\*.*\n)*?)\s*\* ```ts\n([\s\S]*?)\s*\* ```/g,
      ),
    ].map(([, , code = ""], index) => ({ name: `${file} ${index + 1}`, code: code.replace(/^\s*\* ?/gm, "") })),
  );

// An example of what a folder keeps to itself imports nothing, so it is for readers only.
const runnable = examples.filter(({ code }) => code.includes('from "yada-runtime'));

it("there are some", () => {
  expect(runnable.length).toBeGreaterThan(2);
});

it.each(runnable)("$name", async ({ name, code }) => {
  const asserted = code.replace(/^(if \(.*?\) )?(\S.*); \/\/ (.+)$/gm, "$1assert.deepStrictEqual($2, $3);");
  expect(asserted, "the example shows no value").toContain("assert.deepStrictEqual(");
  const { outputText } = ts.transpileModule(asserted, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const linked = outputText
    .replaceAll('"yada-runtime/node"', JSON.stringify(pathToFileURL(join(root, "dist/node.mjs")).href))
    .replaceAll('"yada-runtime"', JSON.stringify(pathToFileURL(join(root, "dist/index.mjs")).href));
  const file = join(place, `${name.replace(/\W+/g, "-")}.mjs`);
  writeFileSync(file, `import assert from "node:assert/strict";\n${linked}`);
  await import(pathToFileURL(file).href);
});

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(join(root, path)).isDirectory()) return filesOf(path);
    return path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes(".generated.") ? [path] : [];
  });
}

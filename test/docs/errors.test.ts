import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OUTCOMES } from "../../core/evidence/mod.ts";
import { CODES } from "../../core/run/mod.ts";

const root = join(import.meta.dirname, "../..");

it("docs/errors.md has one row for each code, with the table's own words", () => {
  const page = readFileSync(join(root, "docs/errors.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| (.*?) \| (.*?) \|$/gm)].map(([, code, meaning, next]) => [
    code,
    { meaning, next },
  ]);
  expect(Object.fromEntries(rows)).toEqual({ ...CODES });
});

it("every code that a tool call can be refused with stands in the table", () => {
  const sources = [...filesOf("core/run"), ...filesOf("core/tools"), ...filesOf("core/edit")];
  const used = new Set<string>();
  for (const file of sources) {
    const text = readFileSync(file, "utf8");
    for (const [, code = ""] of text.matchAll(/\bcode: "([a-z_]+)"/g)) used.add(code);
    for (const [, code = ""] of text.matchAll(/\b(?:refusal|refuse)\(\s*"([a-z_]+)"/g)) used.add(code);
  }
  // Codes that are not refusals of a call: faults of the kernel, of a trace line, of a registry.
  const elsewhere = new Set([
    "invalid_transition",
    "write_failed",
    "invalid_plugin",
    "duplicate_plugin",
    "guard_broke",
  ]);
  const unknown = [...used].filter((code) => !(code in CODES) && !(code in OUTCOMES) && !elsewhere.has(code));
  expect(unknown).toEqual([]);
  expect(used.size).toBeGreaterThan(20);
});

function filesOf(folder: string): string[] {
  const path = join(root, folder);
  return readdirSync(path).flatMap((name) => {
    if (statSync(join(path, name)).isDirectory()) return filesOf(join(folder, name));
    return name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "codes.ts" && name !== "trace.ts"
      ? [join(path, name)]
      : [];
  });
}

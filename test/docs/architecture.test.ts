import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/architecture.md"), "utf8");

it("every folder of core and every kind of plugin that has code stands in the table, and the table names no other", () => {
  const rows = [...page.matchAll(/^\| ((?:core|plugins|hosts)\/[\w/]+)\s*\|/gm)].map(([, folder = ""]) => folder);
  const withCode = (parent: string) =>
    readdirSync(join(root, parent), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && readdirSync(join(root, parent, entry.name)).length > 0)
      .map(({ name }) => `${parent}/${name}`);
  expect(rows.sort()).toEqual([...withCode("core"), ...withCode("plugins"), ...withCode("hosts")].sort());
});

it("every file that it names exists", () => {
  const files = [...page.matchAll(/\b(?:core|plugins|hosts|test|scripts)\/[\w./-]+\.(?:ts|mjs|json)\b/g)].map(
    ([file]) => file,
  );
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it("README.md names only pages and scripts that exist", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const links = [...readme.matchAll(/\]\((docs\/[\w-]+\.md)\)/g)].map(([, file = ""]) => file);
  expect(links.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  for (const [, name = ""] of readme.matchAll(/npm run (\w+)/g)) expect(scripts).toHaveProperty(name);
});

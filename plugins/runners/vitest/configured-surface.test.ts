import picomatch from "picomatch";
import { expect, test } from "vitest";
import { configuredSurface } from "./configured-surface.ts";

async function of(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return configuredSurface({
    list: (glob) => {
      const matches = glob === undefined ? null : picomatch(glob, { dot: true });
      return Object.keys(files).filter((path) => matches === null || matches(path));
    },
    text: async (path) => files[path] ?? null,
  });
}

test("set-up files and environments that the configuration names", async () => {
  const config = `export default { test: {
    setupFiles: ["./src/testing/dom.ts", 'src/testing/more'], globalSetup: "./db.js", environment: "jsdom" } };`;
  const files = {
    "vitest.config.ts": config,
    "src/testing/dom.ts": "",
    "src/testing/more.mts": "",
    "db.js": "",
    "src/a.ts": "",
  };
  expect(await of(files)).toEqual(["db.js", "src/testing/dom.ts", "src/testing/more.mts"]);
});

test("what the configuration imports, and what that names in turn", async () => {
  const files = {
    "packages/a/vite.config.ts":
      'import { shared } from "../../shared.ts"; import react from "react"; export default shared;',
    "shared.ts": 'export const shared = { test: { setupFiles: ["./prepare.ts"] } };',
    "prepare.ts": 'import "./src/a.ts";',
    "src/a.ts": "",
  };
  expect(await of(files)).toEqual(["prepare.ts", "shared.ts"]);
});

test("aliases, patterns and files that are not there name nothing", async () => {
  const config =
    'export default { resolve: { alias: { a: "./src/a.ts" } }, test: { include: ["src/**/*.test.ts"], setupFiles: ["./gone.ts"] } };';
  expect(await of({ "vitest.config.ts": config, "src/a.ts": "" })).toEqual([]);
});

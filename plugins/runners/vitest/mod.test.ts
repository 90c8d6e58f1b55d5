import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import type { FileView } from "../../../core/plugin/mod.ts";
import { vitest } from "./mod.ts";

function view(files: Readonly<Record<string, string>>): FileView {
  return {
    list: (glob) => {
      const matches = glob === undefined ? null : picomatch(glob, { dot: true });
      return Object.keys(files).filter((path) => matches === null || matches(path));
    },
    text: async (path) => files[path] ?? null,
  };
}

describe("detect", () => {
  test.each([
    ["a configuration", { "vitest.config.ts": "" }],
    ["a configuration of a package", { "packages/a/vitest.config.mts": "" }],
    ["a development dependency", { "package.json": '{"devDependencies":{"vitest":"^4"}}' }],
    ["a dependency of a package", { "packages/a/package.json": '{"dependencies":{"vitest":"^4"}}' }],
    ["a script", { "package.json": '{"scripts":{"test":"vitest run"}}' }],
  ])("%s speaks for vitest", async (_, files) => {
    expect(await vitest.detect(view(files))).toBe(true);
  });

  test.each([
    ["another runner", { "package.json": '{"devDependencies":{"jest":"^30"}}' }],
    [
      "an installed package",
      { "node_modules/x/vitest.config.ts": "", "node_modules/x/package.json": '{"devDependencies":{"vitest":"1"}}' },
    ],
    ["a broken package.json", { "package.json": "{" }],
    ["nothing", {}],
  ])("%s does not", async (_, files) => {
    expect(await vitest.detect(view(files))).toBe(false);
  });
});

describe("surface", () => {
  const matches = picomatch(
    vitest.surface.filter((entry) => !entry.includes("#")),
    { dot: true },
  );

  test.each([
    "vitest.config.ts",
    "packages/a/vitest.config.mts",
    "vitest.unit.config.ts",
    "vitest.workspace.json",
    "vite.config.js",
    "postcss.config.cjs",
    ".postcssrc.json",
    "tsconfig.json",
    "packages/a/tsconfig.test.json",
    "vitest.setup.ts",
    "test/setup.ts",
    "src/setupTests.js",
    "tests/global-setup.ts",
    "test/setup-dom.ts",
    "tests/setup.server.ts",
    "setup.ts",
    "test/setup/dom.ts",
    "__mocks__/fs.js",
    "src/__mocks__/calc.ts",
    "src/__snapshots__/a.test.ts.snap",
    ".env",
    ".env.test.local",
    "packages/a/.env.test",
    "src/node_modules/left-pad/index.js",
    ".npmrc",
    ".babelrc.json",
  ])("holds %s", (path) => {
    expect(matches(path)).toBe(true);
  });

  test.each([
    "src/calc.ts",
    "src/setup-wizard.ts",
    "src/setup.ts",
    "src/setup/install.ts",
    "test/calc.test.ts",
    "package.json",
    "docs/vitest.md",
    "src/env.ts",
    "src/config.ts",
  ])("does not hold %s", (path) => {
    expect(matches(path)).toBe(false);
  });

  test("names the keys of package.json that start the tests, not the file", () => {
    expect(vitest.surface).toContain("package.json#/scripts/test");
    expect(vitest.surface).not.toContain("package.json");
  });
});

describe("canary", () => {
  const source = 'import { test } from "vitest";\ntest("t", () => {});';

  test("keeps the file's own text, and the same seed gives the same canary", () => {
    const canary = vitest.canary({ file: "a.test.js", name: "t" }, source, "s1");
    expect(canary?.text.startsWith(source)).toBe(true);
    expect(vitest.canary({ file: "a.test.js", name: "t" }, source, "s1")).toEqual(canary);
    expect(vitest.canary({ file: "a.test.js", name: "t" }, source, "s2")?.names).not.toEqual(canary?.names);
  });

  test.each([
    ["production with tests inside", "src/a.ts", "if (import.meta.vitest) {}"],
    ["a component", "a.vue", source],
    ["a document", "a.test.md", source],
  ])("%s can take none", (_, file, text) => {
    expect(vitest.canary({ file, name: "t" }, text, "s1")).toBeNull();
  });
});

describe("parse", () => {
  const json = JSON.stringify({
    success: true,
    testResults: [{ name: "/l/a.test.js", status: "passed", message: "", assertionResults: [] }],
  });

  test("takes vitest's own JSON where no nonce is asked for", () => {
    expect(vitest.parse(json)).toMatchObject({ whole: true, runner: { name: "vitest" } });
  });

  test("does not take it for the report of a run that has a nonce", () => {
    expect(vitest.parse(json, { nonce: "n" }).whole).toBe(false);
  });

  test.each(["", "\u0000", "null", "[]", "{}"])("%j is no report, and nothing is thrown", (text) => {
    expect(vitest.parse(text)).toMatchObject({ whole: false, tests: [], problems: [{ code: "runner" }] });
  });
});

import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import type { FileView } from "../../../core/plugin/mod.ts";
import { configuredSurface } from "./configured-surface.ts";
import { nodeTest } from "./mod.ts";
import { source as operandsSource } from "./operands.ts";
import { source as preloadSource } from "./preload.generated.ts";
import { source as reporterSource } from "./reporter.generated.ts";

function view(files: Readonly<Record<string, string>>): FileView {
  return {
    list: (glob) => Object.keys(files).filter((path) => glob === undefined || picomatch(glob, { dot: true })(path)),
    text: async (path) => files[path] ?? null,
  };
}

describe("detect", () => {
  test.for([
    { "package.json": '{"scripts":{"test":"node --test"}}' },
    { "package.json": '{"scripts":{"test":"c8 node --import tsx --test src"}}' },
    { "packages/a/package.json": '{"scripts":{"unit":"tsx --test"}}' },
    { "src/a.test.js": 'import test from "node:test";' },
    { "test/deep/a.cjs": "const { test } = require('node:test');" },
    { "a_test.mts": 'import { test } from "node:test";' },
  ])("%j", async (files) => {
    expect(await nodeTest.detect(view(files))).toBe(true);
  });

  test.for([
    {},
    { "package.json": '{"scripts":{"test":"vitest run"}}' },
    { "package.json": "not json" },
    { "package.json": '{"scripts":{"test":"node --test-reporter=x run.js"}}' },
    { "src/a.js": 'import test from "node:test";' },
    { "test/node_modules/x/a.test.js": 'import test from "node:test";' },
    { "src/a.test.js": 'import { test } from "vitest";' },
  ])("not: %j", async (files) => {
    expect(await nodeTest.detect(view(files))).toBe(false);
  });
});

describe("surface", () => {
  const matches = (path: string): boolean => nodeTest.surface.some((glob) => picomatch(glob, { dot: true })(path));

  test.for([
    ".npmrc",
    "node.config.json",
    ".env",
    ".env.test",
    "test/setup.js",
    "test/helpers/setup-db.mjs",
    "test-setup.cjs",
    "test/a.test.js.snapshot",
    "tsconfig.json",
    "node_modules/assert/index.js",
    "test/loader.mjs",
    "test/hooks/resolve.js",
  ])("%s", (path) => {
    expect(matches(path)).toBe(true);
  });

  test.for(["src/setup/index.js", "src/a.js", "test/a.test.js", "package.json", "src/loader.js", "README.md"])(
    "not: %s",
    (path) => {
      expect(matches(path)).toBe(false);
    },
  );

  test("names the keys of package.json that start the tests or say what a file is", () => {
    expect(nodeTest.surface).toEqual(
      expect.arrayContaining(["package.json#/scripts/test", "**/package.json#/type", "package.json#/imports"]),
    );
  });

  test("what the scripts load belongs to it, with the hooks that it registers", async () => {
    const files = view({
      "package.json": JSON.stringify({
        scripts: {
          test: "node -r ./boot.cjs --import=./register --experimental-loader ./loader.mjs --import tsx --env-file .env.ci --test",
          unit: "node --test-global-setup='./global.mjs' --test",
          start: "node src/main.js",
        },
      }),
      "packages/a/package.json": '{"scripts":{"test":"node --import ../../shared.mjs --test"}}',
      "boot.cjs": 'require("./src/main.js");',
      "register.js": 'import { register } from "node:module"; register("./hooks.js", import.meta.url);',
      "hooks.js": "",
      "loader.mjs": "",
      ".env.ci": "",
      "global.mjs": "",
      "shared.mjs": "",
      "src/main.js": "",
    });
    expect(await configuredSurface(files)).toEqual([
      ".env.ci",
      "boot.cjs",
      "global.mjs",
      "hooks.js",
      "loader.mjs",
      "register.js",
      "shared.mjs",
    ]);
  });
});

test("the sources that run inside Node are whole", () => {
  expect(reporterSource).toContain("export default async function*");
  expect(preloadSource).toContain("yada:exit");
  expect(operandsSource).toContain("process.argv");
});

test("both sides of the seal read the same text", () => {
  const body = (source: string): string | undefined =>
    /function sealedText\([^)]*\) \{\n([\s\S]*?)\n\}\n/.exec(source)?.[1]?.replace("JSON.stringify", "stringify");
  expect(body(preloadSource)).toBeDefined();
  expect(body(preloadSource)).toBe(body(reporterSource));
});

test("a text that is no report gives none", () => {
  for (const text of ["", "TAP version 13\nok 1 - t", "{}", "null", '{"yada":"report/2"}']) {
    expect(nodeTest.parse(text)).toMatchObject({ whole: false, tests: [] });
  }
});

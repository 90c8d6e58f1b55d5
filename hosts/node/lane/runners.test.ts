import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { probeIsolation } from "../process/mod.ts";
import { checkout, type Files, onDisk, removeTemporary, revisions, temporary } from "./checkout.fixture.ts";
import { type LaneCommands, laneCommands } from "./lane-commands.ts";

/** The packages that this repository itself has installed. */
const installed = join(import.meta.dirname, "../../../node_modules");

const probe = await probeIsolation();
if (probe.engine === "none") console.warn(`The tests of bubblewrap are skipped. ${probe.message}`);
const engines = probe.engine === "bwrap" ? (["none", "bwrap"] as const) : (["none"] as const);

const { tree, objects } = revisions();

/** A monorepo whose `app` imports its sibling `lib` by its name, with a test that wants to hear `lane` from it. */
const project = (said: string): Files => ({
  ".gitignore": "node_modules\n",
  "package.json": JSON.stringify({ private: true, type: "module", workspaces: ["packages/*"] }),
  "packages/lib/package.json": JSON.stringify({ name: "lib", type: "module", exports: "./index.js" }),
  "packages/lib/index.js": `export const said = ${JSON.stringify(said)};\n`,
  "packages/app/package.json": JSON.stringify({ name: "app", type: "module", dependencies: { lib: "*" } }),
  "packages/app/main.js": 'import { said } from "lib";\nexport const answer = () => said;\n',
  "packages/app/main.test.js":
    'import { expect, test } from "vitest";\nimport { answer } from "./main.js";\ntest("answers", () => expect(answer()).toBe("lane"));\n',
  "packages/app/main.node.js":
    'import assert from "node:assert";\nimport test from "node:test";\nimport { answer } from "./main.js";\ntest("answers", () => assert.equal(answer(), "lane"));\n',
  "vitest.config.js":
    'import { defineConfig } from "vitest/config";\nexport default defineConfig({ test: { name: "project" } });\n',
});

const links: Files = {
  ...Object.fromEntries(
    readdirSync(installed)
      .filter((name) => !/^\.(cache|vite|vite-temp)$/.test(name))
      .map((name) => [`node_modules/${name}`, `-> ${join(installed, name)}`]),
  ),
  "node_modules/lib": "-> ../packages/lib",
  "node_modules/app": "-> ../packages/app",
};

const runners: readonly [string, string[], RegExp, RegExp][] = [
  [
    "vitest",
    ["npx", "vitest", "run", "--reporter=json", "--outputFile={report}"],
    /"status":"passed"/,
    /"status":"failed"/,
  ],
  [
    "vitest without npx",
    ["vitest", "run", "--reporter=json", "--outputFile={report}"],
    /"status":"passed"/,
    /"status":"failed"/,
  ],
  [
    "node:test",
    ["node", "--test", "--test-reporter=tap", "--test-reporter-destination={report}", "packages/app/main.node.js"],
    /^ok 1 - answers/m,
    /^not ok 1 - answers/m,
  ],
];

describe.each(engines)("with isolation %s", (isolation) => {
  let root = "";
  let commands: LaneCommands;
  beforeAll(() => {
    // The checkout's own copy of `lib` would fail the test that the lane passes, and the other way round.
    root = checkout({ ...project("checkout"), ...links });
    commands = laneCommands({ root, isolation, directory: temporary() });
  });
  afterAll(async () => {
    await commands.dispose();
    removeTemporary();
  });

  test.each(runners)("%s runs the lane's code, over sibling packages too", async (_name, argv, passed, failed) => {
    const before = onDisk(root);
    const base = { objects, argv, env: {}, files: {}, report: "file", timeoutMs: 60_000, network: false } as const;
    const good = await commands.run({ ...base, tree: await tree(project("lane")), purpose: "evidence" });
    expect(good).toMatchObject({ exit: { code: 0, signal: null, timedOut: false }, stray: [] });
    expect(good.report).toMatch(passed);
    const bad = await commands.run({ ...base, tree: await tree(project("checkout")), purpose: "evidence" });
    expect(bad.exit.code).toBe(1);
    expect(bad.report).toMatch(failed);
    expect(onDisk(root)).toEqual(before);
  });
});

import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { probeIsolation } from "../process/mod.ts";
import { checkout, type Files, onDisk, removeTemporary, revisions, temporary, write } from "./checkout.fixture.ts";
import { createLane, type Lane } from "./lane.ts";

const lanes: Lane[] = [];
afterEach(async () => {
  for (const lane of lanes.splice(0)) await lane.dispose();
  removeTemporary();
});

const probe = await probeIsolation();
if (probe.engine === "none") console.warn(`The tests of bubblewrap are skipped. ${probe.message}`);
const engines = probe.engine === "bwrap" ? (["none", "bwrap"] as const) : (["none"] as const);

const { tree, objects } = revisions();

async function laneOf(root: string, files: Files, isolation: "none" | "bwrap" = "none"): Promise<Lane> {
  const lane = await createLane({ root, isolation, directory: temporary() });
  lanes.push(lane);
  await lane.sync(await tree(files), objects, { reset: true });
  return lane;
}

const run = (lane: Lane, ...argv: string[]) =>
  lane.run({ argv, env: {}, files: {}, report: "none", timeoutMs: 60_000, network: false, purpose: "command" });

const manifest = (name: string, more: object = {}) => JSON.stringify({ name, version: "1.0.0", ...more });

/** Files that a monorepo tracks, with `said` as what its package `b` says. */
const tracked = (said: string): Files => ({
  "package.json": manifest("root", { workspaces: ["packages/*"] }),
  "packages/a/package.json": manifest("a", { dependencies: { b: "*" } }),
  "packages/a/index.js": "module.exports = `a of ${require('b')}`\n",
  "packages/b/package.json": manifest("b", { bin: { "say-b": "cli.js" } }),
  "packages/b/index.js": `module.exports = "${said}"\n`,
  "packages/b/cli.js": "#!/usr/bin/env node\nconsole.log(require('./index.js'))\n",
});

/** What package managers install beside them. `plugin` depends on the repository's own `b`, `preset` on `plugin`. */
const layouts: Readonly<Record<string, Files>> = {
  "npm workspaces": {
    "node_modules/a": "-> ../packages/a",
    "node_modules/b": "-> ../packages/b",
    "node_modules/.bin/say-b": "-> ../b/cli.js",
    "node_modules/.bin/dep": "-> ../dep/cli.js",
    "node_modules/dep/package.json": manifest("dep"),
    "node_modules/dep/index.js": "module.exports = 'dep'\n",
    "node_modules/dep/cli.js": "#!/usr/bin/env node\nconsole.log('dep cli')\n",
    "node_modules/@s/scoped/package.json": manifest("@s/scoped"),
    "node_modules/@s/scoped/index.js": "module.exports = `scoped with ${require('dep')}`\n",
    "node_modules/plugin/package.json": manifest("plugin", { peerDependencies: { b: "*" } }),
    "node_modules/plugin/index.js": "module.exports = `plugin of ${require('b')}`\n",
    "node_modules/@s/preset/package.json": manifest("@s/preset", { dependencies: { plugin: "*", dep: "*" } }),
    "node_modules/@s/preset/index.js": "module.exports = `preset of ${require('plugin')} and ${require('dep')}`\n",
  },
  "pnpm workspaces": {
    "node_modules/.modules.yaml": "layoutVersion: 5\n",
    "node_modules/b": "-> ../packages/b",
    "node_modules/dep": "-> .pnpm/dep@1.0.0/node_modules/dep",
    "node_modules/plugin": "-> .pnpm/plugin@1.0.0/node_modules/plugin",
    "node_modules/@s/scoped": "-> ../.pnpm/@s+scoped@1.0.0/node_modules/@s/scoped",
    "node_modules/@s/preset": "-> ../.pnpm/@s+preset@1.0.0/node_modules/@s/preset",
    "node_modules/.bin/say-b": '#!/bin/sh\nexec node "$(dirname "$0")/../../packages/b/cli.js" "$@"\n',
    "node_modules/.bin/dep": '#!/bin/sh\nexec node "$(dirname "$0")/../dep/cli.js" "$@"\n',
    "packages/a/node_modules/b": "-> ../../b",
    "node_modules/.pnpm/node_modules/dep": "-> ../dep@1.0.0/node_modules/dep",
    "node_modules/.pnpm/node_modules/plugin": "-> ../plugin@1.0.0/node_modules/plugin",
    "node_modules/.pnpm/dep@1.0.0/node_modules/dep/package.json": manifest("dep"),
    "node_modules/.pnpm/dep@1.0.0/node_modules/dep/index.js": "module.exports = 'dep'\n",
    "node_modules/.pnpm/dep@1.0.0/node_modules/dep/cli.js": "#!/usr/bin/env node\nconsole.log('dep cli')\n",
    "node_modules/.pnpm/@s+scoped@1.0.0/node_modules/@s/scoped/package.json": manifest("@s/scoped"),
    "node_modules/.pnpm/@s+scoped@1.0.0/node_modules/@s/scoped/index.js":
      "module.exports = `scoped with ${require('dep')}`\n",
    "node_modules/.pnpm/@s+scoped@1.0.0/node_modules/dep": "-> ../../dep@1.0.0/node_modules/dep",
    "node_modules/.pnpm/plugin@1.0.0/node_modules/plugin/package.json": manifest("plugin", {
      dependencies: { b: "*" },
    }),
    "node_modules/.pnpm/plugin@1.0.0/node_modules/plugin/index.js": "module.exports = `plugin of ${require('b')}`\n",
    "node_modules/.pnpm/plugin@1.0.0/node_modules/b": "-> ../../../../packages/b",
    "node_modules/.pnpm/@s+preset@1.0.0/node_modules/@s/preset/package.json": manifest("@s/preset", {
      dependencies: { plugin: "*", dep: "*" },
    }),
    "node_modules/.pnpm/@s+preset@1.0.0/node_modules/@s/preset/index.js":
      "module.exports = `preset of ${require('plugin')} and ${require('dep')}`\n",
    "node_modules/.pnpm/@s+preset@1.0.0/node_modules/plugin": "-> ../../plugin@1.0.0/node_modules/plugin",
    "node_modules/.pnpm/@s+preset@1.0.0/node_modules/dep": "-> ../../dep@1.0.0/node_modules/dep",
  },
};

describe.each(engines)("with isolation %s", (isolation) => {
  describe.each(Object.entries(layouts))("%s: no code of the checkout is loaded", (_name, installed) => {
    const project = () => checkout({ ...tracked("the checkout"), ...installed, ".gitignore": "node_modules\n" });

    test.each<[string, string[], string]>([
      ["a package from its sibling", ["node", "-p", "require('./packages/a')"], "a of the lane"],
      ["a package from the root", ["node", "-p", "require('b')"], "the lane"],
      ["an executable of a package", ["say-b"], "the lane"],
      ["an installed package", ["node", "-p", "require('dep')"], "dep"],
      ["an installed executable", ["dep"], "dep cli"],
      ["a scoped package", ["node", "-p", "require('@s/scoped')"], "scoped with dep"],
      [
        "an installed package that depends on one of the repository",
        ["node", "-p", "require('plugin')"],
        "plugin of the lane",
      ],
      ["and one that depends on that", ["node", "-p", "require('@s/preset')"], "preset of plugin of the lane and dep"],
      [
        "one instance of each",
        [
          "node",
          "-p",
          "Object.keys(require.cache).length + require('plugin').slice(0, 0) + Object.keys(require.cache).filter((f) => /packages.b.index/.test(f)).length",
        ],
        "01",
      ],
    ])("%s", async (_what, argv, said) => {
      const lane = await laneOf(project(), { ...tracked("the lane"), ".gitignore": "node_modules\n" }, isolation);
      const result = await run(lane, ...argv);
      expect(result.cannotRun).toBeUndefined();
      expect(result.output.trim()).toBe(said);
      expect(result.stray).toEqual([]);
    });

    test("a package that the revision no longer has is not loaded from the checkout", async () => {
      const { "packages/b/index.js": _gone, ...rest } = tracked("the lane");
      const lane = await laneOf(project(), rest, isolation);
      expect((await run(lane, "node", "-p", "require('b')")).output).toMatch(/Cannot find module/);
    });
  });

  test("a lane's caches are its own, and empty again after a reset", async () => {
    const root = checkout({ "node_modules/.cache/old": "old", "node_modules/.vite/old": "old", "package.json": "{}" });
    const before = onDisk(root);
    const lane = await laneOf(root, { "package.json": "{}" }, isolation);
    const script =
      "ls -A node_modules/.*e node_modules/.vite-temp; echo x > node_modules/.cache/new; rm -r node_modules/.vite";
    const { output, exit } = await run(lane, "sh", "-c", script);
    expect(output).not.toContain("old");
    expect(exit.code).toBe(0);
    expect(onDisk(root)).toEqual(before);
    await lane.sync(await tree({ "package.json": "{}" }), objects, { reset: true });
    const caches = { "node_modules/.cache/": "", "node_modules/.vite/": "", "node_modules/.vite-temp/": "" };
    expect(onDisk(lane.root)).toEqual({ "package.json": "{}", ...caches });
  });

  test("what a command does to the links is undone by a reset", async () => {
    const root = checkout({ ...tracked("x"), ...layouts["npm workspaces"] });
    const lane = await laneOf(root, tracked("x"), isolation);
    const [linked, checkoutBefore] = [onDisk(lane.root), onDisk(root)];
    const script = `cd node_modules && rm dep b && mkdir dep && echo "module.exports = 'evil'" > dep/index.js &&
      ln -s /tmp b && rm -r .bin @s/scoped && echo x > evil.js && ln -s /etc @s/evil && echo "module.exports = 1" > plugin/index.js`;
    expect((await run(lane, "sh", "-c", script)).exit.code).toBe(0);
    await lane.sync(await tree(tracked("x")), objects, { reset: true });
    expect(onDisk(lane.root)).toEqual(linked);
    expect(onDisk(root)).toEqual(checkoutBefore);
  });
});

test("a revision that holds files below node_modules has its own, and the rest is linked", async () => {
  const root = checkout({ "node_modules/dep/index.js": "installed\n", "node_modules/other/index.js": "installed\n" });
  const lane = await laneOf(root, { "package.json": "{}" });
  const own = { "package.json": "{}", "node_modules/dep/index.js": "of the revision\n" };
  await lane.sync(await tree(own), objects, { reset: false });
  expect(onDisk(lane.root)).toMatchObject({ ...own, "node_modules/other": `-> ${root}/node_modules/other` });
  expect(onDisk(root)["node_modules/dep/index.js"]).toBe("installed\n");
  await lane.sync(await tree({ "package.json": "{}" }), objects, { reset: false });
  expect(onDisk(lane.root)["node_modules/dep"]).toBe(`-> ${root}/node_modules/dep`);
});

test("packages that come and go with the revision bring their links and take them away", async () => {
  const root = checkout({ "packages/a/node_modules/dep/index.js": "", "node_modules/x/index.js": "" });
  const lane = await laneOf(root, { "readme.md": "" });
  expect(existsSync(join(lane.root, "packages"))).toBe(false);
  await lane.sync(await tree({ "packages/a/package.json": "{}" }), objects, { reset: false });
  expect(onDisk(lane.root)["packages/a/node_modules/dep"]).toBe(`-> ${root}/packages/a/node_modules/dep`);
  await lane.sync(await tree({ "readme.md": "" }), objects, { reset: false });
  expect(existsSync(join(lane.root, "packages"))).toBe(false);
});

test("a package that was installed since is there after the next reset", async () => {
  const root = checkout({ "node_modules/x/index.js": "" });
  const lane = await laneOf(root, { "package.json": "{}" });
  await run(lane, "true");
  write(root, { "node_modules/new/index.js": "module.exports = 'new'" });
  await lane.sync(await tree({ "package.json": "{}" }), objects, { reset: true });
  expect((await run(lane, "node", "-p", "require('new')")).output).toBe("new\n");
});

test("node_modules that is itself a link to another folder is linked entry by entry", async () => {
  const shared = temporary();
  write(shared, { "dep/index.js": "module.exports = 'shared'" });
  const root = checkout({ node_modules: `-> ${shared}` });
  const lane = await laneOf(root, { "package.json": "{}" });
  expect((await run(lane, "node", "-p", "require('dep')")).output).toBe("shared\n");
  expect(realpathSync(join(lane.root, "node_modules"))).toBe(join(lane.root, "node_modules"));
});

test("a link of the revision that leads into the checkout is named, and nothing runs", async () => {
  const root = checkout({ "src/x.js": "checkout\n" });
  const lane = await laneOf(root, {
    "package.json": "{}",
    "direct.js": `-> ${root}/src/x.js`,
    "fine.js": "-> src/x.js",
  });
  const result = await run(lane, "cat", "direct.js");
  expect(result.cannotRun).toMatch(/^direct\.js: this link leads out of the lane into the repository/);
  await lane.sync(await tree({ "package.json": "{}" }), objects, { reset: false });
  expect((await run(lane, "true")).cannotRun).toBeUndefined();
});

describe("a virtual environment of Python", async () => {
  const python = await (async () => {
    const lane = await createLane({ root: temporary(), isolation: "none" });
    const { exit } = await run(lane, "python3", "-c", "import venv");
    await lane.dispose();
    return exit.code === 0;
  })();
  if (!python) console.warn("The tests of Python environments are skipped: there is no python3 with venv.");

  test.skipIf(!python).each(engines)(
    "loads packages of the checkout's environment and code of the lane: %s",
    async (isolation) => {
      const files = (said: string): Files => ({
        "pyproject.toml": "",
        "src/mine/__init__.py": `said = "${said}"\n`,
        ".gitignore": ".venv\n__pycache__\n",
      });
      const root = checkout(files("the checkout"));
      const scratch = await laneOf(root, files("x"));
      const made = await run(scratch, "python3", "-m", "venv", "--without-pip", join(root, ".venv"));
      expect(made.exit.code).toBe(0);
      const [version = ""] = Object.keys(onDisk(root)).flatMap(
        (path) => /^\.venv\/lib\/(python3[^/]*)\//.exec(path)?.[1] ?? [],
      );
      const { output: folder } = await run(
        scratch,
        join(root, ".venv/bin/python"),
        "-c",
        "import sysconfig; print(sysconfig.get_path('purelib'))",
      );
      write(folder.trim(), {
        "editable.pth": `${root}/src\n`,
        "installed/__init__.py": 'said = "installed"\n',
      });
      expect(version === "" || folder.includes(version)).toBe(true);
      write(root, {
        ".venv/bin/tool": `#!${root}/.venv/bin/python\nimport mine, installed, sys; print(mine.said, installed.said, sys.prefix)\n`,
      });

      const lane = await laneOf(root, files("the lane"), isolation);
      const script = "import mine, installed; print(mine.said, installed.said)";
      expect((await run(lane, ".venv/bin/python", "-c", script)).output).toBe("the lane installed\n");
      expect((await run(lane, ".venv/bin/tool")).output).toBe(`the lane installed ${lane.root}/.venv\n`);
    },
  );
});

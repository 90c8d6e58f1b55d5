import { describe, expect, test } from "vitest";
import type { FileView } from "../../../core/plugin/mod.ts";
import { resolvePackageScript } from "./package-script.ts";

function view(packageJson: string | null): FileView {
  return { list: () => [], text: async (path) => (path === "package.json" ? packageJson : null) };
}

function resolve(line: string, scripts: Record<string, unknown>): ReturnType<typeof resolvePackageScript> {
  return resolvePackageScript(line.split(" "), view(JSON.stringify({ scripts })));
}

const scripts = {
  test: "vitest run",
  unit: "vitest run --dir unit",
  env: "NODE_ENV=test vitest",
  chain: "npm run unit",
  outer: "A=1 npm run env -- -t x",
  loop: "npm run loop",
  shell: "tsc && vitest",
  empty: "  ",
  built: "vitest",
  prebuilt: "tsc",
};

describe("commands that name a script", () => {
  test.each([
    ["npm test", "vitest run"],
    ["npm t", "vitest run"],
    ["npm run unit", "vitest run --dir unit"],
    ["npm run -s unit", "vitest run --dir unit"],
    ["npm run-script unit", "vitest run --dir unit"],
    ["npm test -- -t x", "vitest run -t x"],
    ["npm test a.test.js", "vitest run a.test.js"],
    ["yarn test", "vitest run"],
    ["yarn run unit -t x", "vitest run --dir unit -t x"],
    ["pnpm test", "vitest run"],
    ["pnpm run unit -- -t x", "vitest run --dir unit -t x"],
    ["npm run chain -- a", "vitest run --dir unit a"],
    ["npm run env", "env NODE_ENV=test vitest"],
    ["npm run outer", "env A=1 env NODE_ENV=test vitest -t x"],
    ["env B=2 npm test", "env B=2 vitest run"],
  ])("%s runs %s", async (line, argv) => {
    expect(await resolve(line, scripts)).toEqual({ argv: argv.split(" ") });
  });

  test.each([
    ["npm run missing", /no script "missing"/],
    ["npm run", /needs the name/],
    ["npm run loop", /leads back/],
    ["npm run shell", /needs a shell for "&"/],
    ["npm run empty", /is empty/],
    ["npm run built", /"prebuilt"/],
    ["npm test --workspace a", /put options of the tests after "--"/],
    ["npm --prefix a test", /"--prefix"/],
    ["pnpm run --filter a test", /"--filter"/],
  ])("%s cannot be read: %s", async (line, why) => {
    expect(await resolve(line, scripts)).toEqual({ why: expect.stringMatching(why) });
  });

  test.each([null, "", "[]", "{", '"text"'])("package.json is %j", async (text) => {
    expect(await resolvePackageScript(["npm", "test"], view(text))).toEqual({ why: expect.any(String) });
  });
});

describe("commands that stand as they are", () => {
  test.each([
    "vitest run",
    "npx vitest",
    "node --test",
    "yarn vitest run",
    "pnpm exec vitest",
    "npm exec -- vitest",
    "npm install",
    "yarn add x",
    "pnpm",
  ])("%s", async (line) => {
    expect(await resolve(line, scripts)).toBeNull();
  });
});

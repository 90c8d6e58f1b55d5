import { describe, expect, test } from "vitest";
import { defaultPolicy, fileRole, isTestPath, loadPolicy, type PathRole, type Policy, policySurface } from "./mod.ts";

async function load(text: string): Promise<Policy> {
  const loaded = await loadPolicy({ text });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.policy;
}

describe("the role of a path in yada:node", async () => {
  const policy = await load(`${defaultPolicy("node")}spec: { paths: ["docs/issues/**"] }\n`);

  test.each<[path: string, role: PathRole]>([
    ["src/a.ts", "production"],
    ["index.js", "production"],
    ["README.md", "production"],
    ["package.json", "production"],
    ["tsconfig.json", "production"],
    ["src/contest/a.ts", "production"],
    ["src/latest_value.c", "production"],
    ["src/latest.ts", "production"],
    ["src/testing.ts", "production"],
    ["src/test/a.ts", "production"],
    ["src/setup/a.ts", "production"],
    ["src/a.test.txt", "production"],
    ["attest.ts", "production"],
    ["src/a.test.ts", "test"],
    ["src/a.spec.mjs", "test"],
    ["src/a-test.js", "test"],
    ["src/a_test.cjs", "test"],
    ["src/a.test-d.ts", "test"],
    ["test.js", "test"],
    ["test/a.js", "test"],
    ["test/fixtures/a.json", "test"],
    ["tests/deep/a.ts", "test"],
    ["packages/a/test/a.js", "test"],
    ["src/__tests__/a.ts", "test"],
    ["src/__snapshots__/a.test.ts.snap", "test"],
    ["vitest.config.ts", "config"],
    ["packages/a/vitest.config.mts", "config"],
    ["vite.config.js", "config"],
    ["vitest.workspace.ts", "config"],
    [".mocharc.json", "config"],
    [".mocharc.cjs", "config"],
    ["jest.config.js", "config"],
    ["jest.setup.ts", "config"],
    ["vitest.setup.ts", "config"],
    ["vitest-setup.ts", "config"],
    ["test/setup.ts", "config"],
    ["src/setupTests.ts", "config"],
    ["test/global-setup.js", "config"],
    ["src/__mocks__/a.ts", "config"],
    ["node_modules/a/index.js", "config"],
    ["packages/a/node_modules/a/index.js", "config"],
    [".npmrc", "config"],
    [".env.test", "config"],
    ["babel.config.js", "config"],
    [".babelrc", "config"],
    ["docs/issues/1.md", "spec"],
    [".git/config", "protected"],
    [".yada/policy.yaml", "protected"],
    ["../a.ts", "protected"],
    ["", "protected"],
  ])("%s is %s", (path, role) => {
    expect(fileRole(policy, path)).toBe(role);
  });

  test("a file with keys of the surface is configuration where such a key changes", () => {
    expect(fileRole(policy, "package.json", false, { changedKeys: ["/scripts/test"] })).toBe("config");
    expect(fileRole(policy, "package.json", false, { changedKeys: ["/scripts/test:unit"] })).toBe("config");
    expect(fileRole(policy, "package.json", false, { changedKeys: ["*"] })).toBe("config");
    expect(fileRole(policy, "package.json", false, { changedKeys: ["/dependencies"] })).toBe("production");
    expect(fileRole(policy, "tsconfig.build.json", false, { changedKeys: ["/compilerOptions/paths/x"] })).toBe(
      "config",
    );
  });

  test("what a runner declares as its surface is configuration", () => {
    expect(fileRole(policy, "src/hooks.ts", false, { surface: ["src/hooks.*"] })).toBe("config");
  });

  test("a twin in case of a configuration is configuration, and of a test only where the repository folds case", () => {
    expect(fileRole(policy, "VITEST.CONFIG.TS")).toBe("config");
    expect(fileRole(policy, "TEST/a.js")).toBe("production");
    expect(fileRole(policy, "TEST/a.js", true)).toBe("test");
  });

  test("isTestPath follows tests.paths alone", () => {
    expect(isTestPath(policy, "src/a.test.ts")).toBe(true);
    expect(isTestPath(policy, "test/setup.ts")).toBe(true);
    expect(isTestPath(policy, "src/A.TEST.TS")).toBe(false);
    expect(isTestPath(policy, "src/A.TEST.TS", true)).toBe(true);
    expect(isTestPath(policy, "src/../test/a.ts")).toBe(false);
  });

  test("the surface is what tests.config names in all layers", async () => {
    const own = await load(`${defaultPolicy("node")}tests: { config: ["my.config.ts"] }\n`);
    expect(policySurface(own)).toEqual([...policySurface(policy), "my.config.ts"]);
    expect(policySurface(own)).toContain("**/package.json#/scripts/test");
  });
});

describe("the role of a path in other presets", () => {
  test.each<[preset: "python" | "go" | "rust" | "base", path: string, role: PathRole]>([
    ["python", "tests/test_a.py", "test"],
    ["python", "pkg/a_test.py", "test"],
    ["python", "pkg/latest_value.py", "production"],
    ["python", "conftest.py", "config"],
    ["python", "pytest.ini", "config"],
    ["go", "pkg/a_test.go", "test"],
    ["go", "pkg/contest.go", "production"],
    ["go", "pkg/main_test.go", "config"],
    ["rust", "tests/a.rs", "test"],
    ["rust", "src/lib.rs", "production"],
    ["rust", "build.rs", "config"],
    ["base", "test/a.c", "production"],
  ])("in yada:%s, %s is %s", async (preset, path, role) => {
    expect(fileRole(await load(defaultPolicy(preset)), path)).toBe(role);
  });
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{core,plugins,hosts,test,bench,scripts}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/fixtures/**", "examples/**", "dist/**"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

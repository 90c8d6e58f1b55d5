import { defineConfig } from "vitest/config";

/** Benchmarks print figures; they assert only that the work was done. */
export default defineConfig({
  test: {
    include: ["bench/**/*.bench.ts"],
    testTimeout: 600_000,
    fileParallelism: false,
    reporters: ["default"],
    disableConsoleIntercept: true,
  },
});

/** The adapters of test frameworks. */

export { nodeTest } from "./node-test/mod.ts";
export { vitest } from "./vitest/mod.ts";

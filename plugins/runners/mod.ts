/** The adapters of test frameworks. */
export { vitest } from "./vitest/mod.ts";

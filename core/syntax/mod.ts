/** What the host knows about a file by its syntax tree. This module is browser compatible. */
export * from "./grammars.ts";
export { changedTests, onlyAddsTests } from "./only-adds-tests.ts";
export * from "./tree.ts";
export * from "./tree-sitter-grammars.ts";

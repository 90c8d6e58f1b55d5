/** What the host knows about a file by its syntax tree. This module is browser compatible. */
export { type GrammarEntry, GrammarError, type Grammars } from "./grammars.ts";
export { changedTests, onlyAddsTests, type TestChanges } from "./only-adds-tests.ts";
export type { SyntaxNode, SyntaxTree } from "./tree.ts";
export { type TreeSitterOptions, treeSitterGrammars } from "./tree-sitter-grammars.ts";

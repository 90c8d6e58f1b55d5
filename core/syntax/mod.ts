/** What the host knows about a file by its syntax tree. This module is browser compatible. */
export type { GrammarEntry, Grammars } from "./grammars.ts";
export { undeclaredNames } from "./javascript/undeclared-names.ts";
export { changedTests, onlyAddsTests, type TestChanges } from "./only-adds-tests.ts";
export { placeAt, type SyntaxNode, type SyntaxTree, walk as walkTree } from "./tree.ts";
export { type TreeSitterOptions, treeSitterGrammars } from "./tree-sitter-grammars.ts";

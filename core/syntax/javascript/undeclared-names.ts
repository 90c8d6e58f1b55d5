/** Names that a file uses and nowhere declares. This module is browser compatible. */
import { type SyntaxTree, textOf, walk } from "../tree.ts";
import { bindingsIn } from "./bindings.ts";
import { isKnownName } from "./known-names.ts";

/**
 * Identifiers that no declaration in the file gives and that are no known global, each where it stands. Scopes are not told apart: a name that is declared anywhere counts
 * as declared, so what is found is certain as far as the file goes.
 */
export function undeclaredNames(tree: SyntaxTree): readonly { readonly name: string; readonly start: number }[] {
  const declared = new Set([...bindingsIn(tree, tree.root)].map(({ name }) => name));
  return [...walk(tree.root)]
    .filter(({ type }) => type === "identifier" || type === "shorthand_property_identifier")
    .map((node) => ({ name: textOf(tree, node), start: node.start }))
    .filter(({ name }) => !declared.has(name) && !isKnownName(name));
}

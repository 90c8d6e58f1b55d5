/** What names a JavaScript or TypeScript text declares, and which it uses. This module is browser compatible. */
import { childOf, partsOf, type SyntaxNode, type SyntaxTree, textOf, walk } from "../tree.ts";

/** A name where it is declared. */
export interface Binding {
  readonly name: string;
  /** The identifier. */
  readonly node: SyntaxNode;
  readonly kind: "variable" | "function" | "class" | "parameter" | "import" | "type";
  /** The declaration: a declarator, a function, an import specifier. */
  readonly declaration: SyntaxNode;
}

const functionTypes = new Set([
  "function_declaration",
  "generator_function_declaration",
  "function_expression",
  "generator_function",
  "function_signature",
]);
const classTypes = new Set(["class_declaration", "abstract_class_declaration", "class"]);
const typeDeclarations = new Set(["interface_declaration", "type_alias_declaration"]);
const namedParts = new Set(["enum_declaration", "internal_module", "module", "import_alias"]);

/** Every name that is declared anywhere below `node`, in the order of the text. */
export function* bindingsIn(tree: SyntaxTree, node: SyntaxNode): Generator<Binding> {
  for (const found of walk(node)) yield* bindingsOf(tree, found);
}

/** The names that this one node declares. */
export function* bindingsOf(tree: SyntaxTree, node: SyntaxNode): Generator<Binding> {
  const bind = function* (target: SyntaxNode | undefined, kind: Binding["kind"]): Generator<Binding> {
    if (target === undefined) return;
    for (const name of boundIn(target)) yield { name: textOf(tree, name), node: name, kind, declaration: node };
  };
  if (node.type === "variable_declarator") yield* bind(childOf(node, "name"), "variable");
  else if (functionTypes.has(node.type)) yield* bind(childOf(node, "name"), "function");
  else if (classTypes.has(node.type)) yield* bind(childOf(node, "name"), "class");
  else if (typeDeclarations.has(node.type) || node.type === "type_parameter")
    yield* bind(childOf(node, "name"), "type");
  else if (namedParts.has(node.type)) yield* bind(childOf(node, "name") ?? partsOf(node)[0], "variable");
  else if (node.type === "formal_parameters") for (const part of partsOf(node)) yield* bind(part, "parameter");
  else if (node.type === "arrow_function") yield* bind(childOf(node, "parameter"), "parameter");
  else if (node.type === "catch_clause") yield* bind(childOf(node, "parameter"), "variable");
  else if (node.type === "for_in_statement" && childOf(node, "kind") !== undefined) {
    yield* bind(childOf(node, "left"), "variable");
  } else if (node.type === "import_specifier") yield* bind(childOf(node, "alias") ?? childOf(node, "name"), "import");
  else if (node.type === "import_clause" || node.type === "namespace_import" || node.type === "import_require_clause") {
    for (const part of partsOf(node)) if (part.type === "identifier") yield* bind(part, "import");
  }
}

/** The identifiers that a pattern binds. */
function* boundIn(pattern: SyntaxNode): Generator<SyntaxNode> {
  switch (pattern.type) {
    case "identifier":
    case "type_identifier":
    case "shorthand_property_identifier_pattern":
      yield pattern;
      return;
    case "assignment_pattern":
    case "object_assignment_pattern": {
      const left = childOf(pattern, "left");
      if (left !== undefined) yield* boundIn(left);
      return;
    }
    case "pair_pattern": {
      const value = childOf(pattern, "value");
      if (value !== undefined) yield* boundIn(value);
      return;
    }
    case "required_parameter":
    case "optional_parameter": {
      const inner = childOf(pattern, "pattern") ?? childOf(pattern, "name");
      if (inner !== undefined) yield* boundIn(inner);
      return;
    }
    case "object_pattern":
    case "array_pattern":
    case "rest_pattern":
      for (const part of partsOf(pattern)) yield* boundIn(part);
      return;
    default:
      return;
  }
}

/** Every word that could stand for a variable or a type below `node`, declared there or not. */
export function namesUsedIn(tree: SyntaxTree, node: SyntaxNode): Set<string> {
  const names = new Set<string>();
  for (const found of walk(node)) if (isNameNode(found)) names.add(textOf(tree, found));
  return names;
}

export function isNameNode(node: SyntaxNode): boolean {
  return (
    node.type === "identifier" ||
    node.type === "type_identifier" ||
    node.type === "shorthand_property_identifier" ||
    node.type === "shorthand_property_identifier_pattern"
  );
}

/** Brackets, casts and `await` around an expression taken off. */
export function unwrapped(node: SyntaxNode): SyntaxNode {
  switch (node.type) {
    case "parenthesized_expression":
    case "non_null_expression":
    case "as_expression":
    case "satisfies_expression":
    case "await_expression": {
      const inner = partsOf(node)[0];
      return inner === undefined ? node : unwrapped(inner);
    }
    default:
      return node;
  }
}

/** Follows `a.b[c].d` down to `a`, through brackets, casts and `await`. A call is an end. */
export function rootOf(node: SyntaxNode): SyntaxNode {
  const inner = unwrapped(node);
  if (inner.type === "member_expression" || inner.type === "subscript_expression") {
    const object = childOf(inner, "object");
    return object === undefined ? inner : rootOf(object);
  }
  return inner;
}

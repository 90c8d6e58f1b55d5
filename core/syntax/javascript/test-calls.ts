/** Calls that declare tests and groups: `test("adds", () => {})`, `describe.skip("total", () => {})`. This module is browser compatible. */
import { childOf, partsOf, type SyntaxNode, type SyntaxTree, textOf } from "../tree.ts";
import { unwrapped } from "./bindings.ts";
import { testFunctionNames } from "./known-names.ts";
import { staticText } from "./static-text.ts";

export interface TestCall {
  readonly role: "test" | "suite" | "hook";
  /** `only`, `skip`, `todo`, `each`, ... as they stand in the chain. */
  readonly modifiers: readonly string[];
  /** Null where the title is not a plain text. */
  readonly title: string | null;
  /** The statements of the group's function; null for a test, and for a group without a block. */
  readonly body: SyntaxNode | null;
  readonly arguments: readonly SyntaxNode[];
}

/** The declaration that a statement is, or null. */
export function testCallOf(tree: SyntaxTree, statement: SyntaxNode): TestCall | null {
  if (statement.type !== "expression_statement") return null;
  const expression = partsOf(statement)[0];
  const call = expression === undefined ? undefined : unwrapped(expression);
  if (call?.type !== "call_expression") return null;
  const modifiers: string[] = [];
  let callee = childOf(call, "function");
  // `test.each(table)("title", fn)` and `it.only.concurrent(...)`: inwards to the first name.
  while (callee !== undefined && callee.type !== "identifier") {
    if (callee.type === "member_expression") {
      const property = childOf(callee, "property");
      if (property !== undefined) modifiers.unshift(textOf(tree, property));
      callee = childOf(callee, "object");
    } else if (callee.type === "call_expression") callee = childOf(callee, "function");
    else return null;
  }
  const known = callee === undefined ? undefined : testFunctionNames.get(textOf(tree, callee));
  if (known === undefined) return null;
  const given = partsOf(childOf(call, "arguments") ?? call);
  const [first] = given;
  const last = given.at(-1);
  const body =
    known.role === "suite" && last !== undefined && FUNCTIONS.has(last.type) ? (childOf(last, "body") ?? null) : null;
  return {
    role: known.role,
    modifiers: known.modifier === undefined ? modifiers : [known.modifier, ...modifiers],
    title: first === undefined ? null : staticText(tree, first),
    body: body?.type === "statement_block" ? body : null,
    arguments: given,
  };
}

export const FUNCTIONS: ReadonlySet<string> = new Set([
  "arrow_function",
  "function_expression",
  "generator_function",
  "method_definition",
]);

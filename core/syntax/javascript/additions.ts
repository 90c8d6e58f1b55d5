/** Whether one text of a test file only adds tests to another, by syntax tree. This module is browser compatible. */
import { childOf, partsOf, type SyntaxNode, type SyntaxTree, textOf, walk } from "../tree.ts";
import { bindingsIn, namesUsedIn, rootOf } from "./bindings.ts";
import { isReservedForTests, isTestModule } from "./known-names.ts";
import { staticText } from "./static-text.ts";
import { FUNCTIONS, type TestCall, testCallOf } from "./test-calls.ts";

interface Comparison {
  readonly before: SyntaxTree;
  readonly after: SyntaxTree;
  /** Every name that stands in the old text: a new declaration of one of them could take its place. */
  readonly used: ReadonlySet<string>;
}

/** Every old statement stands where it stood, byte for byte and in order, and what is new can only add tests. */
export function onlyAdds(before: SyntaxTree, after: SyntaxTree): boolean {
  if (after.hasErrors || pragmas(before).join("\n") !== pragmas(after).join("\n")) return false;
  const comparison = { before, after, used: namesUsedIn(before, before.root) };
  return statementsOnlyAdd(comparison, partsOf(before.root), partsOf(after.root));
}

function statementsOnlyAdd(comparison: Comparison, old: readonly SyntaxNode[], now: readonly SyntaxNode[]): boolean {
  const titles = new Set(old.map((statement) => testCallOf(comparison.before, statement)?.title ?? null));
  let next = 0;
  for (const statement of now) {
    const expected = old[next];
    if (expected !== undefined && textOf(comparison.before, expected) === textOf(comparison.after, statement))
      next += 1;
    else if (expected !== undefined && groupOnlyGrows(comparison, expected, statement)) next += 1;
    else if (!mayBeAdded(comparison, statement, titles)) return false;
  }
  return next === old.length;
}

/** The same group, its head and its end unchanged, with a body that only grows. */
function groupOnlyGrows(comparison: Comparison, old: SyntaxNode, now: SyntaxNode): boolean {
  const { before, after } = comparison;
  const [was, is] = [testCallOf(before, old)?.body, testCallOf(after, now)?.body];
  if (was == null || is == null) return false;
  const sameHead = before.text.slice(old.start, was.start) === after.text.slice(now.start, is.start);
  const sameEnd = before.text.slice(was.end, old.end) === after.text.slice(is.end, now.end);
  return sameHead && sameEnd && statementsOnlyAdd(comparison, partsOf(was), partsOf(is));
}

function mayBeAdded(comparison: Comparison, statement: SyntaxNode, titles: ReadonlySet<string | null>): boolean {
  const { after } = comparison;
  const call = testCallOf(after, statement);
  if (call !== null) return newTest(comparison, statement, call, titles);
  switch (statement.type) {
    case "import_statement":
      return newImport(comparison, statement);
    case "lexical_declaration":
    case "variable_declaration":
    case "function_declaration":
    case "generator_function_declaration":
    case "class_declaration":
    case "interface_declaration":
    case "type_alias_declaration":
      return declaresNewNames(comparison, statement) && isQuiet(comparison, statement);
    case "empty_statement":
      return true;
    default:
      return false;
  }
}

/** A new test or group: not `only`, which silences others; no title of an existing test; nothing that runs while tests are collected. */
function newTest(
  comparison: Comparison,
  statement: SyntaxNode,
  call: TestCall,
  titles: ReadonlySet<string | null>,
): boolean {
  if (call.role === "hook" || call.modifiers.includes("only") || call.title === null || titles.has(call.title))
    return false;
  if (call.role === "suite") {
    if (call.body === null) return false;
    return partsOf(call.body).every((inner) => mayBeAdded(comparison, inner, new Set()));
  }
  const optionsAreQuiet = call.arguments.every(
    (argument) => FUNCTIONS.has(argument.type) || isQuiet(comparison, argument),
  );
  return optionsAreQuiet && leavesOthersAlone(comparison, statement) && !hasOption(comparison.after, call, "only");
}

function hasOption(tree: SyntaxTree, call: TestCall, name: string): boolean {
  return call.arguments.some(
    (argument) =>
      argument.type === "object" &&
      partsOf(argument).some(
        (pair) => childOf(pair, "key") !== undefined && textOf(tree, childOf(pair, "key") ?? pair).includes(name),
      ),
  );
}

/** An import that binds only new names. A name of the test tools may come from a test module alone. */
function newImport({ after, used }: Comparison, statement: SyntaxNode): boolean {
  const source = childOf(statement, "source");
  const from = source === undefined ? null : staticText(after, source);
  const names = [...bindingsIn(after, statement)].map(({ name }) => name);
  if (from === null || names.length === 0) return false;
  return names.every((name) => !used.has(name) && (!isReservedForTests(name) || isTestModule(from)));
}

function declaresNewNames({ after, used }: Comparison, statement: SyntaxNode): boolean {
  return topNames(after, statement).every((name) => !used.has(name) && !isReservedForTests(name));
}

/** The names that a declaration gives to what surrounds it. */
function topNames(tree: SyntaxTree, statement: SyntaxNode): string[] {
  const inner = [...walk(statement, (node) => node === statement || !INNER.has(node.type))];
  return inner.flatMap((node) => (node === statement || !INNER.has(node.type) ? [...bindingsOfNode(tree, node)] : []));
}

const INNER: ReadonlySet<string> = new Set(["statement_block", "class_body", ...FUNCTIONS]);

function bindingsOfNode(tree: SyntaxTree, node: SyntaxNode): string[] {
  return [...bindingsIn(tree, { ...node, children: node.children.filter((child) => !INNER.has(child.type)) })]
    .filter(({ kind }) => kind !== "parameter")
    .map(({ name }) => name);
}

/** Constructors and functions that do nothing but give a value. */
const PLAIN_CALLS: ReadonlySet<string> = new Set([
  "require",
  "Map",
  "Set",
  "Date",
  "URL",
  "Array",
  "String",
  "Number",
  "BigInt",
  "Symbol",
  "RegExp",
  "Buffer",
  "Uint8Array",
  "fileURLToPath",
  "join",
  "resolve",
]);

/** Outside of functions, nothing is called, assigned or deleted: evaluating this changes nothing for other tests. */
function isQuiet({ after }: Comparison, node: SyntaxNode): boolean {
  for (const found of walk(node, (inner) => !FUNCTIONS.has(inner.type) && inner.type !== "statement_block")) {
    if (LOUD.has(found.type)) return false;
    if (found.type === "unary_expression" && textOf(after, found).startsWith("delete")) return false;
    if (found.type !== "call_expression" && found.type !== "new_expression") continue;
    const callee = childOf(found, found.type === "call_expression" ? "function" : "constructor");
    const root = callee === undefined ? undefined : rootOf(callee);
    if (root === undefined || root.type !== "identifier" || !PLAIN_CALLS.has(textOf(after, root))) return false;
  }
  return true;
}

const LOUD: ReadonlySet<string> = new Set([
  "assignment_expression",
  "augmented_assignment_expression",
  "update_expression",
  "await_expression",
  "yield_expression",
  "class_static_block",
]);

/** Inside its functions a new test may do what it likes with its own names; it may not assign to what the file shares. */
function leavesOthersAlone({ after, used }: Comparison, statement: SyntaxNode): boolean {
  const own = new Set([...bindingsIn(after, statement)].map(({ name }) => name));
  for (const node of walk(statement)) {
    if (node.type === "call_expression" && SHARED_CHANGES.test(textOf(after, childOf(node, "function") ?? node)))
      return false;
    if (!LOUD.has(node.type) || node.type.startsWith("await") || node.type.startsWith("yield")) continue;
    const target = childOf(node, "left") ?? childOf(node, "argument");
    const root = target === undefined ? undefined : rootOf(target);
    const name = root?.type === "identifier" ? textOf(after, root) : "";
    if (
      !own.has(name) &&
      (used.has(name) || isReservedForTests(name) || name === "" || name === "globalThis" || name === "process")
    )
      return false;
  }
  return true;
}

const SHARED_CHANGES =
  /^(?:process\.(?:exit|abort|kill|reallyExit)|Object\.(?:assign|define\w+|setPrototypeOf|freeze)|Reflect\.(?:set|define\w+|deleteProperty)|expect\.extend|(?:vi|jest)\.(?:mock|doMock|setConfig)|mock\.module)$/;

/** Comments that a runner or a compiler obeys. */
function pragmas(tree: SyntaxTree): string[] {
  const comments = [...walk(tree.root)].filter(({ type }) => type === "comment").map((node) => textOf(tree, node));
  return comments.filter((text) => /@(?:vitest|jest|ts-)|\b(?:istanbul|c8|v8) ignore/.test(text)).sort();
}

/** The tests of a file by their titles. This module is browser compatible. */
import { childOf, partsOf, type SyntaxNode, type SyntaxTree, textOf } from "../tree.ts";
import { testCallOf } from "./test-calls.ts";

export interface NamedTest {
  /** Titles joined by " > ". */
  readonly name: string;
  readonly text: string;
  /** Skipped, a todo, or silenced by an `only` elsewhere in its group's chain. */
  readonly disabled: boolean;
}

const DISABLING: ReadonlySet<string> = new Set(["skip", "todo", "fails", "failing", "skipIf", "runIf"]);

/** Every test whose titles are plain text, groups followed. */
export function namedTests(tree: SyntaxTree): NamedTest[] {
  return testsIn(tree, partsOf(tree.root), [], false);
}

function testsIn(
  tree: SyntaxTree,
  statements: readonly SyntaxNode[],
  titles: readonly string[],
  disabled: boolean,
): NamedTest[] {
  return statements.flatMap((statement): NamedTest[] => {
    const call = testCallOf(tree, statement);
    if (call === null || call.title === null || call.role === "hook") return [];
    const off =
      disabled ||
      call.modifiers.some((modifier) => DISABLING.has(modifier)) ||
      call.arguments.some(
        (argument) =>
          argument.type === "object" &&
          partsOf(argument).some((pair) => DISABLING.has(textOf(tree, childOf(pair, "key") ?? pair))),
      );
    const path = [...titles, call.title];
    if (call.role === "test") return [{ name: path.join(" > "), text: textOf(tree, statement), disabled: off }];
    return call.body === null ? [] : testsIn(tree, partsOf(call.body), path, off);
  });
}

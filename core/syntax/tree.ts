/**
 * A syntax tree as a plain value. This module is browser compatible.
 *
 * The parser's own tree lives in WebAssembly memory and has to be freed; this one is an ordinary object that may be kept, cached and
 * compared. Offsets are UTF-16 code units, so that `text.slice(node.start, node.end)` is the node's text.
 */

export interface SyntaxNode {
  /** The name in the grammar; `ERROR` for text that fits nowhere. A token without a name of its own has its text as type (`await`, `===`). */
  readonly type: string;
  /** False for a token that is only its text. */
  readonly named: boolean;
  /** What the node is to its parent (`name`, `body`, `left`), where the grammar says. */
  readonly field: string | null;
  readonly start: number;
  readonly end: number;
  /** The parser put this token in because something was missing there. It has no text. */
  readonly missing: boolean;
  readonly parent: SyntaxNode | null;
  /** In the order of the text, comments included. */
  readonly children: readonly SyntaxNode[];
}

export interface SyntaxTree {
  /** The language's name in the manifest. */
  readonly language: string;
  readonly text: string;
  readonly root: SyntaxNode;
  /** Whether a part of the text fits the grammar nowhere, or something is missing. */
  readonly hasErrors: boolean;
}

/** A place for a person. Line and column are 1-based; the column counts UTF-16 code units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The text that a node stands for. */
export function textOf(tree: SyntaxTree, node: SyntaxNode): string {
  return tree.text.slice(node.start, node.end);
}

/** The child that has this role, or undefined. */
export function childOf(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((child) => child.field === field);
}

/** Children that are named and no comments. */
export function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  return node.children.filter((child) => child.named && child.type !== "comment");
}

/** Every node from `node` downwards, the node itself first. Where `enter` is false for a node, what is below it is left out. */
export function* walk(node: SyntaxNode, enter: (node: SyntaxNode) => boolean = () => true): Generator<SyntaxNode> {
  yield node;
  if (!enter(node)) return;
  for (const child of node.children) yield* walk(child, enter);
}

/** Where an offset lies. */
export function placeAt(text: string, offset: number): Place {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < lineStart; at = text.indexOf("\n", at + 1)) line += 1;
  return { line, column: offset - lineStart + 1 };
}

/** Strings that can be read without running anything. This module is browser compatible. */
import { childOf, partsOf, type SyntaxNode, type SyntaxTree, textOf } from "../tree.ts";

/** A text whose parts in the middle may only be known when the code runs (null). */
export type TextParts = readonly (string | null)[];

/** The value of a string literal, of a template, or of such texts joined by `+`; null where it is none of them. */
export function textParts(tree: SyntaxTree, node: SyntaxNode): TextParts | null {
  switch (node.type) {
    case "string":
    case "template_string":
      return node.children
        .filter((child) => child.named)
        .map((child) => {
          if (child.type === "string_fragment") return textOf(tree, child);
          return child.type === "escape_sequence" ? unescaped(textOf(tree, child)) : null;
        });
    case "parenthesized_expression": {
      const [inner] = partsOf(node);
      return inner === undefined ? null : textParts(tree, inner);
    }
    case "binary_expression": {
      const left = childOf(node, "left");
      const right = childOf(node, "right");
      const operator = childOf(node, "operator");
      if (left === undefined || right === undefined || operator?.type !== "+") return null;
      const before = textParts(tree, left);
      const after = textParts(tree, right);
      if (before === null && after === null) return null;
      return [...(before ?? [null]), ...(after ?? [null])];
    }
    default:
      return null;
  }
}

/** The text, where all of it is known. */
export function staticText(tree: SyntaxTree, node: SyntaxNode): string | null {
  const parts = textParts(tree, node);
  return parts === null || parts.includes(null) ? null : parts.join("");
}

const singleEscapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["0", "\0"],
]);

/** What one escape sequence of a string or template stands for (ECMA-262, 12.9.4). */
function unescaped(sequence: string): string {
  const hex = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\})$/.exec(sequence);
  const digits = hex?.[1] ?? hex?.[2] ?? hex?.[3];
  if (digits !== undefined) {
    const point = Number.parseInt(digits, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : sequence;
  }
  const rest = sequence.slice(1);
  // A backslash before the end of a line joins two lines.
  if (/^(?:\r\n|[\r\n\u2028\u2029])$/.test(rest)) return "";
  return singleEscapes.get(rest) ?? rest;
}

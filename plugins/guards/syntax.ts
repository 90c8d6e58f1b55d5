/** The guard `syntax`: an edit may not bring in a syntax error that was not there before. Errors that stood there never block. */
import { definePlugin, type Finding, type Guard } from "../../core/plugin/mod.ts";
import { type Grammars, placeAt, type SyntaxNode, type SyntaxTree, walkTree } from "../../core/syntax/mod.ts";

const MAX_FINDINGS = 5;

export function syntaxGuard(grammars: Grammars): Guard {
  return definePlugin({
    kind: "guard",
    name: "syntax",
    version: "1.0.0",
    cost: "parse",
    async inspect({ files }) {
      const findings: Finding[] = [];
      for (const { path, before, after } of files) {
        const now = after === null ? null : await grammars.parse(path, after);
        if (now === null || !now.hasErrors) continue;
        const old = before === null ? null : await grammars.parse(path, before);
        // By content and number, not by line: an edit above moves what stood there.
        const known = old === null ? [] : errorsOf(old).map((node) => signature(old, node));
        for (const node of errorsOf(now)) {
          const at = known.indexOf(signature(now, node));
          if (at >= 0) known.splice(at, 1);
          else findings.push(finding(path, before, now, node));
        }
      }
      return findings.slice(0, MAX_FINDINGS);
    },
  });
}

function errorsOf(tree: SyntaxTree): SyntaxNode[] {
  return [...walkTree(tree.root)].filter(({ type, missing }) => type === "ERROR" || missing);
}

function signature(tree: SyntaxTree, node: SyntaxNode): string {
  return `${node.missing ? "missing" : "error"} ${node.type} in ${node.parent?.type ?? ""}: ${tree.text.slice(node.start, node.end)}`;
}

function finding(path: string, before: string | null, tree: SyntaxTree, node: SyntaxNode): Finding {
  const { line, column } = placeAt(tree.text, node.start);
  const text = tree.text.slice(node.start, node.end).split("\n")[0]?.slice(0, 80) ?? "";
  return {
    severity: "error",
    code: "syntax_error",
    path,
    line,
    column,
    message: node.missing
      ? `The edit leaves a syntax error: ${JSON.stringify(node.type)} is missing here.`
      : `The edit leaves a syntax error near ${JSON.stringify(text)}.`,
    hint: "Check brackets, quotes and commas around this place, and send the whole edit again: nothing of it was applied.",
    excerpt: { before: lineOf(before ?? "", line), after: lineOf(tree.text, line) },
  };
}

function lineOf(text: string, line: number): string {
  return (text.split("\n")[line - 1] ?? "").slice(0, 200);
}

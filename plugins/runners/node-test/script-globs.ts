/** Scripts of package.json whose globs the shell expands: `node --test test/*.test.js`. */
import type { FileView } from "../../../core/plugin/mod.ts";
import { parseJson, record, string } from "../javascript/mod.ts";

/**
 * The same files, where package.json quotes the globs of the scripts that start tests, so that such a line can be read without a shell. Node 21 and
 * later expand them, and operands.ts does for Node 20. To `sh`, `**` is `*`: it stays that.
 */
export function withQuotedGlobs(files: FileView): FileView {
  return {
    list: (glob) => files.list(glob),
    text: async (path) => {
      const text = await files.text(path);
      if (text === null || !/(^|\/)package\.json$/.test(path)) return text;
      const manifest = record(parseJson(text));
      const scripts = record(manifest?.["scripts"]);
      if (manifest === null || scripts === null) return text;
      const quoted = Object.entries(scripts).map(([name, script]) => {
        const line = string(script);
        return [name, line !== undefined && /\s--test(\s|$)/.test(line) ? quoteGlobs(line) : script] as const;
      });
      return JSON.stringify({ ...manifest, scripts: Object.fromEntries(quoted) });
    },
  };
}

/** Words outside quotes that hold `*`, `?` or `[...]` and nothing else that a shell would read. */
function quoteGlobs(line: string): string {
  return line
    .split(/("[^"]*"|'[^']*')/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(
            /(^|\s)([\w./@%+,:=-]*[*?[][\w./@%+,:=*?[\]!-]*)(?=\s|$)/g,
            (_, before: string, word: string) => {
              return `${before}'${word.replaceAll("**", "*")}'`;
            },
          ),
    )
    .join("");
}

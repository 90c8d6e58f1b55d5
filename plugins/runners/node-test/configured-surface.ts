/** Files that the scripts of package.json load before the tests: `--import`, `--require`, `--loader`, set-up and configuration files. */
import type { FileView } from "../../../core/plugin/mod.ts";
import { parseJson, record, string } from "../javascript/mod.ts";

const LOADS =
  /(?:^|\s)(?:-r|--(?:import|require|loader|experimental-loader|test-global-setup|env-file|env-file-if-exists|experimental-config-file|config-file))(?:=|\s+)["']?([^\s"']+)/g;
const IMPORTS = /\b(?:from|import|require|register)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json", "/index.js", "/index.ts"];

/**
 * Paths that belong to the surface beyond the globs of `surface`, as far as the text of the scripts shows them, with the loader hooks that
 * they register: a file that such a file names with `register("./x")` counts. What set-up files import otherwise does not: it may be production code.
 */
export async function configuredSurface(files: FileView): Promise<readonly string[]> {
  const known = new Set(files.list());
  const found = new Set<string>();
  for (const path of files.list("**/package.json")) {
    if (path.includes("node_modules/")) continue;
    const scripts = record(record(parseJson((await files.text(path)) ?? ""))?.["scripts"]) ?? {};
    for (const script of Object.values(scripts)) {
      for (const [, name = ""] of (string(script) ?? "").matchAll(LOADS)) {
        const file = find(path, name, known);
        if (file === undefined) continue;
        found.add(file);
        for (const hook of await registered(files, file, known)) found.add(hook);
      }
    }
  }
  return [...found].sort();
}

async function registered(files: FileView, path: string, known: ReadonlySet<string>): Promise<readonly string[]> {
  const text = (await files.text(path)) ?? "";
  return [...text.matchAll(IMPORTS)].flatMap((match) => {
    if (!match[0].startsWith("register")) return [];
    return find(path, match[1] ?? "", known) ?? [];
  });
}

/** The file that a name in the folder of `from` means. */
function find(from: string, name: string, known: ReadonlySet<string>): string | undefined {
  const parts = from.split("/").slice(0, -1);
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  const path = parts.join("/");
  return ENDINGS.map((ending) => path + ending).find((each) => known.has(each));
}

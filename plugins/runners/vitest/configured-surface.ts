/** Files that this project's configuration names: set-up files, environments and what the configuration itself imports. */
import type { FileView } from "../../../core/plugin/mod.ts";

const CONFIGS = "**/{vitest,vite}*.{config,workspace}*.*";

/** Options whose values are modules that run beside the tests or judge them. */
const OPTIONS =
  /\b(setupFiles|globalSetup|environment|snapshotSerializers|snapshotEnvironment|runner|sequencer|reporters|extends|diff|pool)\s*:\s*(\[[^\]]*\]|["'`][^"'`]*["'`])/g;
const IMPORTS = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;
const STRINGS = /["'`]([^"'`]+)["'`]/g;
const ENDINGS = ["", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".tsx", ".jsx", "/index.ts", "/index.js"];

/**
 * Paths that belong to the surface beyond the globs of `surface`, as far as the text of the configuration shows them: values that are
 * computed are not seen. Files that a configuration imports count as configuration; what set-up files import does not.
 */
export async function configuredSurface(files: FileView): Promise<readonly string[]> {
  const known = new Set(files.list());
  const found = new Set<string>();
  const open = files.list(CONFIGS).filter((path) => !path.includes("node_modules/"));
  const seen = new Set(open);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const text = (await files.text(path)) ?? "";
    for (const named of strings(text)) {
      const file = find(path, named, known);
      if (file !== undefined) found.add(file);
    }
    for (const match of text.matchAll(IMPORTS)) {
      const file = find(path, match[1] ?? "", known);
      if (file === undefined) continue;
      found.add(file);
      if (!seen.has(file)) {
        seen.add(file);
        open.push(file);
      }
    }
  }
  return [...found].sort();
}

function strings(text: string): string[] {
  return [...text.matchAll(OPTIONS)].flatMap(([, , value = ""]) =>
    [...value.matchAll(STRINGS)].map((match) => match[1] ?? ""),
  );
}

/** The file that a name in `from` means: relative to that file's folder, or to the root. */
function find(from: string, name: string, known: ReadonlySet<string>): string | undefined {
  const folder = from.includes("/") ? from.slice(0, from.lastIndexOf("/")) : "";
  const places = [join(folder, name), join("", name)];
  return places.flatMap((place) => ENDINGS.map((ending) => place + ending)).find((path) => known.has(path));
}

function join(folder: string, name: string): string {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

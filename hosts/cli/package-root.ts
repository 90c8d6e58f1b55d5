/** Where the package lies: examples and schemas stand beside the code, in the sources and in what is installed. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds this package's package.json. */
export function packageRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file) && (JSON.parse(readFileSync(file, "utf8")) as { name?: string }).name === "yada-runtime")
      return folder;
    if (dirname(folder) === folder)
      throw new Error("The package yada-runtime is not whole: its package.json is missing.");
  }
}

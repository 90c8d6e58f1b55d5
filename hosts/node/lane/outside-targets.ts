/** Where links in dependency folders lead outside of the checkout: a store that is shared by projects, a package that was linked by hand. */
import { readdirSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";

/** Real folders outside of `checkout` that links in these dependency folders lead to: the outermost `node_modules` around each, or the target itself. */
export function outsideTargets(sources: readonly string[], checkout: string): readonly string[] {
  const targets = new Set<string>();
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) {
        const real = realOf(path);
        if (real !== null && !real.startsWith(checkout + sep)) targets.add(outermost(real));
      } else if (depth === 0 && entry.isDirectory() && entry.name.startsWith("@")) look(path, depth + 1);
    }
  };
  for (const source of sources) {
    const real = realOf(source);
    if (real !== null && !real.startsWith(checkout + sep)) targets.add(outermost(real));
    look(source, 0);
  }
  return [...targets];
}

function entriesOf(folder: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch {
    return [];
  }
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** What a package finds by walking up from itself lies below this. */
function outermost(path: string): string {
  const at = path.indexOf(`${sep}node_modules${sep}`);
  return at < 0 ? path : path.slice(0, at + `${sep}node_modules`.length);
}

/**
 * The guard `shadowing`: an added file may not take the place of an existing module by the order in which imports are resolved
 * (`total.js` beside `total.ts`, `total/index.js` beside `total.ts`). What the test imports would then be another module than the one that was changed.
 */
import { definePlugin, type Finding, type Guard } from "../../core/plugin/mod.ts";

const EXTENSION = /\.(?:[cm]?[jt]sx?|json|node|wasm)$/;

export const shadowingGuard: Guard = definePlugin({
  kind: "guard",
  name: "shadowing",
  version: "1.0.0",
  cost: "cheap",
  inspect({ phase, files, paths }) {
    const stems = new Map<string, string>();
    for (const path of paths ?? []) if (EXTENSION.test(path)) stems.set(stemOf(path), path);
    return files.flatMap(({ path, kind }): Finding[] => {
      if (kind !== "add" || !EXTENSION.test(path) || path.endsWith(".d.ts")) return [];
      const other = stems.get(stemOf(path));
      if (other === undefined || other === path || other.endsWith(".d.ts") || removed(files, other)) return [];
      return [
        {
          severity: phase === "direct" ? "warning" : "error",
          code: "shadowing_file",
          path,
          line: 1,
          column: 1,
          message: `${path} would stand where imports look for ${other}.`,
          hint: `Edit ${other}, or give the new file another name.`,
        },
      ];
    });
  },
});

/** What an import without an extension, or of a folder, is looked for by. */
function stemOf(path: string): string {
  return path.replace(EXTENSION, "").replace(/\/index$/, "");
}

function removed(files: readonly { readonly path: string; readonly kind: string }[], path: string): boolean {
  return files.some((file) => file.path === path && file.kind === "delete");
}

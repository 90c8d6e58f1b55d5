/** The guard `undefined_names`: a name that the edit begins to use in a JavaScript file and that nothing declares. A warning: a set-up file may provide it. */
import { definePlugin, type Finding, type Guard } from "../../core/plugin/mod.ts";
import { type Grammars, placeAt, undeclaredNames } from "../../core/syntax/mod.ts";

const MAX_FINDINGS = 5;

export function undefinedNamesGuard(grammars: Grammars): Guard {
  return definePlugin({
    kind: "guard",
    name: "undefined_names",
    version: "1.0.0",
    cost: "parse",
    async inspect({ files }) {
      const findings: Finding[] = [];
      for (const { path, before, after } of files) {
        // TypeScript says it better itself, and knows ambient types that no single file shows.
        if (after === null || !/\.[cm]?js$/.test(path)) continue;
        const now = await grammars.parse(path, after);
        if (now === null || now.hasErrors) continue;
        const old = before === null ? null : await grammars.parse(path, before);
        const known = new Set(old === null ? [] : undeclaredNames(old).map(({ name }) => name));
        for (const { name, start } of undeclaredNames(now)) {
          if (known.has(name)) continue;
          known.add(name);
          findings.push({
            severity: "warning",
            code: "undefined_name",
            path,
            ...placeAt(after, start),
            message: `${name} is declared nowhere in this file.`,
            hint: `Import or declare ${name}, or check its spelling.`,
          });
        }
      }
      return findings.slice(0, MAX_FINDINGS);
    },
  });
}

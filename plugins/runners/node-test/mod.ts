/** The adapter for Node's own test runner, `node --test` (https://nodejs.org/api/test.html). Checked against Node 20.19, 20.20, 22, 24 and 26. */
import type { FileView, Runner } from "../../../core/plugin/mod.ts";
import { parseJson, parseReportLines, record, string } from "../javascript/mod.ts";
import { canary } from "./canary.ts";
import { prepare, recognises, resolve, select } from "./command.ts";
import { configuredSurface } from "./configured-surface.ts";
import { surface } from "./surface.ts";

export const nodeTest: Runner = {
  kind: "runner",
  name: "node-test",
  version: "1",
  detect,
  defaultCommand: ["node", "--test"],
  recognises,
  resolve,
  prepare,
  select,
  parse: parseReportLines,
  surfaceOf: configuredSurface,
  surface,
  canary,
};

/** Of the files that may hold tests, so many are opened. */
const MAX_OPENED = 50;

/** A script of package.json with `node ... --test` or `tsx ... --test`, or a test file that imports node:test. */
async function detect(files: FileView): Promise<boolean> {
  for (const path of files.list("**/package.json")) {
    if (path.includes("node_modules/")) continue;
    const scripts = record(record(parseJson((await files.text(path)) ?? ""))?.["scripts"]) ?? {};
    if (Object.values(scripts).some((script) => /\b(node|tsx)\b.*\s--test(\s|$)/.test(string(script) ?? "")))
      return true;
  }
  const candidates = files
    .list("**/{*[._-]test,*.spec,test-*,test}.{js,mjs,cjs,ts,mts,cts}")
    .concat(files.list("**/test/**/*.{js,mjs,cjs,ts,mts,cts}"))
    .filter((path) => !path.includes("node_modules/"));
  for (const path of candidates.slice(0, MAX_OPENED)) {
    if (/["']node:test["']/.test((await files.text(path)) ?? "")) return true;
  }
  return false;
}

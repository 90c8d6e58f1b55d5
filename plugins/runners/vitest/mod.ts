/** The adapter for vitest 1 and later (https://vitest.dev). Checked against 4.1. */
import type { TestReport } from "../../../core/evidence/mod.ts";
import type { FileView, Runner } from "../../../core/plugin/mod.ts";
import { parseJestJson, parseReportLines } from "../javascript/mod.ts";
import { canary } from "./canary.ts";
import { prepare, recognises, resolve, select } from "./command.ts";
import { configuredSurface } from "./configured-surface.ts";
import { surface } from "./surface.ts";

export const vitest: Runner = {
  kind: "runner",
  name: "vitest",
  version: "1",
  detect,
  defaultCommand: ["npx", "vitest", "run"],
  recognises,
  resolve,
  prepare,
  select,
  parse,
  surfaceOf: configuredSurface,
  surface,
  canary,
};

/** Yada's own report and, where no nonce is asked for, the one of `--reporter=json`: that one could come from any run. */
function parse(text: string, options: Parameters<Runner["parse"]>[1] = {}): TestReport {
  const json = options.nonce === undefined ? parseJestJson(text, { ...options, runner: "vitest" }) : null;
  return json ?? parseReportLines(text, options);
}

/** A configuration file of vitest's own, or package.json with vitest among its dependencies or scripts. */
async function detect(files: FileView): Promise<boolean> {
  if (files.list("**/vitest.{config,workspace}.*").some((path) => !path.includes("node_modules/"))) return true;
  for (const path of files.list("**/package.json")) {
    if (!path.includes("node_modules/") && namesVitest(await files.text(path))) return true;
  }
  return false;
}

function namesVitest(text: string | null): boolean {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (typeof value !== "object" || value === null) return false;
    const has = (key: string): boolean => {
      const part: unknown = Reflect.get(value, key);
      return typeof part === "object" && part !== null && "vitest" in part;
    };
    const scripts: unknown = Reflect.get(value, "scripts");
    return has("devDependencies") || has("dependencies") || /\bvitest\b/.test(JSON.stringify(scripts ?? {}));
  } catch {
    return false;
  }
}

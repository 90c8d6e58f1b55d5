/** `parseReport`: reading a runner's report without running anything. This module is browser compatible. */
import type { TestReport } from "../../core/evidence/mod.ts";
import type { Runner } from "../../core/plugin/mod.ts";
import { nodeTest, vitest } from "../../plugins/runners/mod.ts";

const RUNNERS: readonly Runner[] = [vitest, nodeTest];

/**
 * The report in one shape for all runners. Text that is no report gives `{ whole: false, tests: [], problems: [...] }`.
 *
 * @throws {TypeError} where the name is no runner of this version; the message lists those that are.
 *
 * @example
 * ```ts
 * import { parseReport } from "yada-runtime";
 * parseReport("vitest", "no report").whole; // false
 * ```
 */
export function parseReport(runner: string | Runner, text: string): TestReport {
  const adapter = typeof runner === "string" ? RUNNERS.find(({ name }) => name === runner) : runner;
  if (adapter === undefined) {
    throw new TypeError(
      `parseReport: there is no runner ${JSON.stringify(runner)}. There are: ${RUNNERS.map(({ name }) => name).join(", ")}.`,
    );
  }
  return adapter.parse(text);
}

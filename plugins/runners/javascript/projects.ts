/** vitest can run one file in several projects (node and jsdom, two browsers): then one test is reported once for each. */
import type { ReportedTest, TestStatus } from "../../../core/evidence/mod.ts";

export interface ProjectTest {
  readonly test: ReportedTest;
  readonly project: string | undefined;
}

/** The first that any project reports is what the test counts as. A test that one project leaves out is what the others say. */
const WORST_FIRST: readonly TestStatus[] = [
  "failed",
  "error",
  "timed_out",
  "not_run",
  "unexpected_pass",
  "expected_failure",
  "passed",
  "skipped",
  "todo",
];

/**
 * One entry for a test that several projects ran, in the place of the first. What one project reports twice stays twice: that is a title
 * that stands twice in the file.
 */
export function mergeProjects(entries: readonly ProjectTest[]): readonly ReportedTest[] {
  const groups = new Map<string, ProjectTest[]>();
  for (const entry of entries) {
    const group = groups.get(entry.test.id);
    if (group === undefined) groups.set(entry.test.id, [entry]);
    else group.push(entry);
  }
  return [...groups.values()].flatMap((group) => {
    const projects = new Set(group.map(({ project }) => project ?? ""));
    const tests = group.map(({ test }) => test);
    return projects.size === group.length ? worst(tests) : tests;
  });
}

function worst(tests: readonly ReportedTest[]): readonly ReportedTest[] {
  const rank = (test: ReportedTest): number => WORST_FIRST.indexOf(test.status);
  return tests.toSorted((a, b) => rank(a) - rank(b)).slice(0, 1);
}

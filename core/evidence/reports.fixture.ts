/** Reports and observations for the tables of cases, as short as a table needs them. */
import type { Observation } from "./observation.ts";
import {
  type Exit,
  type Failure,
  type ReportedTest,
  type ReportProblem,
  type TestReport,
  type TestStatus,
  testId,
} from "./report.ts";

export const FILE = "test/total.test.js";
export const NAME = "total > rounds";
export const TARGET = testId(FILE, NAME);

export const ENDED_0: Exit = { code: 0, signal: null, timedOut: false };
export const ENDED_1: Exit = { code: 1, signal: null, timedOut: false };
export const KILLED: Exit = { code: null, signal: "SIGKILL", timedOut: false };
export const TIMED_OUT: Exit = { code: null, signal: "SIGTERM", timedOut: true };

/** The target with a status and, where it failed, why. */
export function target(status: TestStatus, failure?: Failure): ReportedTest {
  return { ...other(NAME, status), ...(failure === undefined ? {} : { failure }) };
}

export function other(name: string, status: TestStatus, file = FILE): ReportedTest {
  return { id: testId(file, name), file, name, status };
}

export function failure(kind: Failure["kind"], origin: Failure["origin"], message: string, name?: string): Failure {
  const file = { test: FILE, production: "src/total.js", runner: undefined }[origin];
  const frames = file === undefined ? [] : [{ file, line: 3, column: 5 }];
  return { kind, origin, message, frames, ...(name === undefined ? {} : { name }) };
}

export const ASSERTION = failure(
  "assertion",
  "test",
  "Expected values to be strictly equal:\n\n-1 !== -2\n",
  "AssertionError",
);

export function problem(code: ReportProblem["code"], message: string, file?: string): ReportProblem {
  return { code, message, ...(file === undefined ? {} : { file }) };
}

export function report(tests: readonly ReportedTest[], problems: readonly ReportProblem[] = []): TestReport {
  return { whole: true, tests, problems };
}

/** Expecting red of the target, which the command ended with status 1. */
export function red(
  tests: readonly ReportedTest[],
  problems: readonly ReportProblem[] = [],
  exit = ENDED_1,
): Observation {
  return { expect: "red", target: [TARGET], report: report(tests, problems), exit };
}

/** Expecting green of the target alone, where the command ended with status 0. */
export function green(
  tests: readonly ReportedTest[],
  problems: readonly ReportProblem[] = [],
  exit = ENDED_0,
): Observation {
  return { expect: "green", target: [TARGET], report: report(tests, problems), exit };
}

/** Expecting green of the whole suite, compared with what it was before. */
export function suite(
  baseline: TestReport,
  now: TestReport,
  exit = ENDED_0,
  more: Partial<Observation> = {},
): Observation {
  return { expect: "green", scope: "regression", target: [], report: now, exit, baseline, ...more };
}

/** `classify`: what an observation amounts to. Pure and total; the rules stand in the order in which they are asked. */
import type { Outcome } from "./outcome.ts";
import { type Classification, OUTCOMES } from "./outcomes.ts";
import type { Exit, Failure, ReportedTest, ReportProblem, TestId, TestReport } from "./report.ts";

export interface Observation {
  readonly expect: "red" | "green";
  readonly target: readonly TestId[];
  /** Null where the runner left none. */
  readonly report: TestReport | null;
  readonly exit: Exit;
  /** The whole suite before any change. Where it is given, every test that passed there must pass here. */
  readonly baseline?: TestReport;
  /**
   * `target` (the default): the command that shows the target, which must end with status 0 and leave nothing amiss.
   * `regression`: the whole suite, in which what was amiss on the baseline may still be.
   */
  readonly scope?: "target" | "regression";
  /** Tests of the baseline that an approved edit changed: their fate is no regression. */
  readonly allowedChanges?: readonly TestId[];
  /** Why the command could not be started, where it could not. */
  readonly cannotRun?: string;
}

const MAX_REASONS = 20;
const MAX_REASON = 500;

/**
 * Classifies one observation by the outcome table.
 *
 * @example
 * ```ts
 * import { classify } from "yada-runtime";
 * const report = {
 *   whole: true,
 *   tests: [{ id: "a.test.js > adds", file: "a.test.js", name: "adds", status: "passed" as const }],
 *   problems: [],
 * };
 * const exit = { code: 0, signal: null, timedOut: false };
 * classify({ expect: "red", target: ["a.test.js > adds"], report, exit }).classification; // 'unexpected_pass'
 * ```
 */
export function classify(observation: Observation): Outcome {
  return unusable(observation) ?? (observation.expect === "red" ? red(observation) : green(observation));
}

/** What keeps an observation from saying anything, whatever was expected. */
function unusable({ report, exit, cannotRun }: Observation): Outcome | null {
  if (cannotRun !== undefined) return outcome("cannot_run", cannotRun);
  if (exit.timedOut) return outcome("timeout", "The whole command was ended at its time limit.");
  if (report?.whole) return null;
  if (exit.signal !== null)
    return outcome("cannot_run", `The command was ended by ${exit.signal} before its report was whole.`);
  if (report === null)
    return outcome("no_report", `The command ended with ${exit.code ?? "no status"} and left no report.`);
  return outcome(
    "no_report",
    "The report is not whole: the runner never said that it ended.",
    ...report.problems.map(sayProblem),
  );
}

// ---------------------------------------------------------------- red

function red({ target, report, exit }: Observation): Outcome {
  if (report === null) return outcome("no_report", "The command left no report.");
  const broken = report.problems.find(({ code }) => code === "runner");
  if (broken !== undefined) return outcome("cannot_run", sayProblem(broken));
  const results = target.map((id) => redOfTarget(id, report));
  const bad = results.find(({ verdict }) => verdict !== "pass");
  if (results.length === 0) return outcome("target_not_run", "No target test was named.");
  if (bad !== undefined) return bad;
  if (exit.code === 0)
    return outcome(
      "red_report_zero_exit",
      "The report says that the test failed, and the command ended with status 0.",
    );
  return outcome("red_observed", ...results.flatMap(({ reasons }) => reasons));
}

function redOfTarget(id: TestId, report: TestReport): Outcome {
  const found = report.tests.filter((test) => test.id === id);
  const [test] = found;
  if (test === undefined) return absent(id, report);
  if (found.length > 1)
    return outcome("target_not_run", `${id} is reported ${found.length} times: which of them is meant cannot be told.`);
  switch (test.status) {
    case "passed":
      return outcome("unexpected_pass", `${id} passed.`);
    case "skipped":
    case "todo":
    case "expected_failure":
    case "unexpected_pass":
      return outcome(
        "target_skipped",
        `${id} is reported as ${test.status.replaceAll("_", " ")}: it cannot show a fault.`,
      );
    case "timed_out":
      return outcome("broken_test", `${id} did not end in its time: that shows no wrong behaviour.`);
    case "not_run": {
      const setup = report.problems.find(({ file }) => file === test.file);
      return setup === undefined
        ? outcome("target_not_run", `${id} was collected and not executed.`)
        : byProblem(setup, id);
    }
    case "failed":
    case "error":
      return redFailure(test, report);
  }
}

function redFailure(test: ReportedTest, report: TestReport): Outcome {
  const { failure } = test;
  if (failure === undefined) return outcome("broken_test", `${test.id} failed, and the report does not say why.`);
  const said = `${test.id}: ${failure.name === undefined ? "" : `${failure.name}: `}${failure.message}${place(failure)}`;
  switch (failure.kind) {
    case "setup":
      return outcome("broken_setup", said);
    case "timeout":
      return outcome("broken_test", said);
    case "assertion": {
      // A file that also left an error outside its tests: nobody knows whether the assertion or that error speaks.
      const beside = report.problems.find(({ file, code }) => file === test.file && code !== "unhandled");
      return beside === undefined ? outcome("red_observed", said) : byProblem(beside, test.id);
    }
    case "error":
      return errorFailure(failure, said);
  }
}

/** An error is a red one where production code raised it; where the test file did, it is a broken test or asks for what does not exist. */
function errorFailure(failure: Failure, said: string): Outcome {
  const loading = loadFailure(failure.message, failure.name);
  if (loading !== null) return outcome(loading, said);
  if (failure.origin === "production") return outcome("red_observed", said);
  if (
    failure.origin === "test" &&
    failure.name !== "ReferenceError" &&
    MISSING_SYMBOL.some((pattern) => pattern.test(failure.message))
  ) {
    return outcome("missing_symbol", said);
  }
  return outcome("broken_test", said);
}

/** What a call, a construction or a read of something that production does not have looks like. Wording of V8, and of the usual test runners. */
const MISSING_SYMBOL: readonly RegExp[] = [
  /\bis not a function\b/,
  /\bis not a constructor\b/,
  /\bis not iterable\b/,
  /^Class extends value undefined/,
  /^Cannot (?:read|destructure) propert(?:y|ies) .*\bof '?undefined\b/,
  /^Right-hand side of 'instanceof' is not (?:callable|an object)/,
];

/** An export that a module does not have, and a module that does not exist where production would stand. */
const MISSING_EXPORT = /does not provide an export named|No "[^"]+" export is defined|is not exported (?:by|from)/;
const MODULE_NOT_FOUND =
  /Cannot find (?:module|package)|Failed to (?:load|resolve) (?:url|import)|ERR_MODULE_NOT_FOUND|does the file exist/i;
const SPECIFIER = /(?:module|package|url|import)\s+["']?([^"'\s]+)["']?/i;

function loadFailure(message: string, name = ""): "missing_symbol" | "broken_import" | null {
  if (MISSING_EXPORT.test(message)) return "missing_symbol";
  if (!MODULE_NOT_FOUND.test(message) && !MODULE_NOT_FOUND.test(name)) return null;
  const specifier = SPECIFIER.exec(message)?.[1] ?? "";
  return /^[./~#@]?\.{0,2}\/|^file:|^#|^~|^@\//.test(specifier) || specifier.startsWith(".")
    ? "missing_symbol"
    : "broken_import";
}

/** The target is not in the report: because its file was not collected, because nothing was, or because no test has that name. */
function absent(id: TestId, report: TestReport): Outcome {
  const own = report.problems.find(({ file }) => file !== undefined && (id === file || id.startsWith(`${file} > `)));
  const problem = own ?? (report.tests.length === 0 ? report.problems[0] : undefined);
  if (problem !== undefined) return byProblem(problem, id);
  if (report.tests.length === 0) return outcome("no_tests_collected", "The runner collected no test.");
  const near = report.tests.slice(0, 10).map((test) => test.id);
  return outcome(
    "target_not_run",
    `${id} is not in the report.`,
    `Reported were: ${near.join("; ")}${report.tests.length > 10 ? "; ..." : ""}`,
  );
}

/** How the runners say that a file was loaded and holds no test. */
const NO_TEST = /left no test|no test (?:suite )?found/i;

function byProblem(problem: ReportProblem, id: TestId): Outcome {
  const said = `${id} could not run. ${sayProblem(problem)}`;
  switch (problem.code) {
    case "syntax":
      return outcome("broken_syntax", said);
    case "import":
      return outcome(loadFailure(problem.message) ?? "broken_import", said);
    case "collection":
      if (NO_TEST.test(problem.message)) return outcome("no_tests_collected", said);
      return outcome(loadFailure(problem.message) ?? "broken_setup", said);
    case "setup":
      return outcome("broken_setup", said);
    case "exit":
      return outcome("no_report", said);
    case "unhandled":
      return outcome("broken_test", said);
    case "runner":
      return outcome("cannot_run", said);
  }
}

// ---------------------------------------------------------------- green

function green(observation: Observation): Outcome {
  const { report } = observation;
  if (report === null) return outcome("no_report", "The command left no report.");
  return (
    targetGreen(observation, report) ??
    comparedGreen(observation, report) ??
    cleanEnd(observation, report) ??
    passed(observation, report)
  );
}

/** Each target exactly once, executed and passed. */
function targetGreen({ target }: Observation, report: TestReport): Outcome | null {
  for (const id of target) {
    const found = report.tests.filter((test) => test.id === id);
    const [test] = found;
    if (test === undefined) {
      const problem = report.problems.find(({ file }) => file !== undefined && id.startsWith(`${file} > `));
      return problem === undefined
        ? outcome("target_not_run", `${id} is not in the report.`)
        : outcome("still_red", sayProblem(problem));
    }
    if (found.length > 1) return outcome("target_not_run", `${id} is reported ${found.length} times.`);
    if (test.status === "skipped" || test.status === "todo" || test.status === "not_run")
      return outcome("target_not_run", `${id} is reported as ${test.status.replaceAll("_", " ")}.`);
    if (test.status !== "passed")
      return outcome(
        "still_red",
        `${id}: ${test.failure?.message ?? test.status.replaceAll("_", " ")}${test.failure === undefined ? "" : place(test.failure)}`,
      );
  }
  return null;
}

/** Every test that passed on the baseline is reported as passed, as often as before. */
function comparedGreen({ baseline, allowedChanges }: Observation, report: TestReport): Outcome | null {
  if (baseline === undefined) return null;
  const allowed = new Set(allowedChanges ?? []);
  const now = counts(report.tests.filter(({ status }) => status === "passed"));
  const failing: string[] = [];
  const gone: string[] = [];
  for (const [id, count] of counts(baseline.tests.filter(({ status }) => status === "passed"))) {
    if (allowed.has(id) || (now.get(id) ?? 0) >= count) continue;
    const same = report.tests.filter((test) => test.id === id);
    const executed = same.filter(({ status }) => status !== "skipped" && status !== "todo" && status !== "not_run");
    const failed = executed.find(({ status }) => status !== "passed");
    if (failed !== undefined) failing.push(`${id}: ${failed.failure?.message ?? failed.status.replaceAll("_", " ")}`);
    else
      gone.push(
        `${id} passed on the baseline and is ${same.length === 0 ? "not reported" : `reported as ${same[0]?.status.replaceAll("_", " ")}`}.`,
      );
  }
  if (failing.length > 0) return outcome("regression", ...failing, ...gone);
  return gone.length > 0 ? outcome("tests_disappeared", ...gone) : null;
}

/** Nothing amiss beside the tests, and an exit status that agrees with them. */
function cleanEnd(observation: Observation, report: TestReport): Outcome | null {
  const { exit, baseline, scope } = observation;
  const known = scope === "regression" ? baseline : undefined;
  const problems = report.problems.filter(
    (problem) => !known?.problems.some((old) => old.code === problem.code && old.file === problem.file),
  );
  const failures = report.tests.filter(({ status }) => BAD.has(status));
  const newFailures = failures.filter(
    (test) =>
      !(observation.allowedChanges ?? []).includes(test.id) &&
      !known?.tests.some((old) => old.id === test.id && BAD.has(old.status)),
  );
  if (newFailures.length > 0) {
    const said = newFailures.map((test) => `${test.id}: ${test.failure?.message ?? test.status.replaceAll("_", " ")}`);
    if (exit.code === 0)
      return outcome("red_report_zero_exit", "A test failed, and the command ended with status 0.", ...said);
    return outcome(scope === "regression" ? "regression" : "still_red", ...said);
  }
  const explained = known !== undefined && (failures.length > 0 || known.problems.length > 0);
  if (problems.length > 0) {
    const said = problems.map(sayProblem);
    if (failures.length > 0 || problems.some(({ code }) => code !== "unhandled"))
      return outcome(scope === "regression" ? "regression" : "still_red", ...said);
    return outcome("green_report_nonzero_exit", ...said);
  }
  if (exit.code !== 0 && !explained)
    return outcome(
      "green_report_nonzero_exit",
      `Every test passed, and the command ended with ${exit.code ?? exit.signal ?? "no status"}.`,
    );
  return null;
}

const BAD: ReadonlySet<ReportedTest["status"]> = new Set(["failed", "error", "timed_out", "unexpected_pass"]);

function passed({ target, scope, baseline }: Observation, report: TestReport): Outcome {
  const count = report.tests.filter(({ status }) => status === "passed").length;
  // A run in which nothing passed shows nothing, unless nothing passed before either.
  if (count === 0 && target.length === 0 && (baseline === undefined || baseline.tests.length === 0))
    return outcome("no_tests_collected", "The runner executed no test.");
  const what =
    scope === "regression"
      ? `${count} of ${report.tests.length} tests passed; none that passed on the baseline is missing.`
      : `${target.join(", ") || `${count} tests`} passed.`;
  return outcome("green_observed", what);
}

// ---------------------------------------------------------------- words

function outcome(classification: Classification, ...reasons: string[]): Outcome {
  const bounded = reasons
    .slice(0, MAX_REASONS)
    .map((reason) => (reason.length <= MAX_REASON ? reason : `${reason.slice(0, MAX_REASON - 1)}…`));
  return { verdict: OUTCOMES[classification].verdict, classification, reasons: bounded };
}

function sayProblem({ code, file, message }: ReportProblem): string {
  return `${code}${file === undefined ? "" : ` in ${file}`}: ${message}`;
}

function place({ frames }: Failure): string {
  const [frame] = frames;
  return frame === undefined ? "" : ` (${frame.file}${frame.line === undefined ? "" : `:${frame.line}`})`;
}

function counts(tests: readonly ReportedTest[]): Map<TestId, number> {
  const result = new Map<TestId, number>();
  for (const { id } of tests) result.set(id, (result.get(id) ?? 0) + 1);
  return result;
}

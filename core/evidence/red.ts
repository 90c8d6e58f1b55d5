/** Expecting red: the target must have been collected, executed, and have failed for the right reason. DESIGN 4, "Valid red". */
import { asksForMissing, isIncompleteMock, leftNoTest, loadFailure } from "./failure-words.ts";
import type { Outcome } from "./outcome.ts";
import type { Exit, Failure, ReportedTest, ReportProblem, TestId, TestReport } from "./report.ts";
import { outcomeOf, sayFailure, sayProblem, sayStatus } from "./say.ts";

/** `report` is whole. */
export function classifyRed(target: readonly TestId[], report: TestReport, exit: Exit): Outcome {
  const broken = report.problems.find(({ code }) => code === "runner");
  if (broken !== undefined) return outcomeOf("cannot_run", sayProblem(broken));
  if (target.length === 0) return outcomeOf("target_not_run", "No target test was named.");
  const results = target.map((id) => redOfTarget(id, report));
  const bad = results.find(({ verdict }) => verdict !== "pass");
  if (bad !== undefined) return bad;
  if (exit.code === 0)
    return outcomeOf(
      "red_report_zero_exit",
      "The report says that the test failed, and the command ended with status 0.",
    );
  if (exit.code === null)
    return outcomeOf("cannot_run", `The command was ended by ${exit.signal ?? "something"} after its report.`);
  return outcomeOf("red_observed", ...results.flatMap(({ reasons }) => reasons));
}

function redOfTarget(id: TestId, report: TestReport): Outcome {
  const found = report.tests.filter((test) => test.id === id);
  const [test] = found;
  if (test === undefined) return absent(id, report);
  if (found.length > 1)
    return outcomeOf(
      "target_not_run",
      `${id} is reported ${found.length} times: which of them is meant cannot be told.`,
    );
  switch (test.status) {
    case "passed":
      // An error beside a test that passed is often the assertion that nobody awaited.
      return outcomeOf("unexpected_pass", `${id} passed.`, ...problemsAround(test.file, report).map(sayProblem));
    case "skipped":
    case "todo":
    case "expected_failure":
    case "unexpected_pass":
      return outcomeOf("target_skipped", `${id} is reported as ${sayStatus(test)}: it cannot show a fault.`);
    case "timed_out":
      return outcomeOf("broken_test", `${id} did not end in its time: that shows no wrong behaviour.`);
    case "not_run": {
      const [problem] = problemsAround(test.file, report);
      return problem === undefined
        ? outcomeOf("target_not_run", `${id} was collected and not executed.`)
        : byProblem(problem, id);
    }
    case "failed":
    case "error":
      return redFailure(test, report);
  }
}

function redFailure(test: ReportedTest, report: TestReport): Outcome {
  const { failure } = test;
  if (failure === undefined) return outcomeOf("broken_test", `${test.id} failed, and the report does not say why.`);
  const said = sayFailure(test);
  const outcome = byFailure(failure, said);
  if (outcome.classification !== "red_observed") return outcome;
  // Where a set-up, an import or the process broke as well, nobody knows which of the two speaks. A late rejection takes nothing from what failed before it.
  const beside = problemsAround(test.file, report).find(({ code }) => code !== "unhandled");
  return beside === undefined ? outcome : byProblem(beside, test.id);
}

function byFailure(failure: Failure, said: string): Outcome {
  const { kind, origin, message, name } = failure;
  switch (kind) {
    case "assertion":
      return outcomeOf("red_observed", said);
    case "timeout":
      return outcomeOf("broken_test", said);
    case "setup": {
      const lack = origin === "test" && asksForMissing(message, name) ? "missing_symbol" : null;
      return outcomeOf(loadFailure(message, name) ?? lack ?? "broken_setup", said);
    }
    case "error": {
      if (isIncompleteMock(message)) return outcomeOf("broken_test", said);
      // What cannot be loaded is no behaviour, whoever asked for it.
      const loading = loadFailure(message, name);
      if (loading !== null) return outcomeOf(loading, said);
      if (origin === "production") return outcomeOf("red_observed", said);
      return outcomeOf(origin === "test" && asksForMissing(message, name) ? "missing_symbol" : "broken_test", said);
    }
  }
}

/** The target is not in the report: because its file was not collected, because nothing was, or because no test has that name. */
function absent(id: TestId, report: TestReport): Outcome {
  const own = byWeight(report.problems.filter(({ file }) => file !== undefined && isIn(id, file)));
  const [problem] = own.length > 0 || report.tests.length > 0 ? own : byWeight(report.problems);
  if (problem !== undefined) return byProblem(problem, id);
  if (report.tests.length === 0) return outcomeOf("no_tests_collected", "The runner collected no test.");
  const near = report.tests.slice(0, 10).map((test) => test.id);
  return outcomeOf(
    "target_not_run",
    `${id} is not in the report.`,
    `Reported were: ${near.join("; ")}${report.tests.length > 10 ? "; ..." : ""}`,
  );
}

function isIn(id: TestId, file: string): boolean {
  return id === file || id.startsWith(`${file} > `);
}

/** Problems of this file, and those of no file, which are about all of them. The most telling first. */
function problemsAround(file: string, report: TestReport): readonly ReportProblem[] {
  return byWeight(report.problems.filter((problem) => problem.file === undefined || problem.file === file));
}

/** Why a file could not be loaded says more than what came of it. */
const WEIGHT: { readonly [C in ReportProblem["code"]]: number } = {
  syntax: 0,
  import: 1,
  collection: 2,
  setup: 3,
  exit: 4,
  runner: 5,
  unhandled: 6,
};

function byWeight(problems: readonly ReportProblem[]): readonly ReportProblem[] {
  return problems.toSorted((a, b) => WEIGHT[a.code] - WEIGHT[b.code]);
}

function byProblem(problem: ReportProblem, id: TestId): Outcome {
  const { code, message } = problem;
  const said = `${id} could not run. ${sayProblem(problem)}`;
  switch (code) {
    case "syntax":
      return outcomeOf("broken_syntax", said);
    case "import":
      return outcomeOf(loadFailure(message) ?? "broken_import", said);
    case "collection":
    case "setup": {
      if (code === "collection" && leftNoTest(message)) return outcomeOf("no_tests_collected", said);
      const lack = asksForMissing(message) ? "missing_symbol" : null;
      return outcomeOf(loadFailure(message) ?? lack ?? "broken_setup", said);
    }
    case "exit":
      return outcomeOf("no_report", said);
    case "unhandled":
      return outcomeOf("broken_test", said);
    case "runner":
      return outcomeOf("cannot_run", said);
  }
}

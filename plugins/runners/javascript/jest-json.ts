/**
 * The JSON that `jest --json` and `vitest --reporter=json` write (https://jestjs.io/docs/configuration#testresultsprocessor-string). For reports
 * that came from elsewhere: it carries no nonce, and vitest leaves unhandled errors out of it.
 */
import type { ReportedTest, ReportProblem, TestReport, TestStatus } from "../../../core/evidence/mod.ts";
import { testId } from "../../../core/evidence/mod.ts";
import { boundMessage, type PathOptions, type RawFailure, toFailure } from "./failure.ts";
import { parseJson, record, string, strings } from "./json.ts";
import { relativeTo } from "./paths.ts";
import { loadProblem } from "./problem.ts";

const STATUSES: Readonly<Record<string, TestStatus>> = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  pending: "skipped",
  disabled: "skipped",
  todo: "todo",
};

/** Null where the text is no complete JSON of this shape. Whole unless the runner says that it was interrupted, or an entry has another shape. */
export function parseJestJson(text: string, options: PathOptions & { readonly runner: string }): TestReport | null {
  const results = record(parseJson(text));
  const files = results?.["testResults"];
  if (results === null || !Array.isArray(files)) return null;
  const tests: ReportedTest[] = [];
  const problems: ReportProblem[] = [];
  let whole = results["wasInterrupted"] !== true;
  if (!whole) problems.push({ code: "runner", message: "The run was interrupted." });
  for (const file of files) {
    const entry = record(file);
    const name = string(entry?.["name"]);
    const assertions = entry?.["assertionResults"];
    if (entry === null || name === undefined || !Array.isArray(assertions)) {
      whole = false;
      problems.push({ code: "runner", message: "An entry of testResults is not one that the runner writes." });
      continue;
    }
    const path = relativeTo(name, options.root);
    const before = tests.length;
    for (const assertion of assertions) {
      const test = toTest(assertion, path, options);
      if (test !== null) tests.push(test);
      else {
        whole = false;
        problems.push({ code: "runner", message: "A test result is not one that the runner writes.", file: path });
      }
    }
    const message = string(entry["message"]) ?? "";
    const explained = tests.slice(before).some((test) => test.status === "failed");
    // With failed tests, jest's message only repeats them.
    if (entry["status"] === "failed" && !explained) {
      const said = boundMessage(message || "The file failed, and the runner gave no message.");
      problems.push({ code: loadProblem({ message }), message: said, file: path });
    }
  }
  return { whole, tests, problems, runner: { name: options.runner } };
}

function toTest(value: unknown, file: string, options: PathOptions): ReportedTest | null {
  const raw = record(value);
  const title = string(raw?.["title"]);
  const groups = strings(raw?.["ancestorTitles"]);
  const status = STATUSES[string(raw?.["status"]) ?? ""];
  if (title === undefined || groups === null || status === undefined) return null;
  const name = [...groups.filter((group) => group !== ""), title].join(" > ");
  const test = { id: testId(file, name), file, name, status };
  if (status !== "failed") return test;
  const text = strings(raw?.["failureMessages"])?.[0] ?? "The runner gave no error.";
  return { ...test, failure: toFailure(splitStack(text), file, options) };
}

/** `TypeError: message\n    at ...`, the one text that this format has for an error. */
function splitStack(text: string): RawFailure {
  const lines = text.split("\n");
  let end = lines.length;
  while (end > 0 && /^\s*(at \S.*)?$/.test(lines[end - 1] ?? "")) end--;
  const head = lines.slice(0, end).join("\n");
  const named = /^((?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?): ([\s\S]*)$/.exec(head);
  return {
    message: named?.[2] ?? head,
    stack: text,
    ...(named?.[1] === undefined ? {} : { name: named[1] }),
  };
}

/**
 * The report that Yada's own reporters for JavaScript runners write: JSON lines, one object a line.
 *
 *     {"yada":"report/1","nonce":"...","runner":"vitest","version":"4.1.12"}
 *     {"test":{"file":"/lane/test/a.test.js","titles":["outer","inner"],"status":"failed","failure":{"name":"AssertionError","message":"...","stack":"..."}}}
 *     {"problem":{"code":"unhandled","message":"...","file":"...","stack":"..."}}
 *     {"end":{"reason":"passed"}}
 *
 * A test may carry `"project"`: see projects.ts. It is whole only with the first line, the last line and nothing but well-formed lines between them: what was cut short proves nothing.
 */
import type { ReportedTest, ReportProblem, TestReport, TestStatus } from "../../../core/evidence/mod.ts";
import { testId } from "../../../core/evidence/mod.ts";
import { boundMessage, type PathOptions, type RawFailure, toFailure } from "./failure.ts";
import { parseJson, record, string, strings } from "./json.ts";
import { relativeTo } from "./paths.ts";
import { mergeProjects, type ProjectTest } from "./projects.ts";
import { parseStack } from "./stack.ts";

export interface ParseOptions extends PathOptions {
  /** Refuses the report where it does not carry this word. */
  readonly nonce?: string | undefined;
}

const STATUSES: ReadonlySet<string> = new Set<TestStatus>([
  "passed",
  "failed",
  "error",
  "skipped",
  "todo",
  "expected_failure",
  "unexpected_pass",
  "timed_out",
  "not_run",
]);
const PROBLEMS: ReadonlySet<string> = new Set<ReportProblem["code"]>([
  "syntax",
  "import",
  "collection",
  "setup",
  "unhandled",
  "exit",
  "runner",
]);
const KINDS: ReadonlySet<string> = new Set(["assertion", "error", "setup", "timeout"]);

/** Never throws. Whatever makes the report less than whole is named by a problem with the code `runner`. */
export function parseReportLines(text: string, options: ParseOptions = {}): TestReport {
  const entries: ProjectTest[] = [];
  const problems: ReportProblem[] = [];
  const broken = (message: string): void => {
    problems.push({ code: "runner", message: boundMessage(message) });
  };
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();

  const header = record(parseJson(lines[0] ?? ""));
  if (header?.["yada"] !== "report/1") {
    return {
      whole: false,
      tests: [],
      problems: [{ code: "runner", message: "This is no report of a Yada reporter." }],
    };
  }
  let whole = true;
  if (options.nonce !== undefined && header["nonce"] !== options.nonce) {
    // Tests of another run must not be taken for this one's.
    return { whole: false, tests: [], problems: [{ code: "runner", message: "The report belongs to another run." }] };
  }
  let ended = false;
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue;
    if (ended) {
      whole = false;
      broken(`Line ${index + 1} follows the end of the report.`);
      break;
    }
    const entry = record(parseJson(line));
    const test = toTest(entry?.["test"], options);
    const problem = toProblem(entry?.["problem"], options);
    if (test !== null) entries.push({ test, project: string(record(entry?.["test"])?.["project"]) });
    else if (problem !== null) problems.push(problem);
    else if (record(entry?.["end"]) !== null) ended = true;
    else {
      whole = false;
      broken(`Line ${index + 1} of the report is not one that the reporter writes.`);
    }
  }
  if (!ended) {
    whole = false;
    broken("The report stops before the runner said that it ended.");
  }
  const name = string(header["runner"]);
  const version = string(header["version"]);
  const runner = name === undefined ? {} : { runner: { name, ...(version === undefined ? {} : { version }) } };
  return { whole, tests: mergeProjects(entries), problems, ...runner };
}

function toTest(value: unknown, options: PathOptions): ReportedTest | null {
  const raw = record(value);
  const file = string(raw?.["file"]);
  const titles = strings(raw?.["titles"]);
  const status = raw?.["status"];
  if (raw === null || file === undefined || !isStatus(status)) return null;
  if (titles === null || titles.length === 0) return null;
  const path = relativeTo(file, options.root);
  const name = titles.join(" > ");
  const test = { id: testId(path, name), file: path, name, status };
  const failure =
    toRawFailure(raw["failure"]) ?? (needsFailure(status) ? { message: "The runner gave no error." } : null);
  if (failure === null) return test;
  const kind = status === "timed_out" ? ({ kind: "timeout" } as const) : {};
  return { ...test, failure: toFailure({ ...failure, ...kind }, path, options) };
}

function toRawFailure(value: unknown): RawFailure | null {
  const raw = record(value);
  if (raw === null) return null;
  const name = string(raw["name"]);
  const stack = string(raw["stack"]);
  const code = string(raw["code"]);
  const kind = raw["kind"];
  return {
    message: string(raw["message"]) ?? "",
    ...(name === undefined ? {} : { name }),
    ...(stack === undefined ? {} : { stack }),
    ...(code === undefined ? {} : { code }),
    ...(isKind(kind) ? { kind } : {}),
  };
}

function toProblem(value: unknown, options: PathOptions): ReportProblem | null {
  const raw = record(value);
  const message = string(raw?.["message"]);
  const code = raw?.["code"];
  if (raw === null || message === undefined || !isProblemCode(code)) return null;
  const named = string(raw["file"]);
  const file =
    named === undefined
      ? parseStack(string(raw["stack"]) ?? "", { root: options.root, message }).innermost?.file
      : relativeTo(named, options.root);
  return { code, message: boundMessage(message), ...(file === undefined ? {} : { file }) };
}

function needsFailure(status: TestStatus): boolean {
  return status === "failed" || status === "error" || status === "timed_out";
}

function isStatus(value: unknown): value is TestStatus {
  return typeof value === "string" && STATUSES.has(value);
}

function isProblemCode(value: unknown): value is ReportProblem["code"] {
  return typeof value === "string" && PROBLEMS.has(value);
}

function isKind(value: unknown): value is NonNullable<RawFailure["kind"]> {
  return typeof value === "string" && KINDS.has(value);
}

/** What a runner said about one test run, in one shape for all runners. */

/** `file > outer group > test`: the file relative to the root, then the titles from the outermost group inwards, joined by " > ". */
export type TestId = string;

export type TestStatus =
  | "passed"
  | "failed"
  | "error"
  | "skipped"
  | "todo"
  | "expected_failure"
  | "unexpected_pass"
  | "timed_out"
  | "not_run";

/** A place in a stack, the innermost first. `file` is relative to the root where it lies below it. */
export interface Frame {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Failure {
  readonly message: string;
  /** `setup`: a hook, a fixture or the suite around the test failed, so the test itself did not. */
  readonly kind: "assertion" | "error" | "setup" | "timeout";
  /**
   * Where the error was raised: the innermost frame that belongs to the project (dependency and engine frames are skipped)
   * lies in a test file, in production code, or nowhere in the project.
   */
  readonly origin: "test" | "production" | "runner";
  readonly frames: readonly Frame[];
  /** The error's class name, such as `TypeError` or `AssertionError`, where the runner tells it. */
  readonly name?: string;
}

export interface ReportedTest {
  readonly id: TestId;
  readonly file: string;
  /** Titles joined by " > ", without the file. */
  readonly name: string;
  readonly status: TestStatus;
  readonly failure?: Failure;
}

/**
 * An error outside any test. `code` is one of:
 * `syntax` (a file does not parse), `import` (a module or export is missing), `collection` (a file failed while its tests were collected),
 * `setup` (a suite hook or global set-up failed), `unhandled` (an unhandled rejection or exception), `exit` (a process left before its tests ended),
 * `runner` (the runner itself failed).
 */
export interface ReportProblem {
  readonly code: "syntax" | "import" | "collection" | "setup" | "unhandled" | "exit" | "runner";
  readonly message: string;
  readonly file?: string;
}

export interface TestReport {
  /** The runner said that it ended. A report that is not whole proves nothing. */
  readonly whole: boolean;
  readonly tests: readonly ReportedTest[];
  readonly problems: readonly ReportProblem[];
  /** The runner's name and version, where the report tells them. */
  readonly runner?: { readonly name: string; readonly version?: string };
}

/** How a command ended. `code` is null where a signal ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
}

/** The id of a test by its file and its titles. */
export function testId(file: string, name: string): TestId {
  return `${file} > ${name}`;
}

/** What the host saw of one test command, and what was expected of it. */
import type { Exit, TestId, TestReport } from "./report.ts";

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
  /** Tests of the baseline that an approved edit changed: they need not be there any more. Where they are reported as failing, they fail. */
  readonly allowedChanges?: readonly TestId[];
  /** Why the command could not be started, where it could not. */
  readonly cannotRun?: string;
}

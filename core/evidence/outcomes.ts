/**
 * The outcome table: one row for each classification that an observation can have. Nothing else in Yada decides a verdict, a final status or
 * an exit code. docs/outcomes.md is kept equal to this table by a test.
 */

/** Exit codes of the command line: 0 pass, 1 the work falls short, 2 wrong use or policy, 3 needs a person or cannot run. */
export type ExitCode = 0 | 1 | 2 | 3;

interface Row {
  readonly verdict: "pass" | "fail" | "escalate";
  /** What was expected when this can be seen. */
  readonly expect: readonly ("red" | "green" | "finish" | "check")[];
  /** The status of a run that ends with this outcome. */
  readonly status: "completed" | "failed" | "unfinished" | "cancelled" | "blocked" | "waiting_approval";
  readonly exit: ExitCode;
  /** One sentence for people. */
  readonly meaning: string;
}

const table = {
  red_observed: {
    verdict: "pass",
    expect: ["red"],
    status: "unfinished",
    exit: 1,
    meaning: "The target test was collected, ran, and failed for the right reason on the unchanged production code.",
  },
  unexpected_pass: {
    verdict: "escalate",
    expect: ["red"],
    status: "unfinished",
    exit: 1,
    meaning: "The new test passed before any production change.",
  },
  no_tests_collected: {
    verdict: "fail",
    expect: ["red", "green"],
    status: "unfinished",
    exit: 1,
    meaning: "The runner collected no test at all.",
  },
  target_not_run: {
    verdict: "fail",
    expect: ["red", "green"],
    status: "unfinished",
    exit: 1,
    meaning: "The named test is not in the report exactly once, or it was not executed.",
  },
  target_skipped: {
    verdict: "fail",
    expect: ["red"],
    status: "unfinished",
    exit: 1,
    meaning: "The named test was skipped, is a todo, or is expected to fail.",
  },
  missing_symbol: {
    verdict: "fail",
    expect: ["red"],
    status: "unfinished",
    exit: 1,
    meaning: "The test fails only because production lacks the module, export, attribute or symbol that it asks for.",
  },
  broken_syntax: {
    verdict: "fail",
    expect: ["red"],
    status: "unfinished",
    exit: 1,
    meaning: "A file does not parse.",
  },
  broken_import: {
    verdict: "fail",
    expect: ["red"],
    status: "unfinished",
    exit: 1,
    meaning: "A module that the test loads cannot be loaded, and it is not one that production should provide.",
  },
  broken_setup: {
    verdict: "fail",
    expect: ["red"],
    status: "unfinished",
    exit: 1,
    meaning: "A hook, a fixture or the set-up around the test failed, so the test itself did not.",
  },
  broken_test: {
    verdict: "fail",
    expect: ["red"],
    status: "unfinished",
    exit: 1,
    meaning: "The error was raised by the test file itself, not by an assertion and not in production code.",
  },
  baseline_observed: {
    verdict: "pass",
    expect: ["green"],
    status: "unfinished",
    exit: 1,
    meaning: "The whole suite ran on the baseline, so that later runs can be compared with it.",
  },
  green_observed: {
    verdict: "pass",
    expect: ["green"],
    status: "completed",
    exit: 0,
    meaning: "The target test and everything around it passed on this revision.",
  },
  still_red: {
    verdict: "fail",
    expect: ["green"],
    status: "unfinished",
    exit: 1,
    meaning: "The target test does not pass on this revision.",
  },
  regression: {
    verdict: "fail",
    expect: ["green"],
    status: "unfinished",
    exit: 1,
    meaning: "A test that passed on the baseline does not pass on this revision.",
  },
  tests_disappeared: {
    verdict: "fail",
    expect: ["green"],
    status: "unfinished",
    exit: 1,
    meaning: "A test that was reported on the baseline is not executed on this revision.",
  },
  green_report_nonzero_exit: {
    verdict: "escalate",
    expect: ["green"],
    status: "waiting_approval",
    exit: 3,
    meaning: "Every test passed, and the runner still ended with an error.",
  },
  red_report_zero_exit: {
    verdict: "fail",
    expect: ["red", "green"],
    status: "unfinished",
    exit: 1,
    meaning: "A test failed, and the command still ended with exit status 0.",
  },
  frozen_test_changed: {
    verdict: "fail",
    expect: ["green"],
    status: "unfinished",
    exit: 1,
    meaning: "A frozen test or the runner surface differs from what was frozen.",
  },
  counterfactual_green: {
    verdict: "escalate",
    expect: ["finish"],
    status: "waiting_approval",
    exit: 3,
    meaning: "The frozen test passes even with the production files put back to the baseline.",
  },
  canary_silent: {
    verdict: "escalate",
    expect: ["finish"],
    status: "waiting_approval",
    exit: 3,
    meaning: "A test that must fail was not reported as failing: assertions or reports are muted.",
  },
  canary_reported: {
    verdict: "pass",
    expect: ["finish"],
    status: "unfinished",
    exit: 1,
    meaning: "Tests that must fail were reported as failing: assertions and reports work.",
  },
  no_production_change: {
    verdict: "fail",
    expect: ["finish"],
    status: "unfinished",
    exit: 1,
    meaning: "The run changed no production file.",
  },
  timeout: {
    verdict: "escalate",
    expect: ["red", "green", "finish"],
    status: "waiting_approval",
    exit: 3,
    meaning: "The whole command was ended at its time limit.",
  },
  flaky: {
    verdict: "fail",
    expect: ["red", "green", "finish"],
    status: "unfinished",
    exit: 1,
    meaning: "The same revision gave different results when it ran again.",
  },
  cannot_run: {
    verdict: "escalate",
    expect: ["red", "green", "finish"],
    status: "waiting_approval",
    exit: 3,
    meaning: "The environment kept the command from running: it is no fault of the change.",
  },
  no_report: {
    verdict: "fail",
    expect: ["red", "green"],
    status: "unfinished",
    exit: 1,
    meaning: "The runner left no report, or one that is not whole.",
  },
  loop_detected: {
    verdict: "escalate",
    expect: ["green"],
    status: "waiting_approval",
    exit: 3,
    meaning: "The same failure came twice in a row.",
  },
  rounds_exhausted: {
    verdict: "escalate",
    expect: ["green"],
    status: "waiting_approval",
    exit: 3,
    meaning: "Verification failed more often than max_rounds allows.",
  },
  policy_changed: {
    verdict: "escalate",
    expect: ["check"],
    status: "waiting_approval",
    exit: 3,
    meaning: "The change edits the policy that would judge it.",
  },
  existing_tests_changed: {
    verdict: "escalate",
    expect: ["check"],
    status: "waiting_approval",
    exit: 3,
    meaning: "The change edits tests that stood on the base.",
  },
  tests_weakened: {
    verdict: "escalate",
    expect: ["check"],
    status: "waiting_approval",
    exit: 3,
    meaning: "The change makes an existing test demand less.",
  },
  verified: {
    verdict: "pass",
    expect: ["finish"],
    status: "completed",
    exit: 0,
    meaning: "The verification of the policy passed on the latest revision.",
  },
  verification_failed: {
    verdict: "fail",
    expect: ["finish"],
    status: "unfinished",
    exit: 1,
    meaning: "A verification step of the policy failed on this revision.",
  },
  no_side_effects: {
    verdict: "pass",
    expect: ["finish"],
    status: "completed",
    exit: 0,
    meaning: "The run ended without an edit and without a command, so there was nothing to verify.",
  },
  accepted_by_person: {
    verdict: "escalate",
    expect: ["finish"],
    status: "completed",
    exit: 0,
    meaning: "A person accepted the work without proof, by name and with a reason.",
  },
  aborted_by_person: {
    verdict: "fail",
    expect: ["finish"],
    status: "cancelled",
    exit: 1,
    meaning: "A person ended the run, and its work was put back.",
  },
  reported_blocked: {
    verdict: "fail",
    expect: ["finish"],
    status: "blocked",
    exit: 1,
    meaning: "The agent reported that the task cannot be done as it stands.",
  },
  stopped_early: {
    verdict: "fail",
    expect: ["finish"],
    status: "unfinished",
    exit: 1,
    meaning: "The session stopped before the evidence was complete.",
  },
  attempts_exhausted: {
    verdict: "fail",
    expect: ["finish"],
    status: "unfinished",
    exit: 1,
    meaning: "The phase used up its attempts.",
  },
  cancelled: {
    verdict: "fail",
    expect: ["finish"],
    status: "cancelled",
    exit: 1,
    meaning: "The run was cancelled from outside.",
  },
  approval_pending: {
    verdict: "escalate",
    expect: ["finish"],
    status: "waiting_approval",
    exit: 3,
    meaning: "A person has to answer before the run can go on.",
  },
  disk_changed: {
    verdict: "escalate",
    expect: ["finish"],
    status: "waiting_approval",
    exit: 3,
    meaning: "The disk no longer holds the baseline, so nothing was written.",
  },
  write_failed: {
    verdict: "escalate",
    expect: ["finish"],
    status: "waiting_approval",
    exit: 3,
    meaning: "The disk could not take the change; what had been written was put back.",
  },
  model_failed: {
    verdict: "fail",
    expect: ["finish"],
    status: "failed",
    exit: 3,
    meaning: "The model gave no usable answer.",
  },
  plugin_failed: {
    verdict: "fail",
    expect: ["finish"],
    status: "blocked",
    exit: 3,
    meaning: "A plugin that the run depends on broke.",
  },
} as const satisfies Record<string, Row>;

export type Classification = keyof typeof table;
export const OUTCOMES: Readonly<Record<Classification, Row>> = table;

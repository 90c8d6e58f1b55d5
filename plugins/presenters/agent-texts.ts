/**
 * What the agent reads about each outcome: what it means, and the one best next step. What the host saw stands above it. One text an outcome; nothing here
 * asks for a verdict. The rules of the voice are tests in `presenters.test.ts`.
 */
import type { Classification } from "../../core/evidence/mod.ts";

export const AGENT_TEXTS: { readonly [C in Classification]: string } = {
  // ---------------------------------------------------------------- red
  red_observed:
    "The host saw the test fail on the unchanged production code, for the right reason. It is frozen now, and a fresh session makes the fix.",
  unexpected_pass: `Your new test passed before any production change. Compare it with the behaviour that the task adds:
- It does not use the missing behaviour: rewrite it so that it fails for that reason, and submit it again with submit_red_test.
- The behaviour already exists: stop and say so with report_blocked. The run escalates.`,
  no_tests_collected:
    "The runner found no test in what was submitted: an empty file, a file that registers its tests too late, or a filter that matches nothing.",
  target_not_run: `The report does not hold the named test exactly once as executed. The name must be the titles from the outermost group inwards, joined by " > ", exactly as they stand in the file, and no other test may have the same.`,
  target_skipped: "A test that is skipped, a todo, or marked as expected to fail cannot show a fault. Remove the mark.",
  missing_symbol: `The test asks production for something that does not exist yet: a module, an export, a method. Everything fails then, a wrong test too, so this proves nothing about behaviour. What is open to you:
- Drive the missing behaviour through an entry point that exists today (an exported function, a command, a route), and assert on what it returns or does.
- Where the task really is a new interface that nothing existing reaches, red_green does not fit: say so with report_blocked, so that a new run can choose direct_execute.`,
  broken_syntax: "A file does not parse, so no test in it ran.",
  broken_import:
    "A module that the test loads cannot be loaded, and it is none that this repository's production code would provide. Use what is installed.",
  broken_setup:
    "A hook, a fixture or the set-up around the test did not succeed, so the test itself never spoke. Make the set-up work on the unchanged production code.",
  broken_test:
    "The error comes from the test file itself, not from an assertion and not from production code. Let the production code answer, and assert on the answer.",
  // ---------------------------------------------------------------- green
  baseline_observed: "The whole suite ran on the tree as it was at the start.",
  green_observed: "The target passes on this revision. Any later edit makes this stale.",
  still_red:
    "The target does not pass on this revision. The frozen test says what is wanted; production has to change until it holds.",
  regression:
    "A test that passed before your change does not pass any more. Keep what worked: find a change that satisfies the frozen test and these.",
  tests_disappeared:
    "A test that ran before is gone, skipped or no longer collected. A test that disappears counts as one that fails. Bring it back.",
  green_report_nonzero_exit:
    "green_report_nonzero_exit: every test passed, and the runner still ended with an error. Stop here and report it with report_blocked. The known causes stand in docs/escalation-procedure.md, under this name.",
  red_report_zero_exit:
    "The report holds a test that did not pass, and the command ended with status 0. Something between the runner and the host hides the status: find what sets it.",
  frozen_test_changed:
    "A frozen test, or a file that decides what is collected or how it is judged, is not as it was frozen. Put it back.",
  counterfactual_green:
    "The frozen test passes even with the production files put back to the baseline, so it is not your change that makes it pass. A person has to look.",
  canary_silent:
    "Tests that must fail were not reported as failing. Something in this revision mutes assertions or reports. A person has to look.",
  canary_reported: "Tests that must fail were reported as failing: assertions and reports work.",
  no_production_change: "No production file differs from the baseline, so nothing can have been fixed.",
  // ---------------------------------------------------------------- both
  timeout: "The whole command was ended at its time limit. A person decides whether to try again.",
  flaky:
    "The same revision gave different results when it ran again. Find what differs between two runs (time, order, randomness, shared state) and fix it in the test.",
  cannot_run:
    "The environment kept the command from running. This is no fault of your change, and nothing is asked of you. A person has to look.",
  no_report:
    "The runner left no whole report: the process ended before its tests did, or the report was never written. Nothing counts without it.",
  loop_detected: "The same result came twice in a row. A person decides how to go on.",
  rounds_exhausted: "The verification was tried as often as the policy allows. A person decides how to go on.",
  // ---------------------------------------------------------------- check
  policy_changed: "The change edits the policy that would judge it. A person has to look.",
  existing_tests_changed: "The change edits tests that stood there before. A person has to look.",
  tests_weakened: "The change makes an existing test demand less. A person has to look.",
  // ---------------------------------------------------------------- the end of a run
  verified: "The verification passed on the latest revision.",
  verification_failed: "A verification step of the policy did not pass on this revision.",
  no_side_effects: "Nothing was edited and no command ran, so there is nothing to verify.",
  accepted_by_person: "A person accepted the work as it stands. That is recorded, and it is no proof.",
  aborted_by_person: "A person ended the run, and its work was put back.",
  reported_blocked: "The run ends as blocked, with your reason. Nothing is written.",
  stopped_early: "The session stopped before the evidence was complete.",
  attempts_exhausted: "The phase has used up its attempts.",
  cancelled: "The run was cancelled from outside.",
  approval_pending: "A person has to answer before the run can go on.",
  disk_changed: "The disk no longer holds what the run started from, so nothing was written. A person has to look.",
  write_failed: "The disk could not take the change; what had been written was put back. A person has to look.",
  model_failed: "The model gave no usable answer.",
  plugin_failed: "A plugin that the run depends on broke, so the run ends.",
};

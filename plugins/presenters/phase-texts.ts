/** The instructions that open a phase. */
export const PHASE_TEXTS: Readonly<Record<string, string>> = {
  select: `You work under Yada: your changes go into a working tree in memory, and reach the repository only when evidence that the host itself gathers says so.

Read as much as you like first (read_file, list_files, search). Then choose a strategy with select_strategy, once, before the first edit. Choose red_green where the task is a fault that can be reproduced; choose direct_execute where no failing test makes sense first.`,
  red: `Phase red: write the test that shows the fault. Only test files can be written.

Submit it with submit_red_test: the file, and the name as titles from the outermost group inwards, joined by " > ". The host runs it twice on the unchanged production code. It is valid when the named test was collected, ran, and failed by an assertion, or by an error that production code raised. It is not valid when a file does not parse, an import or a hook fails, the test is skipped, times out or differs between two runs, or when production merely lacks the name that it asks for.

Two results need different answers:
- unexpected_pass: the test passed. Diagnose first: either it does not reach the missing behaviour (repair it), or the behaviour exists already (report it with report_blocked).
- a broken test (syntax, import, set-up, an error of its own): repair it and submit again.

Add tests; changing an existing one needs a person. After a valid red the test is frozen and this session ends.`,
  fix: `Phase fix: make the frozen test pass by changing production code. The brief below is all that you are told: the task, the frozen test, and what the host saw on the unchanged code.

The frozen test, and the files that decide what is collected and how it is judged, cannot be changed. When you believe that it is fixed, run_tests has the host run the frozen test and then all tests on your latest revision; finish_task asks for the end. Any edit after that makes the evidence stale. Before it accepts, the host also checks that the test is red again without your change, and that a test that must fail is still reported as failing.

If the task cannot be done without changing the frozen test, say so with report_blocked.`,
  direct: `Phase direct: make the change. Changing an existing test or the runner's configuration needs a person.

finish_task asks for the end: the host verifies your latest revision, and every test that passed before must still pass. run_tests does the same earlier, if you want to know.`,
};

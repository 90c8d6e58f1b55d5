/**
 * Every code that a tool call can be refused with, besides the classifications of the outcome table. docs/errors.md is kept equal to this table by a test,
 * and another test finds every code in the source that stands in neither.
 */

interface CodeRow {
  /** One sentence: what happened. */
  readonly meaning: string;
  /** One sentence: what to do next. */
  readonly next: string;
}

export const CODES: Readonly<Record<string, CodeRow>> = {
  // Edits: what the text says
  stale_hash: {
    meaning: "The file is not the one that the agent read: its sha256 is another.",
    next: "Read the file again and use the sha256 that the answer carries.",
  },
  no_match: {
    meaning: "The old text stands nowhere in the file.",
    next: "Read the lines that the details name and copy the text exactly.",
  },
  ambiguous_match: {
    meaning: "The old text, or the hunk, fits more than one place.",
    next: "Add context until one place is left, or give the count.",
  },
  invalid_edit: {
    meaning: "The edit contradicts itself: empty or unchanged old text, overlapping edits, or a wrong shape.",
    next: "Correct the field that the message names.",
  },
  invalid_patch: {
    meaning: "The patch does not parse.",
    next: "Correct the line that the message names, or use replace_text.",
  },
  unsupported_target: {
    meaning: "The path or kind of file is not one that an edit may touch.",
    next: "Choose a plain text file inside the repository.",
  },
  patch_context_mismatch: {
    meaning: "The old lines of a hunk are not in the file.",
    next: "Read the file again: the details show the first line that differs.",
  },
  apply_failed: { meaning: "Storage failed.", next: "Try once more; if it fails again, report it." },
  // Edits: what the rules say
  strategy_required: { meaning: "A change was asked for before a strategy was chosen.", next: "Call select_strategy." },
  strategy_already_selected: {
    meaning: "The strategy of this run was chosen before, and cannot be changed.",
    next: "Go on with the strategy that was chosen.",
  },
  write_denied: {
    meaning: "The policy does not let this phase write this path.",
    next: "See the rule that the message names, and the phase's scope.",
  },
  approval_required: { meaning: "A person has to allow this.", next: "Wait for the answer: yada approve." },
  approval_denied: { meaning: "A person denied it.", next: "Find another way, or report that the task is blocked." },
  frozen_test: {
    meaning: "The path is a frozen test. It cannot change in this run.",
    next: "Change production until the test passes, or report that the task is blocked.",
  },
  protected_path: {
    meaning: "The path is protected: no phase, plugin or agent writes it.",
    next: "Leave it as it is.",
  },
  read_denied: { meaning: "The policy does not let this path be read.", next: "Do without it." },
  guard_rejected: {
    meaning: "A guard found an error that the edit brings in. Nothing was changed.",
    next: "Mend what the finding names and send the edit again.",
  },
  edit_mode: { meaning: "This run takes patches only.", next: "Use apply_patch." },
  // Moves
  unknown_tool: { meaning: "There is no such tool.", next: "Use one of the tools that the message lists." },
  invalid_input: {
    meaning: "The input does not fit the tool's schema.",
    next: "Correct the fields that the message names.",
  },
  not_in_this_phase: {
    meaning: "The tool has no meaning in this phase.",
    next: "See next for the steps that are open.",
  },
  red_cannot_finish: {
    meaning: "The red phase cannot complete the task.",
    next: "Submit a test that fails for the right reason.",
  },
  not_a_test: {
    meaning: "The submitted file is no test file under the policy.",
    next: "Put the test where tests.paths looks for tests.",
  },
  not_found: { meaning: "There is no such file.", next: "list_files and search show what there is." },
  is_directory: { meaning: "The path is a directory.", next: "list_files shows what it holds." },
  not_a_file: { meaning: "The path is a submodule, which is never entered.", next: "Do without it." },
  not_text: { meaning: "The file is not UTF-8 text.", next: "Do without it." },
  too_large: { meaning: "The file is larger than text tools take.", next: "Use search." },
  invalid_range: {
    meaning: "The lines asked for are no range of the file.",
    next: "Ask within the number of lines that the message names.",
  },
  read_failed: {
    meaning: "The content could not be read from storage.",
    next: "Try once more; if it fails again, report it.",
  },
  command_denied: {
    meaning: "The policy does not let this command run.",
    next: "Use a command that commands.allow names, or the tools.",
  },
  no_test_command: {
    meaning: "The policy names no test command, and no runner was found.",
    next: "Name one under tests.runner or tests.command in the policy.",
  },
  unknown_runner: {
    meaning: "The policy names a runner that this version does not have.",
    next: "Name one of the runners that the message lists.",
  },
  unsupported_command: {
    meaning: "No runner adapter can read the test command.",
    next: "Use a plain command of a known runner.",
  },
  evidence_missing: {
    meaning: "The finish is refused: evidence for the latest revision is missing.",
    next: "Gather what the message lists, then finish.",
  },
};

/** What `yada-runtime/node` adds: repositories, lanes and commands on this machine. */
export { nodeGrammars } from "./grammars/mod.ts";
export { createLane, type Lane, type LaneOptions, laneCommands } from "./lane/mod.ts";
export { openRepository, type RepositoryWorkspace } from "./repository/mod.ts";
export { builtinPlugins, type OpenedRun, type RunRequest, resumeRun, startRun } from "./run/mod.ts";
export { type RunCommandOptions, runCommand } from "./run-command.ts";
export { diskWriteBack, recoverWriteBack } from "./write-back/mod.ts";

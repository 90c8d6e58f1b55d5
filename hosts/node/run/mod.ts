export { builtinPlugins } from "./builtin-plugins.ts";
export { type OpenedRun, type RunRequest, resumeRun, startRun } from "./open-run.ts";
export { loadRepositoryPolicy } from "./repository-policy.ts";
export { listRuns, type RunRecord, readRecord, readRunTrace, runsDirectory } from "./run-directory.ts";

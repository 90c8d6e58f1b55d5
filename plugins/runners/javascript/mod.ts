/** What the adapters of JavaScript runners share. */
export { boundMessage, type PathOptions, type RawFailure, toFailure } from "./failure.ts";
export { parseJestJson } from "./jest-json.ts";
export { parseJson, record, string, strings } from "./json.ts";
export { type Launch, readAssignments, readLaunch } from "./launch.ts";
export { type ResolvedScript, resolvePackageScript } from "./package-script.ts";
export { isAbsolute, normalisePath, relativeTo } from "./paths.ts";
export { loadProblem } from "./problem.ts";
export { type ParseOptions, parseReportLines } from "./report-lines.ts";
export { isDependency, originOf, parseStack } from "./stack.ts";

/** What the adapters of JavaScript runners share. */
export type { PathOptions, RawFailure } from "./failure.ts";
export { parseJestJson } from "./jest-json.ts";
export { parseJson, record, string } from "./json.ts";
export { type Launch, readAssignments, readLaunch } from "./launch.ts";
export { type ResolvedScript, resolvePackageScript } from "./package-script.ts";
export { type ParseOptions, parseReportLines } from "./report-lines.ts";

export { classify } from "./classify.ts";
export { fingerprint } from "./fingerprint.ts";
export type { Observation } from "./observation.ts";
export * from "./outcome.ts";
export { type Classification, type ExitCode, OUTCOMES } from "./outcomes.ts";
export * from "./report.ts";
export { classifyCanary, classifyCounterfactual, combineRepeats } from "./special.ts";

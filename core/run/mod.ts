export type { ApprovalAnswer, ApprovalCard } from "./approval.ts";
export { type Catalog, catalogOf } from "./catalog.ts";
export { CODES } from "./codes.ts";
export { decide } from "./decide.ts";
export { nextSteps } from "./decide-call.ts";
export type { KernelPorts } from "./engine.ts";
export type * from "./events.ts";
export { evolve } from "./evolve.ts";
export type { Instruction } from "./instructions.ts";
export { createKernel, type Kernel, type KernelOptions, type RunResult } from "./kernel.ts";
export type * from "./ports.ts";
export { INITIAL, type RunState, type RunStatus } from "./state.ts";
export {
  EMPTY_HEAD,
  hashEvent,
  type ReadTrace,
  readTrace,
  sealEvent,
  type Timing,
  type TraceHead,
  type TraceProblem,
} from "./trace.ts";

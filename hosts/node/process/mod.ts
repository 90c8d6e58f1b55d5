export {
  type Bubblewrap,
  type BubblewrapProgram,
  bubblewrapOf,
  isReplaced,
  isWithin,
  type View,
} from "./bubblewrap.ts";
export { commandEnvironment, type EnvironmentPlan } from "./environment.ts";
export { type Isolation, type IsolationProbe, probeIsolation } from "./probe-isolation.ts";
export { isAlive } from "./process-family.ts";
export { type ProcessRequest, type ProcessResult, runProcess } from "./run-process.ts";

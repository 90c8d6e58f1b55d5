export type { LaneCommand } from "./command.ts";
export { createLane, type Lane, type LaneOptions } from "./lane.ts";
export { type LaneCommands, laneCommands } from "./lane-commands.ts";

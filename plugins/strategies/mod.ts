export { directExecute } from "./direct-execute.ts";
export { redGreen } from "./red-green.ts";

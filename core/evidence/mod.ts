export * from "./outcome.ts";
export * from "./outcomes.ts";
export * from "./report.ts";

export { defaultPolicy, LANGUAGE_PRESETS, type LanguagePreset, presetNames, presetText } from "./default-policy.ts";
export { commandGrants, explain } from "./explain.ts";
export { type LoadPolicyInput, loadPolicy, type ResolvePolicy } from "./load.ts";
export { type CommandCode, type ParsedCommand, parseCommand } from "./parse-command.ts";
export { fileRole, isTestPath, type PathRole, policySurface } from "./roles.ts";
export { type PolicyTestResult, runPolicyTests } from "./test-policy.ts";
export * from "./types.ts";

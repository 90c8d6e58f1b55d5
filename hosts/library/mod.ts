/** What `yada-runtime` exports: the kernel, and the plugins that need no host. This module is browser compatible. */

export type * from "../../core/edit/mod.ts";
export { applyPatch, canonicalPatch, replaceText } from "../../core/edit/mod.ts";
export type * from "../../core/evidence/mod.ts";
export { classify, OUTCOMES } from "../../core/evidence/mod.ts";
export { canonicalJson, type Json } from "../../core/hash/mod.ts";
export type * from "../../core/plugin/mod.ts";
export { createRegistry, definePlugin, selectPresenter } from "../../core/plugin/mod.ts";
export type * from "../../core/policy/mod.ts";
export { defaultPolicy, explain, loadPolicy, parseCommand } from "../../core/policy/mod.ts";
export type * from "../../core/run/mod.ts";
export { CODES, createKernel, decide, evolve, INITIAL, readTrace, sealEvent } from "../../core/run/mod.ts";
export type { Grammars } from "../../core/syntax/mod.ts";
export type * from "../../core/workspace/mod.ts";
export { normalizePath, openWorkspace } from "../../core/workspace/mod.ts";
export { nodeTest, vitest } from "../../plugins/runners/mod.ts";
export { directExecute, redGreen } from "../../plugins/strategies/mod.ts";
export { parseReport } from "./parse-report.ts";

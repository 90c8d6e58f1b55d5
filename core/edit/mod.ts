/** The two edit tools: exact, transactional, never fuzzy. This module is browser compatible. */
export { proposeApplyPatch } from "./apply-patch.ts";
export { canonicalPatch, type FileChange, type FileContent } from "./canonical-patch.ts";
export { applyPatch, replaceText } from "./make-current.ts";
export { proposeReplaceText } from "./replace-text.ts";
export * from "./types.ts";

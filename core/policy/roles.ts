/** What a path is to a policy. This module is browser compatible. */
import { compilePolicy } from "./compile.ts";
import { leadsIntoOwnDirectories, pathProblem, subjectOf } from "./glob.ts";
import { findRule, type Question, ruleMatches, WIDELY } from "./match-path.ts";
import type { Policy, WriteFacts } from "./types.ts";

export type PathRole = "production" | "test" | "config" | "spec" | "protected";

/**
 * The role of a path: the first that fits of protected, config, test, spec, production. A file of which only some keys belong to the runner's
 * surface (`package.json#/scripts/test`) is production, unless the facts say that such a key changes. A path that is none is protected.
 */
export function fileRole(policy: Policy, path: string, ignoreCase = false, facts: WriteFacts = {}): PathRole {
  if (pathProblem(path) !== null || leadsIntoOwnDirectories(subjectOf(path)) !== null) return "protected";
  const known = { ...facts, changedKeys: facts.changedKeys ?? [] };
  const question: Question = { policy: compilePolicy(policy), subject: subjectOf(path), facts: known };
  const { protect, config, spec } = question.policy;
  if (findRule(protect, question, WIDELY) !== undefined) return "protected";
  if (config.some((rule) => ruleMatches(rule, question, WIDELY))) return "config";
  if (known.surface !== undefined && ruleMatches(SURFACE, question, WIDELY)) return "config";
  if (isTestPath(policy, path, ignoreCase)) return "test";
  return findRule(spec, question, WIDELY) === undefined ? "production" : "spec";
}

const SURFACE = {
  kind: "set",
  set: "$tests.config",
  rule: { pattern: "$tests.config", source: { file: "yada:builtin", line: 1, column: 1, text: "$tests.config" } },
} as const;

/** Whether `tests.paths` names the path. By whole segments: `contest/a.c` and `latest_value.c` are no tests. */
export function isTestPath(policy: Policy, path: string, ignoreCase = false): boolean {
  if (pathProblem(path) !== null) return false;
  const question: Question = { policy: compilePolicy(policy), subject: subjectOf(path), facts: {} };
  return findRule(question.policy.tests, question, { fold: ignoreCase, unknown: true }) !== undefined;
}

/** The policy's own part of the runner surface: globs, and keys of files as `file#/pointer`. A runner adapter declares the rest. */
export function policySurface(policy: Policy): readonly string[] {
  return policy.tests.config.map(({ pattern }) => pattern);
}

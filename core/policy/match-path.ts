/**
 * Whether a rule names a path. This module is browser compatible.
 *
 * What restricts is read widely, what grants is read narrowly: a `deny` or `ask` also meets what a file system takes for the same file, and
 * what may be the case where the facts are left out; an `allow` names exactly the path, and only on facts that are known.
 */
import type { CompiledPolicy, CompiledRule } from "./compile.ts";
import { compileGlob, foldPath, type Subject } from "./glob.ts";
import { type NamedSet, pointerCovers, pointersMeet, readPattern, splitPointer } from "./pattern.ts";
import type { WriteFacts } from "./types.ts";

export interface Question {
  readonly policy: CompiledPolicy;
  readonly subject: Subject;
  readonly facts: WriteFacts;
}

/** How a rule is read. */
export interface Reading {
  /** By what file systems take for the same name, or exactly. */
  readonly fold: boolean;
  /** Whether facts that are left out count as matching. */
  readonly unknown: boolean;
  /** The rule grants: it has to cover every key that changes, not one of them. */
  readonly grants?: boolean;
}

export const WIDELY: Reading = { fold: true, unknown: true };

export function findRule(
  rules: readonly CompiledRule[],
  question: Question,
  reading: Reading,
): CompiledRule | undefined {
  for (const rule of rules) if (ruleMatches(rule, question, reading)) return rule;
  return undefined;
}

export function ruleMatches(rule: CompiledRule, question: Question, reading: Reading): boolean {
  switch (rule.kind) {
    case "set":
      return setMatches(rule.set, question, reading);
    case "glob":
      return reading.fold ? rule.glob.folded(question.subject) : rule.glob.literal(question.subject);
    case "key":
      return (
        (reading.fold ? rule.glob.folded(question.subject) : rule.glob.literal(question.subject)) &&
        keysMatch(rule.pointer, question.facts.changedKeys, reading)
      );
  }
}

/** `["*"]`: everything in the file may have changed. */
function keysMatch(pointer: readonly string[], changed: readonly string[] | undefined, reading: Reading): boolean {
  if (changed === undefined) return reading.unknown;
  if (reading.grants === true) {
    return changed.length > 0 && changed.every((key) => key !== "*" && pointerCovers(pointer, splitPointer(key)));
  }
  return changed.some((key) => key === "*" || pointersMeet(pointer, splitPointer(key)));
}

function setMatches(set: NamedSet, question: Question, reading: Reading): boolean {
  const { policy, facts } = question;
  switch (set) {
    case "$tests":
      return findRule(policy.tests, question, reading) !== undefined;
    case "$spec":
      return findRule(policy.spec, question, reading) !== undefined;
    case "$tests.config":
      return (
        findRule(policy.config, question, reading) !== undefined ||
        (facts.surface ?? []).some((entry) => ruleMatches(surfaceRule(entry), question, reading))
      );
    case "$tests.changed":
      return changesTest(question, reading);
    case "$frozen":
      return facts.frozen === undefined ? reading.unknown && couldBeFrozen(question) : isFrozen(question);
  }
}

function changesTest(question: Question, reading: Reading): boolean {
  const { existedAsTest, onlyAddsTests } = question.facts;
  if (onlyAddsTests === true || existedAsTest === false) return false;
  if (existedAsTest === true) return true;
  return reading.unknown && findRule(question.policy.tests, question, reading) !== undefined;
}

/** Whether the path is a frozen one, or one that a file system takes for it. */
export function isFrozen({ facts, subject }: Question): boolean {
  if (facts.frozen === undefined || facts.frozen.length === 0) return false;
  return facts.frozen.some((path) => {
    if (path === subject.path) return true;
    const key = foldPath(path);
    return subject.folded.some((form) => form.path === key);
  });
}

/** Without facts: tests and the runner's surface are what gets frozen. */
function couldBeFrozen(question: Question): boolean {
  return (
    findRule(question.policy.tests, question, WIDELY) !== undefined || setMatches("$tests.config", question, WIDELY)
  );
}

function surfaceRule(entry: string): CompiledRule {
  const rule = { pattern: entry, source: { file: "the runner's surface", line: 1, column: 1, text: entry } };
  const pattern = readPattern(entry);
  if (pattern.kind === "key") return { kind: "key", rule, glob: compileGlob(pattern.glob), pointer: pattern.pointer };
  return { kind: "glob", rule, glob: compileGlob(entry) };
}

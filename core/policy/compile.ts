/** A policy made ready for decisions, once for each policy. This module is browser compatible. */
import { type CommandPattern, readCommandPattern } from "./command-pattern.ts";
import { compileGlob, type GlobMatcher } from "./glob.ts";
import { type StrictPattern, strictPattern } from "./match-strictly.ts";
import { type NamedSet, readPattern } from "./pattern.ts";
import type { Policy, Rule, RuleSet } from "./types.ts";

export type CompiledRule =
  | { readonly kind: "set"; readonly rule: Rule; readonly set: NamedSet }
  | { readonly kind: "glob"; readonly rule: Rule; readonly glob: GlobMatcher }
  | { readonly kind: "key"; readonly rule: Rule; readonly glob: GlobMatcher; readonly pointer: readonly string[] };

export interface CompiledCommand {
  readonly rule: Rule;
  readonly literal: CommandPattern;
  readonly strict: StrictPattern;
}

export interface Compiled<T> {
  readonly allow: readonly T[];
  readonly ask: readonly T[];
  readonly deny: readonly T[];
}

export interface CompiledPolicy {
  readonly tests: readonly CompiledRule[];
  readonly config: readonly CompiledRule[];
  readonly spec: readonly CompiledRule[];
  readonly protect: readonly CompiledRule[];
  readonly readDeny: readonly CompiledRule[];
  readonly phases: ReadonlyMap<string, Compiled<CompiledRule>>;
  readonly roles: ReadonlyMap<string, Compiled<CompiledRule>>;
  readonly commands: Compiled<CompiledCommand> & {
    readonly propose: readonly CompiledCommand[];
    readonly network: readonly CompiledCommand[];
  };
}

const cache = new WeakMap<Policy, CompiledPolicy>();

/** The compiled form of a policy. A policy is a value: one that is changed in place keeps its first form. */
export function compilePolicy(policy: Policy): CompiledPolicy {
  const known = cache.get(policy);
  if (known !== undefined) return known;
  const { commands } = policy;
  const compiled: CompiledPolicy = {
    tests: policy.tests.paths.map(compileRule),
    config: policy.tests.config.map(compileRule),
    spec: policy.spec.paths.map(compileRule),
    protect: policy.protect.map(compileRule),
    readDeny: policy.read.deny.map(compileRule),
    phases: writeRules(policy.phases),
    roles: writeRules(policy.roles ?? {}),
    commands: {
      allow: commands.allow.flatMap(compileCommand),
      ask: commands.ask.flatMap(compileCommand),
      deny: commands.deny.flatMap(compileCommand),
      propose: commands.propose.flatMap(compileCommand),
      network: commands.network.flatMap(compileCommand),
    },
  };
  cache.set(policy, compiled);
  return compiled;
}

function writeRules(
  named: Readonly<Record<string, { readonly write: RuleSet }>>,
): ReadonlyMap<string, Compiled<CompiledRule>> {
  return new Map(
    Object.entries(named).map(([name, { write }]) => [
      name,
      { allow: write.allow.map(compileRule), ask: write.ask.map(compileRule), deny: write.deny.map(compileRule) },
    ]),
  );
}

function compileRule(rule: Rule): CompiledRule {
  const pattern = readPattern(rule.pattern);
  if (pattern.kind === "set") return { kind: "set", rule, set: pattern.set };
  const glob = compileGlob(pattern.glob);
  return pattern.kind === "glob" ? { kind: "glob", rule, glob } : { kind: "key", rule, glob, pointer: pattern.pointer };
}

function compileCommand(rule: Rule): CompiledCommand[] {
  const literal = readCommandPattern(rule.pattern);
  const strict = literal === null ? null : strictPattern(literal);
  return literal === null || strict === null ? [] : [{ rule, literal, strict }];
}

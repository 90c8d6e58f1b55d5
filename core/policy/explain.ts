/** The one decision function: what a policy says about a path or a command, and which line says it. This module is browser compatible. */
import { addedAuthority } from "./authority.ts";
import { matchLiterally } from "./command-pattern.ts";
import { type Compiled, type CompiledCommand, type CompiledRule, compilePolicy } from "./compile.ts";
import { leadsIntoOwnDirectories, pathProblem, type Subject, subjectOf } from "./glob.ts";
import { findRule, isFrozen, type Question, ruleMatches, WIDELY } from "./match-path.ts";
import { matchReading, matchStrictly } from "./match-strictly.ts";
import { parseCommand } from "./parse-command.ts";
import { readCommand } from "./read-command.ts";
import { nearest } from "./suggest.ts";
import type { Decision, Policy, Query, RuleSource } from "./types.ts";

/** Rules that hold whatever a policy says, as sources: their lines are their numbers in docs/policy.md. */
const BUILTIN = {
  git: builtin(1, ".git/**"),
  yada: builtin(2, ".yada/**"),
  runs: builtin(3, ".yada/runs/**"),
  frozen: builtin(4, "$frozen"),
};

function builtin(line: number, text: string): RuleSource {
  return { file: "yada:builtin", line, column: 1, text };
}

/**
 * Decides one question. `deny` beats `ask` beats `allow`, whatever their order; what nothing names is denied, except that reading is
 * allowed unless a rule denies it. Never throws for a query of the right type.
 *
 * @example
 * ```ts
 * import { explain, loadPolicy } from "yada-runtime";
 * const loaded = await loadPolicy({ text: "version: 1\nextends: [yada:node]\n" });
 * if (loaded.ok) explain(loaded.policy, { phase: "red", action: "write", path: "src/a.ts" }).decision; // "deny"
 * ```
 */
export function explain(policy: Policy, query: Query): Decision {
  switch (query.action) {
    case "run":
      return decideRun(policy, query.command);
    case "read":
      return withPath(query.path, (path) => decideRead(policy, path));
    case "write":
      return withPath(query.path, (path) => decideWrite(policy, query, path));
  }
}

function withPath(path: string | undefined, decide: (path: string) => Decision): Decision {
  if (path === undefined) return nothing("The question names no path.");
  const problem = pathProblem(path);
  return problem === null ? decide(path) : nothing(`The path ${JSON.stringify(path.slice(0, 200))} ${problem}.`);
}

function nothing(why: string): Decision {
  return { decision: "deny", by: "nothing", why };
}

function decideRead(policy: Policy, path: string): Decision {
  const question: Question = { policy: compilePolicy(policy), subject: subjectOf(path), facts: {} };
  if (leadsIntoOwnDirectories(question.subject) === ".yada/**" && isRunsDirectory(question.subject)) {
    return decided("deny", BUILTIN.runs, "read", "records of runs are read by no one");
  }
  const denied = findRule(question.policy.readDeny, question, WIDELY);
  if (denied !== undefined) return decided("deny", denied.rule.source, "read", `read.deny names ${path}`);
  return { decision: "allow", by: "nothing", why: `No rule keeps ${path} from being read.` };
}

function isRunsDirectory({ folded }: Subject): boolean {
  return folded.some(({ names: [, second = ""] }) => /^runs(~\d+)?$/.test(second));
}

function decideWrite(policy: Policy, query: Query, path: string): Decision {
  const compiled = compilePolicy(policy);
  const question: Question = { policy: compiled, subject: subjectOf(path), facts: query.facts ?? {} };

  const own = leadsIntoOwnDirectories(question.subject);
  if (own !== null) {
    return decided("deny", own === ".git/**" ? BUILTIN.git : BUILTIN.yada, "protect", `${own} is written by no one`);
  }
  const protectedBy = findRule(compiled.protect, question, WIDELY);
  if (protectedBy !== undefined) {
    return decided(
      "deny",
      protectedBy.rule.source,
      "protect",
      `protect names ${path}${unknownFacts(protectedBy, question)}`,
    );
  }

  const { phase } = query;
  if (phase === undefined) return nothing("A write happens in a phase, and the question names none.");
  const rules = compiled.phases.get(phase);
  if (rules === undefined) {
    const near = nearest(phase, compiled.phases.keys());
    return nothing(`The policy has no phase "${phase}"${near === undefined ? "." : `; did you mean "${near}"?`}`);
  }
  const role = query.role ?? "coder";
  const roleRules = compiled.roles.get(role);
  if (query.role !== undefined && roleRules === undefined) return nothing(`The policy has no role "${role}".`);

  const inPhase = decideByRules(rules, question, query, `phase ${phase}`);
  if (roleRules === undefined) return inPhase;
  const inRole = decideByRules(narrowed(roleRules), question, query, `role ${role}`);
  return STRENGTH[inRole.decision] > STRENGTH[inPhase.decision] ? inRole : inPhase;
}

const STRENGTH = { allow: 0, ask: 1, deny: 2 } as const;

/** A role without an `allow` adds only its `deny` and `ask`. */
function narrowed(rules: Compiled<CompiledRule>): Compiled<CompiledRule> {
  return rules.allow.length > 0 ? rules : { ...rules, allow: EVERYTHING };
}

const EVERYTHING: readonly CompiledRule[] = [
  {
    kind: "glob",
    rule: { pattern: "**", source: { file: "yada:builtin", line: 5, column: 1, text: "**" } },
    glob: { literal: () => true, folded: () => true },
  },
];

function decideByRules(rules: Compiled<CompiledRule>, question: Question, query: Query, who: string): Decision {
  const { path } = question.subject;
  const denied = rules.deny.filter((rule) => ruleMatches(rule, question, WIDELY));
  const frozen = isFrozen(question);
  if (frozen || denied.length > 0) {
    const known = denied.filter((rule) => ruleMatches(rule, question, { fold: true, unknown: false }));
    const first = mostTelling(known.length > 0 ? known : denied);
    if (frozen && (first === undefined || byOf(first) !== "frozen")) {
      return decided("deny", BUILTIN.frozen, "frozen", `${path} is frozen`);
    }
    if (first !== undefined) {
      return decided("deny", first.rule.source, byOf(first), `${who} denies ${path}${unknownFacts(first, question)}`);
    }
  }

  const ignoreCase = query.ignoreCase === true;
  const allowed = findRule(rules.allow, question, { fold: ignoreCase, unknown: false, grants: true });
  // A twin in case or normal form is asked about only where it could be written at all.
  const asking = { fold: allowed !== undefined || ignoreCase, unknown: true };
  const asked = mostTelling(rules.ask.filter((rule) => ruleMatches(rule, question, asking)));
  if (asked !== undefined) {
    const reason = `${who} asks before ${path} is written${unknownFacts(asked, question)}`;
    return decided("ask", asked.rule.source, byOf(asked), reason);
  }
  if (allowed !== undefined) return decided("allow", allowed.rule.source, "phase", `${who} allows ${path}`);
  return nothing(`No rule of ${who} allows ${path}.`);
}

const ORDER = ["frozen", "config", "tests_changed", "phase"] as const;

/** Of several rules that match, the one whose reason helps most; among equals, the first. */
function mostTelling(rules: readonly CompiledRule[]): CompiledRule | undefined {
  return rules.reduce<CompiledRule | undefined>(
    (best, rule) => (best === undefined || ORDER.indexOf(byOf(rule)) < ORDER.indexOf(byOf(best)) ? rule : best),
    undefined,
  );
}

function byOf(rule: CompiledRule): (typeof ORDER)[number] {
  if (rule.kind !== "set") return "phase";
  if (rule.set === "$frozen") return "frozen";
  if (rule.set === "$tests.config") return "config";
  return rule.set === "$tests.changed" ? "tests_changed" : "phase";
}

/** Says so where a rule matched only because facts were left out. */
function unknownFacts(rule: CompiledRule, question: Question): string {
  if (ruleMatches(rule, question, { fold: true, unknown: false })) return "";
  const set = rule.kind === "set" ? rule.set : "a key of the file";
  return ` (the facts about ${set} were left out, so it counts as matching)`;
}

function decided(
  decision: Decision["decision"],
  rule: RuleSource,
  by: NonNullable<Decision["by"]>,
  reason: string,
): Decision {
  return { decision, rule, by, why: `${reason}: ${rule.file}:${rule.line} says "${rule.text}".` };
}

// ---------------------------------------------------------------- commands

function decideRun(policy: Policy, command: Query["command"]): Decision {
  if (command === undefined) return nothing("The question names no command.");
  const argv = argvOf(command);
  if (!argv.ok) return { decision: "deny", by: "shell", why: argv.why };
  const { commands } = compilePolicy(policy);
  const readings = readCommand(argv.argv);
  const shown = argv.argv.join(" ").slice(0, 200);

  const strict = (rules: readonly CompiledCommand[]) =>
    rules.map((compiled) => ({ compiled, match: matchStrictly(compiled.strict, readings) }));
  const denied = strict(commands.deny);
  const surelyDenied = denied.find(({ match }) => match === "yes");
  if (surelyDenied !== undefined) {
    return decided("deny", surelyDenied.compiled.rule.source, "commands", `commands.deny names \`${shown}\``);
  }

  const allow = findGrant(commands.allow, argv.argv);
  const [direct] = readings.readings;
  const asked = strict(commands.ask);
  const surelyAsked =
    asked.find(({ match }) => allow.rule !== undefined && match === "yes") ??
    asked.find(({ compiled }) => direct !== undefined && matchReading(compiled.strict, direct) === "yes");
  if (surelyAsked !== undefined) {
    return decided("ask", surelyAsked.compiled.rule.source, "commands", `commands.ask names \`${shown}\``);
  }

  if (allow.rule !== undefined) {
    const doubtful = [...denied, ...asked].find(({ match }) => match === "maybe");
    if (doubtful !== undefined) {
      const reason = `it cannot be read with certainty whether \`${shown}\` comes to what is restricted`;
      return decided("ask", doubtful.compiled.rule.source, "commands", reason);
    }
    return decided("allow", allow.rule.rule.source, "commands", `commands.allow names \`${shown}\``);
  }
  if (allow.near !== undefined) {
    const { rule, argument } = allow.near;
    const reason = `"${argument}" gives the command more authority than the rule names, and a wildcard does not stand for it`;
    return decided("deny", rule.rule.source, "commands", reason);
  }
  return nothing(`No rule of commands.allow names \`${shown}\`.`);
}

type Argv = { readonly ok: true; readonly argv: readonly string[] } | { readonly ok: false; readonly why: string };

function argvOf(command: string | readonly string[]): Argv {
  if (typeof command === "string") {
    const parsed = parseCommand(command);
    if (parsed.ok) return parsed;
    return { ok: false, why: `The command cannot be run: ${parsed.message} (column ${parsed.column}).` };
  }
  if (command.length === 0 || command[0] === "")
    return { ok: false, why: "The command cannot be run: it names no program." };
  if (command.some((word) => word.includes("\0")))
    return { ok: false, why: "The command cannot be run: an argument holds a NUL." };
  return { ok: true, argv: command };
}

interface Grant {
  readonly rule?: CompiledCommand;
  /** A rule that would match but for an argument that adds authority. */
  readonly near?: { readonly rule: CompiledCommand; readonly argument: string };
}

function findGrant(rules: readonly CompiledCommand[], argv: readonly string[]): Grant {
  let near: Grant["near"];
  for (const rule of rules) {
    const match = matchLiterally(rule.literal, argv);
    if (match === null) continue;
    const argument = addedAuthority(argv, match.wild);
    if (argument === null) return { rule };
    near ??= { rule, argument };
  }
  return near === undefined ? {} : { near };
}

/**
 * What `commands.propose` and `commands.network` grant to a command: whether what it changes in the lane becomes a proposed edit, and
 * whether it may use the network. Both are read as narrowly as an `allow`.
 */
export function commandGrants(
  policy: Policy,
  command: string | readonly string[],
): { readonly propose: boolean; readonly network: boolean } {
  const argv = argvOf(command);
  if (!argv.ok) return { propose: false, network: false };
  const { propose, network } = compilePolicy(policy).commands;
  return {
    propose: findGrant(propose, argv.argv).rule !== undefined,
    network: findGrant(network, argv.argv).rule !== undefined,
  };
}

/** Runs the `policy_tests` of a policy. This module is browser compatible. */
import { explain } from "./explain.ts";
import type { Decision, Policy, Query, RuleSource, WriteFacts } from "./types.ts";

export interface PolicyTestResult {
  readonly query: Query;
  readonly expected: Decision["decision"];
  readonly actual: Decision;
  readonly passed: boolean;
  /** Where the test stands. */
  readonly source?: RuleSource;
}

/** The result of every policy test of the policy's own file, in order. */
export function runPolicyTests(policy: Policy): readonly PolicyTestResult[] {
  return policy.policyTests.map((test) => {
    const query = queryOf(test);
    const expected = decisionOf(test["expect"]);
    const actual = explain(policy, query);
    const source = sourceOf(test["source"]);
    return {
      query,
      expected,
      actual,
      passed: actual.decision === expected,
      ...(source === undefined ? {} : { source }),
    };
  });
}

function queryOf(test: Readonly<Record<string, unknown>>): Query {
  const command = text(test["run"]);
  if (command !== undefined) return { action: "run", command };
  const path = text(test["read"]) ?? text(test["write"]) ?? "";
  const action = test["read"] === undefined ? "write" : "read";
  const phase = text(test["phase"]);
  const role = text(test["role"]);
  const facts = factsOf(test["facts"]);
  return { action, path, ...(phase === undefined ? {} : { phase }), ...(role === undefined ? {} : { role }), facts };
}

function factsOf(value: unknown): WriteFacts {
  const facts = record(value);
  const flag = (key: string, name: keyof WriteFacts) => (typeof facts[key] === "boolean" ? { [name]: facts[key] } : {});
  const list = (key: string, name: keyof WriteFacts) =>
    Array.isArray(facts[key]) ? { [name]: facts[key].map(String) } : {};
  return {
    ...flag("only_adds_tests", "onlyAddsTests"),
    ...flag("existed_as_test", "existedAsTest"),
    ...list("frozen", "frozen"),
    ...list("surface", "surface"),
    ...list("changed_keys", "changedKeys"),
  };
}

function decisionOf(value: unknown): Decision["decision"] {
  return value === "allow" || value === "ask" ? value : "deny";
}

function sourceOf(value: unknown): RuleSource | undefined {
  const { file, line, column, text: shown } = record(value);
  if (typeof file !== "string" || typeof line !== "number" || typeof column !== "number" || typeof shown !== "string")
    return undefined;
  return { file, line, column, text: shown };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" ? Object.fromEntries(Object.entries(value)) : {};
}

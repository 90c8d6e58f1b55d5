/** What holds for every policy, by random policies and questions. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explain, loadPolicy, type Policy, type Query } from "./mod.ts";

const glob = fc.constantFrom(
  "**",
  "src/**",
  "src/*.ts",
  "test/**",
  "**/*.test.ts",
  "a.json",
  "a.json#/x",
  "SRC/**",
  "lib/{a,b}.ts",
  "**/.env*",
);
const set = fc.constantFrom("$tests", "$tests.config", "$tests.changed", "$spec");
const restricting = fc.oneof(glob, set, fc.constant("$frozen"));
const granting = fc.oneof(glob, set);
const command = fc.constantFrom(
  "npm test",
  "npm test *",
  "git *",
  "git log *",
  "git push *",
  "env *",
  "sh -c *",
  "npm install *",
  "node *",
);

interface Rules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

interface Layer {
  readonly write: Rules;
  readonly commands: Rules;
  readonly protect: readonly string[];
  readonly readDeny: readonly string[];
}

const rules = (allow: fc.Arbitrary<string>, others: fc.Arbitrary<string>): fc.Arbitrary<Rules> =>
  fc.record({
    allow: fc.array(allow, { maxLength: 4 }),
    ask: fc.array(others, { maxLength: 3 }),
    deny: fc.array(others, { maxLength: 3 }),
  });

const layer: fc.Arbitrary<Layer> = fc.record({
  write: rules(granting, restricting),
  commands: rules(command, command),
  protect: fc.array(fc.constantFrom("LICENSE", "lib/**", "a.json#/license"), { maxLength: 2 }),
  readDeny: fc.array(fc.constantFrom("**/.env*", "secret/**", "lib/a.ts"), { maxLength: 2 }),
});

const path = fc.constantFrom(
  ...[
    "src/a.ts",
    "SRC/a.ts",
    "src/a.test.ts",
    "test/a.ts",
    "Test/a.ts",
    "a.json",
    "A.json",
    "lib/a.ts",
    "LICENSE",
    ".env",
    "src/.env",
  ],
  ...[".git/config", ".yada/policy.yaml", ".yada/runs/1/t", "t.config", "docs/spec.md", "../x", "secret/a", "lib/c.ts"],
);
const line = fc.constantFrom(
  ...[
    "npm test",
    "npm test -- a",
    "git log",
    "git push",
    "git -C x push",
    "env git push",
    "sh -c 'git push'",
    "git p",
    "npm i x",
  ],
  ...["npm test | x", "node -e 'git'", "env npm install x", "git log --output=x", "A=1 npm test", "/usr/bin/git push"],
);
const facts = fc.record(
  {
    onlyAddsTests: fc.boolean(),
    existedAsTest: fc.boolean(),
    frozen: fc.subarray(["src/a.test.ts", "test/a.ts"]),
    surface: fc.subarray(["t.config", "a.json#/x"]),
    changedKeys: fc.subarray(["/x", "/license", "*"]),
  },
  { requiredKeys: [] },
);
const query: fc.Arbitrary<Query> = fc.oneof(
  fc.record({
    action: fc.constant("write" as const),
    phase: fc.constantFrom("fix", "red"),
    path,
    facts,
    ignoreCase: fc.boolean(),
  }),
  fc.record({ action: fc.constant("read" as const), path }),
  fc.record({ action: fc.constant("run" as const), command: line }),
);

function text(given: Layer, under: readonly string[] = []): string {
  const list = (values: readonly string[]) => JSON.stringify(values);
  const ruleText = ({ allow, ask, deny }: Rules) => `{ allow: ${list(allow)}, ask: ${list(ask)}, deny: ${list(deny)} }`;
  return `version: 1
extends: ${list(under)}
tests: { paths: ["test/**", "**/*.test.ts"], config: ["t.config", "a.json#/x"] }
spec: { paths: ["docs/**"] }
protect: ${list(given.protect)}
read: { deny: ${list(given.readDeny)} }
phases: { fix: { write: ${ruleText(given.write)} }, red: { write: ${ruleText(given.write)} } }
commands: ${ruleText(given.commands)}
`;
}

async function load(given: Layer, under: Readonly<Record<string, Layer>> = {}): Promise<Policy> {
  const resolve = async (name: string) => {
    const found = under[name];
    return found === undefined ? null : { file: name, text: text(found) };
  };
  const loaded = await loadPolicy({ text: text(given, Object.keys(under)), resolve });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.policy;
}

const withRules = (given: Layer, change: (rules: Rules) => Rules): Layer => ({
  ...given,
  write: change(given.write),
  commands: change(given.commands),
});

const STRENGTH = { allow: 0, ask: 1, deny: 2 };

describe("for every policy and every question", () => {
  test("an added allow never changes what a rule denies, and never weakens an ask", async () => {
    await fc.assert(
      fc.asyncProperty(layer, granting, command, query, async (given, more, moreCommand, asked) => {
        const before = explain(await load(given), asked);
        const added: Layer = {
          ...given,
          write: { ...given.write, allow: [...given.write.allow, more] },
          commands: { ...given.commands, allow: [...given.commands.allow, moreCommand] },
        };
        const after = explain(await load(added), asked);
        // A command that an allow names but for an argument is denied by that allow, and another allow may name the argument.
        const isDeniedByRule = before.decision === "deny" && before.rule !== undefined && !isNearMiss(before.why);
        if (isDeniedByRule) expect(after.decision).toBe("deny");
        if (before.decision === "ask") expect(after.decision).not.toBe("allow");
      }),
      { numRuns: 400 },
    );
  });

  test("the order of rules never matters", async () => {
    await fc.assert(
      fc.asyncProperty(layer, query, async (given, asked) => {
        const reversed = withRules(given, ({ allow, ask, deny }) => ({
          allow: [...allow].reverse(),
          ask: [...ask].reverse(),
          deny: [...deny].reverse(),
        }));
        const one = explain(await load(given), asked);
        const other = explain(await load(reversed), asked);
        expect([other.decision, other.by]).toEqual([one.decision, one.by]);
      }),
      { numRuns: 400 },
    );
  });

  test("a layer on top never lifts what a rule below denies or asks", async () => {
    await fc.assert(
      fc.asyncProperty(layer, layer, query, async (lower, upper, asked) => {
        const below = explain(await load(lower), asked);
        const merged = explain(await load(upper, { "./lower.yaml": lower }), asked);
        const restricts = below.rule !== undefined && below.decision !== "allow" && !isNearMiss(below.why);
        if (restricts) expect(STRENGTH[merged.decision]).toBeGreaterThanOrEqual(STRENGTH[below.decision]);
      }),
      { numRuns: 400 },
    );
  });

  test("a decision names a rule, or says that nothing does", async () => {
    await fc.assert(
      fc.asyncProperty(layer, query, async (given, asked) => {
        const { rule, by, why, decision } = explain(await load(given), asked);
        expect(by).toBeDefined();
        if (rule === undefined) {
          expect(["nothing", "shell"]).toContain(by);
          expect(decision === "allow" ? asked.action : "write or run").toBe(
            decision === "allow" ? "read" : "write or run",
          );
        } else {
          expect(why).toContain(`${rule.file}:${rule.line}`);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("a twin in case is never allowed where the path itself is denied by a rule", async () => {
    await fc.assert(
      fc.asyncProperty(layer, path, facts, async (given, one, known) => {
        const policy = await load(given);
        const ask = (asked: string) => explain(policy, { action: "write", phase: "fix", path: asked, facts: known });
        const original = ask(one);
        if (original.decision !== "deny" || original.rule === undefined) return;
        expect(ask(one.toUpperCase()).decision).toBe("deny");
        expect(ask(one.toLowerCase()).decision).toBe("deny");
      }),
      { numRuns: 400 },
    );
  });

  test("facts that are left out never make a write easier", async () => {
    await fc.assert(
      fc.asyncProperty(
        layer,
        path,
        facts,
        fc.constantFrom("onlyAddsTests", "existedAsTest", "changedKeys"),
        async (given, one, known, left) => {
          const policy = await load(given);
          const { [left as keyof typeof known]: _, ...fewer } = known;
          const ask = (asked: typeof known) =>
            explain(policy, { action: "write", phase: "fix", path: one, facts: asked });
          const before = ask(known);
          // Without the fact, only a path that tests.paths names counts as a test.
          if (known.existedAsTest === true && !/test/i.test(one)) return;
          // An ask names what nothing allows: it is the weaker answer only where there is no allow to begin with.
          if (before.decision === "deny" && before.rule === undefined) return;
          expect(STRENGTH[ask(fewer).decision]).toBeGreaterThanOrEqual(STRENGTH[before.decision]);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("any text whatever is answered without a throw", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (any) => {
        const policy = await load({
          write: { allow: ["**"], ask: [], deny: [] },
          commands: { allow: ["git *"], ask: [], deny: ["git push *"] },
          protect: [],
          readDeny: [],
        });
        expect(explain(policy, { action: "run", command: any }).decision).toBeDefined();
        expect(explain(policy, { action: "run", command: `git ${any}` }).decision).toBeDefined();
        expect(explain(policy, { action: "write", phase: "fix", path: any }).decision).toBeDefined();
        expect((await loadPolicy({ text: any })).ok).toBe(false);
      }),
      { numRuns: 400 },
    );
  });
});

function isNearMiss(why: string): boolean {
  return why.includes("gives the command more authority");
}

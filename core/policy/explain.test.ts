import { describe, expect, test } from "vitest";
import { commandGrants, explain, loadPolicy, type Policy, presetText, type Query, type WriteFacts } from "./mod.ts";

async function load(text: string): Promise<Policy> {
  const loaded = await loadPolicy({ text, file: "policy.yaml" });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.policy;
}

/** `decision by rule-file:line`, the rule being absent where nothing named the path. */
function answer(policy: Policy, query: Query): string {
  const { decision, by, rule } = explain(policy, query);
  return [decision, by, rule === undefined ? "" : `${rule.file}:${rule.line}`].join(" ").trim();
}

/** The number of the first line of a text that holds another one, to name deciding lines by what stands in them. */
function lineOf(text: string, part: string): number {
  const line = text.split("\n").findIndex((one) => one.includes(part)) + 1;
  if (line === 0) throw new Error(`no line holds ${part}`);
  return line;
}

const own = `version: 1
tests:
  paths: ["test/**", "**/*.test.ts"]
  config: ["vitest.config.*", "package.json#/scripts/test", "test/setup.ts"]
spec:
  paths: ["docs/issues/**"]
protect: ["LICENSE", "package.json#/license"]
read:
  deny: ["**/.env*", "secret/**"]
phases:
  select: { write: {} }
  red:
    write:
      allow: [$tests]
      ask: [$tests.changed]
      deny: [$tests.config]
  fix:
    write:
      allow: ["src/**", "package.json", "docs/**", "test/**"]
      ask: ["src/public/**", $tests.changed]
      deny: ["src/generated/**", $frozen, $tests.config, $spec]
  direct:
    write:
      allow: ["**"]
      ask: [$tests.changed, $tests.config]
  keys:
    write:
      allow: ["package.json#/version"]
plugins: [{ use: ./a.ts }]
`;

type Row = readonly [query: Query | readonly [phase: string, path: string, facts?: WriteFacts], decision: string];

const rows: readonly Row[] = [
  // Phases
  [["select", "src/a.ts"], "deny nothing"],
  [["select", "test/a.ts"], "deny nothing"],
  [["red", "src/a.ts"], "deny nothing"],
  [["red", "test/a.ts", { onlyAddsTests: true }], "allow phase policy.yaml:14"],
  [["red", "src/a.test.ts", { existedAsTest: false }], "allow phase policy.yaml:14"],
  [["red", "src/a.test.ts", { existedAsTest: true, onlyAddsTests: false }], "ask tests_changed policy.yaml:15"],
  [["red", "src/a.test.ts", { existedAsTest: true, onlyAddsTests: true }], "allow phase policy.yaml:14"],
  [["red", "src/a.test.ts"], "ask tests_changed policy.yaml:15"],
  [["red", "src/mixed.rs", { existedAsTest: true }], "ask tests_changed policy.yaml:15"],
  [["red", "vitest.config.ts"], "deny config policy.yaml:16"],
  [["red", "test/setup.ts", { onlyAddsTests: true }], "deny config policy.yaml:16"],
  [["red", "contest/a.ts"], "deny nothing"],
  [["red", "src/contest.ts"], "deny nothing"],
  [["red", "src/latest_value.c"], "deny nothing"],
  [["red", "test"], "ask tests_changed policy.yaml:15"],
  [["fix", "src/a.ts"], "allow phase policy.yaml:19"],
  [["fix", "src/deep/er/a.ts"], "allow phase policy.yaml:19"],
  [["fix", "src/.hidden/a.ts"], "allow phase policy.yaml:19"],
  [["fix", "lib/a.ts"], "deny nothing"],
  [["fix", "srcs/a.ts"], "deny nothing"],
  [["fix", "src/public/a.ts"], "ask phase policy.yaml:20"],
  [["fix", "src/generated/a.ts"], "deny phase policy.yaml:21"],
  [["fix", "src/a.test.ts"], "deny frozen policy.yaml:21"],
  [["fix", "src/a.test.ts", { frozen: [] }], "ask tests_changed policy.yaml:20"],
  [["fix", "test/a.ts", { frozen: [], existedAsTest: false }], "allow phase policy.yaml:19"],
  [["fix", "test/a.ts", { frozen: ["test/a.ts"] }], "deny frozen policy.yaml:21"],
  [["fix", "docs/guide.md"], "allow phase policy.yaml:19"],
  [["fix", "docs/issues/1.md"], "deny phase policy.yaml:21"],
  [["direct", "anything/at/all"], "allow phase policy.yaml:24"],
  [["direct", "test/a.ts", { existedAsTest: true }], "ask tests_changed policy.yaml:25"],
  [["direct", "test/a.ts", { existedAsTest: false }], "allow phase policy.yaml:24"],
  [["direct", "vitest.config.ts", { existedAsTest: false }], "ask config policy.yaml:25"],
  [["direct", "docs/issues/1.md"], "allow phase policy.yaml:24"],
  [["nophase", "src/a.ts"], "deny nothing"],
  [{ action: "write", path: "src/a.ts" }, "deny nothing"],
  [{ action: "write", phase: "fix" }, "deny nothing"],

  // Protected, whatever a phase says
  [["direct", ".git/config"], "deny protect yada:builtin:1"],
  [["direct", ".git"], "deny protect yada:builtin:1"],
  [["direct", "packages/a/.git/hooks/pre-commit"], "deny protect yada:builtin:1"],
  [["direct", ".GIT/config"], "deny protect yada:builtin:1"],
  [["direct", ".git /config"], "deny protect yada:builtin:1"],
  [["direct", "git~1/config"], "deny protect yada:builtin:1"],
  [["direct", ".git::$INDEX_ALLOCATION/config"], "deny protect yada:builtin:1"],
  [["direct", ".g\u200cit/config"], "deny protect yada:builtin:1"],
  [["direct", ".yada/policy.yaml"], "deny protect yada:builtin:2"],
  [["direct", ".YADA/policy.yaml"], "deny protect yada:builtin:2"],
  [["direct", ".yada./policy.yaml"], "deny protect yada:builtin:2"],
  [["direct", "YADA~1/policy.yaml"], "deny protect yada:builtin:2"],
  [["direct", ".yadanot/a"], "allow phase policy.yaml:24"],
  [["direct", ".gitignore"], "allow phase policy.yaml:24"],
  [["direct", ".github/workflows/ci.yml"], "allow phase policy.yaml:24"],
  [["direct", "LICENSE"], "deny protect policy.yaml:7"],
  [["direct", "license"], "deny protect policy.yaml:7"],
  [["direct", "LICENSE.md"], "allow phase policy.yaml:24"],

  // Keys of a JSON file
  [["fix", "package.json", { changedKeys: ["/version"] }], "allow phase policy.yaml:19"],
  [["fix", "package.json", { changedKeys: ["/scripts/test"] }], "deny config policy.yaml:21"],
  [["fix", "package.json", { changedKeys: ["/scripts"] }], "deny config policy.yaml:21"],
  [["fix", "package.json", { changedKeys: ["/scripts/test/deep"] }], "deny config policy.yaml:21"],
  [["fix", "package.json", { changedKeys: ["/scripts/build"] }], "allow phase policy.yaml:19"],
  [["fix", "package.json", { changedKeys: ["/scripts/tests"] }], "allow phase policy.yaml:19"],
  [["fix", "package.json", { changedKeys: ["/a", "/license"] }], "deny protect policy.yaml:7"],
  [["fix", "package.json", { changedKeys: ["*"] }], "deny protect policy.yaml:7"],
  [["fix", "package.json", { changedKeys: [""] }], "deny protect policy.yaml:7"],
  [["fix", "package.json", { changedKeys: [] }], "allow phase policy.yaml:19"],
  [["fix", "package.json"], "deny protect policy.yaml:7"],
  [["fix", "Package.JSON", { changedKeys: ["/scripts/test"] }], "deny config policy.yaml:21"],
  [["fix", "packages/a/package.json", { changedKeys: ["/scripts/test"] }], "deny nothing"],
  [["keys", "package.json", { changedKeys: ["/version"] }], "allow phase policy.yaml:28"],
  [["keys", "package.json", { changedKeys: ["/version", "/name"] }], "deny nothing"],
  [["keys", "package.json", { changedKeys: [] }], "deny nothing"],

  // The surface that a runner declares
  [["fix", "src/hooks.ts", { frozen: [], surface: ["src/hooks.*"] }], "deny config policy.yaml:21"],
  [["fix", "src/Hooks.ts", { frozen: [], surface: ["src/hooks.*"] }], "deny config policy.yaml:21"],
  [
    ["fix", "src/a.json", { frozen: [], surface: ["src/a.json#/x"], changedKeys: ["/y"] }],
    "allow phase policy.yaml:19",
  ],
  [
    ["fix", "src/a.json", { frozen: [], surface: ["src/a.json#/x"], changedKeys: ["/x/y"] }],
    "deny config policy.yaml:21",
  ],

  // Twins in case and normal form: what restricts meets them, what grants does not
  [["fix", "src/GENERATED/a.ts"], "deny phase policy.yaml:21"],
  [["fix", "SRC/a.ts"], "deny nothing"],
  [{ action: "write", phase: "fix", path: "SRC/a.ts", ignoreCase: true }, "allow phase policy.yaml:19"],
  [["fix", "SRC/PUBLIC/a.ts"], "deny nothing"],
  [{ action: "write", phase: "fix", path: "SRC/PUBLIC/a.ts", ignoreCase: true }, "ask phase policy.yaml:20"],
  [["direct", "test/A.ts", { frozen: ["test/a.ts"] }], "deny frozen yada:builtin:4"],
  [["direct", "test/cafe\u0301.ts", { frozen: ["test/caf\u00e9.ts"] }], "deny frozen yada:builtin:4"],
  [["direct", "test/a.ts::$DATA", { frozen: ["test/a.ts"] }], "deny frozen yada:builtin:4"],
  [["direct", "VITEST.config.ts"], "ask config policy.yaml:25"],
  [["red", "TEST/a.ts", { onlyAddsTests: true }], "deny nothing"],

  // Paths that cannot be judged
  [["direct", "../a.ts"], "deny nothing"],
  [["direct", "src/../../a.ts"], "deny nothing"],
  [["direct", "/etc/passwd"], "deny nothing"],
  [["direct", "src\\a.ts"], "deny nothing"],
  [["direct", "src//a.ts"], "deny nothing"],
  [["direct", "src/a\n.ts"], "deny nothing"],
  [["direct", ""], "deny nothing"],

  // Reading
  [{ action: "read", path: "src/a.ts" }, "allow nothing"],
  [{ action: "read", path: ".yada/policy.yaml" }, "allow nothing"],
  [{ action: "read", path: ".yada/runs/1/trace.jsonl" }, "deny read yada:builtin:3"],
  [{ action: "read", path: ".yada/runs" }, "deny read yada:builtin:3"],
  [{ action: "read", path: ".YADA/Runs/1/trace.jsonl" }, "deny read yada:builtin:3"],
  [{ action: "read", path: ".yada/runsheet.md" }, "allow nothing"],
  [{ action: "read", path: ".env" }, "deny read policy.yaml:9"],
  [{ action: "read", path: "a/b/.env.local" }, "deny read policy.yaml:9"],
  [{ action: "read", path: "a/.ENV" }, "deny read policy.yaml:9"],
  [{ action: "read", path: "secret/a" }, "deny read policy.yaml:9"],
  [{ action: "read", path: "Secret/a" }, "deny read policy.yaml:9"],
  [{ action: "read", path: "secrets/a" }, "allow nothing"],
  [{ action: "read", path: "../a" }, "deny nothing"],
  [{ action: "read" }, "deny nothing"],
  [{ action: "read", phase: "fix", path: "src/generated/a.ts" }, "allow nothing"],
];

describe("a decision", async () => {
  const policy = await load(own);

  test.each(rows.map(([query, decision]) => [JSON.stringify(query), query, decision] as const))(
    "%s",
    (_, query, decision) => {
      expect(answer(policy, toQuery(query))).toBe(decision);
    },
  );
});

function toQuery(query: Row[0]): Query {
  if ("action" in query) return query;
  const [phase, path, facts] = query;
  return { action: "write", phase, path, ...(facts === undefined ? {} : { facts }) };
}

describe("roles", async () => {
  const text = `version: 1
extends: [yada:node, yada:role-separation]
roles:
  reviewer: { write: { allow: ["docs/**"], ask: ["docs/public/**"] } }
`;
  const policy = await load(text);
  const base = (part: string) => `yada:base:${lineOf(presetText("base") ?? "", part)}`;
  const cases: readonly [phase: string, path: string, role: string | undefined, decision: string][] = [
    ["direct", "src/a.ts", undefined, `allow phase ${base("direct:")}`],
    ["direct", "docs/issues/1.md", undefined, "deny phase yada:role-separation:11"],
    ["direct", "docs/issues/1.md", "coder", "deny phase yada:role-separation:11"],
    ["direct", "docs/issues/1.md", "spec", `allow phase ${base("direct:")}`],
    ["direct", "src/a.ts", "spec", "deny nothing"],
    ["red", "docs/issues/1.md", "spec", "deny nothing"],
    ["fix", "src/a.test.ts", "coder", `deny frozen ${base("fix:")}`],
    ["direct", "src/a.test.ts", "coder", "deny tests_changed yada:role-separation:11"],
    ["direct", "src/a.test.ts", "spec", `ask tests_changed ${base("direct:")}`],
    ["direct", "docs/a.md", "reviewer", `allow phase ${base("direct:")}`],
    ["direct", "docs/public/a.md", "reviewer", "ask phase policy.yaml:4"],
    ["direct", ".git/config", "reviewer", "deny protect yada:builtin:1"],
    ["direct", "docs/a.md", "stranger", "deny nothing"],
  ];
  test.each(cases)("in %s, %s as %s", (phase, path, role, decision) => {
    expect(answer(policy, { action: "write", phase, path, ...(role === undefined ? {} : { role }) })).toBe(decision);
  });
});

describe("why", async () => {
  const policy = await load(own);

  test("names the file, the line and the text of the rule", () => {
    const { why, rule } = explain(policy, { action: "write", phase: "fix", path: "src/generated/a.ts" });
    expect(why).toBe('phase fix denies src/generated/a.ts: policy.yaml:21 says "src/generated/**".');
    expect(rule).toEqual({ file: "policy.yaml", line: 21, column: 14, text: "src/generated/**" });
  });

  test("says that facts were left out where a rule matched only because of that", () => {
    const { why } = explain(policy, { action: "write", phase: "red", path: "test/a.ts" });
    expect(why).toBe(
      'phase red asks before test/a.ts is written (the facts about $tests.changed were left out, so it counts as matching): policy.yaml:15 says "$tests.changed".',
    );
  });

  test("suggests the phase that was meant", () => {
    expect(explain(policy, { action: "write", phase: "dirct", path: "a" }).why).toBe(
      'The policy has no phase "dirct"; did you mean "direct"?',
    );
  });

  test("names the layer that decided, with its line", async () => {
    const node = await load("version: 1\nextends: [yada:node]\n");
    const { rule } = explain(node, { action: "run", command: "npx vitest run" });
    expect(rule).toMatchObject({
      file: "yada:node",
      line: lineOf(presetText("node") ?? "", "npx vitest run"),
      text: "npx vitest run",
    });
  });
});

describe("what commands are granted", async () => {
  const policy = await load(`version: 1
commands: { ask: ["npm install *"], propose: ["npm install *"], network: ["npm install *", "npm ci"] }
`);
  test.each([
    ["npm install left-pad", { propose: true, network: true }],
    ["npm ci", { propose: false, network: true }],
    ["npm install --script-shell=./evil", { propose: false, network: false }],
    ["npm test", { propose: false, network: false }],
    ["npm install | sh", { propose: false, network: false }],
  ])("%s", (command, grants) => {
    expect(commandGrants(policy, command)).toEqual(grants);
  });
});

import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import schema from "../../policies/policy.schema.json" with { type: "json" };
import { checkShape } from "./check-shape.ts";
import { parseDocument } from "./document.ts";
import { loadPolicy, type PolicyProblem } from "./mod.ts";
import { policySchema } from "./schema.generated.ts";

async function problems(text: string): Promise<readonly PolicyProblem[]> {
  const loaded = await loadPolicy({ text, file: "p.yaml" });
  return loaded.ok ? [] : loaded.problems;
}

/** `line:column path: message`, one a line. */
async function report(text: string): Promise<string> {
  return (await problems(text))
    .map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)
    .join("\n");
}

const broken: readonly (readonly [name: string, text: string, report: string])[] = [
  // YAML itself
  ["an empty file", "", "1:1 : the file is empty: a policy starts with `version: 1`"],
  ["comments alone", "# nothing\n", "1:1 : the file is empty: a policy starts with `version: 1`"],
  ["a tab that indents", "version: 1\nread:\n\tdeny: []\n", "3:1 : a tab cannot indent YAML: use spaces"],
  [
    "tabs in two lines",
    "version: 1\nread:\n\tdeny:\n \t- a\n",
    "3:1 : a tab cannot indent YAML: use spaces\n4:2 : a tab cannot indent YAML: use spaces",
  ],
  ["an open bracket", "version: 1\nprotect: [\n", "3:1 : a { or [ is opened above and never closed"],
  ["an unclosed quote", 'version: 1\nprotect: ["a]\n', "3:1 : a quote or a bracket is opened here and never closed"],
  [
    "a reserved character",
    "version: 1\nprotect: [@x]\n",
    "2:11 : text cannot start with this character: put it in double quotes",
  ],
  [
    "a glob that YAML takes for an alias",
    "version: 1\nprotect: [**/*.ts]\n",
    '2:11 protect[0]: **/*.ts refers to an anchor that is not there: a pattern that starts with * goes in double quotes, "**/*.ts"',
  ],
  [
    "a glob that YAML takes for a map",
    "version: 1\nprotect:\n  - {a,b}/**\n",
    "3:10 : more text follows a value that has already ended: text that starts with { [ or a quote goes in double quotes",
  ],
  [
    "a glob that YAML takes for a tag",
    "version: 1\nprotect:\n  - !src/a\n",
    "3:5 protect[0]: the tag !src/a has no meaning here: text that starts with ! goes in double quotes",
  ],
  [
    "an unknown tag",
    "version: 1\nprotect: !!binary aGk=\n",
    "2:10 protect: the tag !!binary has no meaning here: text that starts with ! goes in double quotes",
  ],
  [
    "an escape that YAML does not know",
    'version: 1\nprotect: ["src\\d"]\n',
    "2:15 : a backslash in double quotes starts an escape: write paths with /, or use single quotes",
  ],
  [
    "a second colon",
    "version: 1\ntests: command: npm test\n",
    "2:8 : a second `: ` stands on this line: put the text in double quotes",
  ],
  ["a key without a colon", "version: 1\nprotect\n", "2:1 : a key without a colon: write `key: value`"],
  [
    "a merge key",
    "version: 1\n<<: { protect: [a] }\n",
    '2:1 ["<<"]: the merge key << is not read here: write the entries out, or put them in a file and name it in `extends`',
  ],
  [
    "a duplicate key",
    "version: 1\nprotect: [a]\nprotect: [b]\n",
    '3:1 protect: "protect" is written twice in one map; the first one stands in line 2',
  ],
  ["a key that is a list", "version: 1\n? [a]\n: b\n", "2:3 : a key is one word of text, such as `paths`"],
  [
    "a second document",
    "version: 1\n---\nversion: 1\n",
    "2:1 : a second document starts here: a policy is one document, without `---` in the middle",
  ],
  [
    "a directive",
    "%YAML 1.1\n---\nversion: 1\n",
    "1:1 : a YAML directive can change how the file is read: remove the line",
  ],
  ["an anchor that contains itself", "version: 1\nprotect: &a [*a]\n", "2:14 protect[0]: *a contains itself"],
  ["a YAML bomb", `version: 1\nprotect:\n${bomb()}`, bombReport()],
  [
    "more than a hundred aliases",
    `version: 1\nprotect: [&a x, ${Array(101).fill("*a").join(", ")}]\n`,
    "2:417 protect[101]: more than 100 aliases",
  ],
  ["UTF-16", "v\0e\0r\0s\0i\0o\0n\0", "1:1 : the file holds NUL bytes, as UTF-16 does: save it as UTF-8"],
  [
    "bytes that are not UTF-8",
    "version: 1\nprotect: [\ufffd]\n",
    "2:11 : the file is not valid UTF-8 here: save it as UTF-8",
  ],
  [
    "five megabytes",
    `version: 1\n#${" ".repeat(5_000_000)}`,
    "1:1 : the file has 5000012 characters; a policy has at most 262144",
  ],
  ["brackets without end", "[".repeat(100_000), "1:1 : the file is nested too deeply to be read"],
  ["dashes without end", `version: 1\na:\n${"- ".repeat(50_000)}`, "3:1 : the file is nested too deeply to be read"],
  ["a list where the policy belongs", "- a\n", "1:1 : a Yada policy is needed here; this is a list"],
  ["text where the policy belongs", "hello\n", '1:1 : a Yada policy is needed here; this is the text "hello"'],

  // Shape
  ["no version", "protect: []\n", '1:1 : "version" is missing: the version of the policy language, such as 1'],
  [
    "a later version",
    "version: 2\n",
    "1:10 version: this is a policy of version 2; this release of Yada reads version 1: use a later release",
  ],
  [
    "a version in quotes",
    'version: "1"\n',
    '1:10 version: "1" is no version of the policy language: write `version: 1`',
  ],
  [
    "a misspelt key",
    "version: 1\ntests: { pahts: [] }\n",
    '2:10 tests.pahts: "pahts" is no key of tests. Did you mean "paths"? Its keys: paths, config, runner, command, setup, build, timeout',
  ],
  [
    "an unknown key",
    "version: 1\nxyz: 1\n",
    '2:1 xyz: "xyz" is no key of a policy. Its keys: version, extends, tests, spec, protect, read, phases, roles, commands, strategies, edit, guards, verify, max_rounds, presenters, plugins, isolation, policy_tests',
  ],
  [
    "a misspelt rule list",
    "version: 1\nphases: { red: { write: { alow: [] } } }\n",
    '2:27 phases.red.write.alow: "alow" is no key of phases.red.write. Did you mean "allow"? Its keys: allow, ask, deny',
  ],
  [
    "a list where a map belongs",
    "version: 1\ntests: []\n",
    '2:8 tests: a map about the tests is needed here, such as { paths: ["test/**"] }; this is a list',
  ],
  [
    "a map where a list belongs",
    "version: 1\nprotect: { a: b }\n",
    '2:10 protect: a list of globs is needed here, such as ["src/**"]; this is a map',
  ],
  [
    "text where a list belongs",
    "version: 1\nextends: yada:node\n",
    '2:10 extends: a list of presets and policy files is needed here, such as [yada:node]; this is the text "yada:node"',
  ],
  [
    "nothing where a map belongs",
    "version: 1\nphases:\n",
    '2:8 phases: a map from phases to what they may write is needed here, such as { fix: { write: { allow: ["src/**"] } } }; this is empty',
  ],
  [
    "a number as a command",
    "version: 1\ncommands: { allow: [5] }\n",
    '2:21 commands.allow[0]: a command pattern is needed here, such as "npx vitest *"; this is the number 5',
  ],
  [
    "a yes that YAML takes for text",
    "version: 1\npolicy_tests: [{ read: a, expect: allow, facts: { only_adds_tests: yes } }]\n",
    '2:68 policy_tests[0].facts.only_adds_tests: true or false is needed here, such as true; this is the text "yes"',
  ],
  [
    "a misspelt word of a few",
    "version: 1\nisolation: bwarp\n",
    '2:12 isolation: "bwarp" is not a kind of isolation: auto, none, bwrap. Did you mean "bwrap"?',
  ],
  [
    "a step without a command",
    "version: 1\nverify: [{ name: a }]\n",
    '2:10 verify[0]: "run" is missing: a command on one line, or a list of commands, such as "npx tsc --noEmit"',
  ],
  [
    "a duration without a unit",
    "version: 1\ntests: { timeout: 60 }\n",
    '2:19 tests.timeout: a duration of ms, s, m or h, from 1 ms to 24 h is needed here, such as "120s"; this is the number 60',
  ],
  [
    "a duration of another unit",
    "version: 1\ntests: { timeout: 2d }\n",
    '2:19 tests.timeout: "2d" is not a duration of ms, s, m or h, from 1 ms to 24 h, such as "120s"',
  ],
  [
    "a duration that is too long",
    "version: 1\ntests: { timeout: 99h }\n",
    '2:19 tests.timeout: "99h" is longer than a day: the limit is "24h"',
  ],
  ["a negative number", "version: 1\nmax_rounds: -1\n", "2:13 max_rounds: -1 is not a whole number from 0 to 100"],
  [
    "half a round",
    "version: 1\nmax_rounds: 1.5\n",
    "2:13 max_rounds: a whole number from 0 to 100 is needed here, such as 3; this is the number 1.5",
  ],
  [
    "no strategy",
    "version: 1\nstrategies: { offer: [] }\n",
    "2:22 strategies.offer: a list of strategies is needed here, such as [red_green, direct_execute]; this list is empty",
  ],
  [
    "an empty name",
    'version: 1\nverify: [{ name: "", run: npx tsc }]\n',
    '2:18 verify[0].name: a name is needed here, such as "unit"; this is empty',
  ],
  [
    "a permission that does not exist",
    "version: 1\nplugins: [{ use: ./a.ts, permissions: { write: [a] } }]\n",
    '2:41 plugins[0].permissions.write: "write" is no key of plugins[0].permissions. Its keys: read, run, net, env',
  ],
  [
    "a phase that is no name",
    "version: 1\nphases: { Red!: { write: {} } }\n",
    '2:11 phases["Red!"]: "Red!" is no name: use lower-case letters, digits and _\n2:11 phases["Red!"]: "Red!" is no phase of this version. Did you mean "red"? There are: select, red, fix, direct',
  ],

  // Meaning
  [
    "an unknown preset",
    "version: 1\nextends: [yada:nod]\n",
    '2:11 extends[0]: "yada:nod" is no preset. Did you mean "yada:node"? The presets: yada:base, yada:go, yada:node, yada:python, yada:role-separation, yada:rust',
  ],
  [
    "a name that is no preset",
    "version: 1\nextends: [node]\n",
    '2:11 extends[0]: "node" is not the name of a preset, or a relative path that starts with ./ or ../, such as "yada:node"',
  ],
  [
    "a file where files cannot be read",
    "version: 1\nextends: [./x.yaml]\n",
    '2:11 extends[0]: "./x.yaml" is a file, and files cannot be read here: only presets can be named',
  ],
  [
    "a misspelt phase",
    "version: 1\nphases: { rde: { write: {} } }\n",
    '2:11 phases.rde: "rde" is no phase of this version. Did you mean "red"? There are: select, red, fix, direct',
  ],
  [
    "an unknown set",
    "version: 1\nphases: { red: { write: { allow: [$test] } } }\n",
    '2:35 phases.red.write.allow[0]: "$test" is no named set. Did you mean "$tests"? The sets: $tests, $tests.config, $tests.changed, $frozen, $spec',
  ],
  [
    "a set where only globs stand",
    "version: 1\nprotect: [$tests]\n",
    '2:11 protect[0]: "$tests" can only stand in the write rules of phases and roles',
  ],
  [
    "an allowed frozen test",
    "version: 1\nphases: { fix: { write: { allow: [$frozen] } } }\n",
    '2:35 phases.fix.write.allow[0]: "$frozen" cannot be allowed: a frozen test is what the work is judged by',
  ],
  [
    "a key where only files can be named",
    'version: 1\nread: { deny: ["package.json#/name"] }\n',
    '2:16 read.deny[0]: "package.json#/name" names a key of a file, which only tests.config, protect and phases can do',
  ],
  [
    "a glob from the system's root",
    'version: 1\nprotect: ["/src/**"]\n',
    '2:11 protect[0]: "/src/**" starts with /, but globs start at the repository\'s root: write "src/**"',
  ],
  [
    "a glob with a dot segment",
    'version: 1\nprotect: ["./src/**"]\n',
    '2:11 protect[0]: "./src/**" holds a . segment: write "src/**"',
  ],
  [
    "a glob that leads out",
    'version: 1\nprotect: ["../x"]\n',
    '2:11 protect[0]: "../x" leads out of the repository: remove the .. segment',
  ],
  [
    "a directory for a glob",
    "version: 1\nprotect: [src/]\n",
    '2:11 protect[0]: "src/" names a directory, and rules name files: write "src/**"',
  ],
  [
    "a backslash path",
    "version: 1\nprotect: ['src\\a']\n",
    '2:11 protect[0]: "src\\a" holds a backslash, but paths are written with /: write "src/a"',
  ],
  [
    "two stars inside a word",
    'version: 1\nprotect: ["src/**.ts"]\n',
    '2:11 protect[0]: "src/**.ts" holds ** inside a word, where it means the same as *: write "src/**/*.ts"',
  ],
  [
    "a negated glob",
    'version: 1\nprotect: ["!src/a"]\n',
    '2:11 protect[0]: "!src/a" starts with !, which is not read here: name the exception in ask or deny',
  ],
  [
    "a bare parenthesis",
    'version: 1\nprotect: ["app/(auth)/**"]\n',
    '2:11 protect[0]: "app/(auth)/**" holds a bare parenthesis, which groups instead of naming a character: write "app/\\(auth\\)/**"',
  ],
  [
    "an open brace",
    'version: 1\nprotect: ["src/{a,b"]\n',
    '2:11 protect[0]: "src/{a,b" opens a bracket or brace and never closes it, or closes one that is not open',
  ],
  [
    "a command that needs a shell",
    'version: 1\nverify: [{ name: a, run: "npm test && npm run lint" }]\n',
    "2:26 verify[0].run: this command cannot be run: ; && and || need a shell: run the commands one by one, or quote them (column 10 of the command)",
  ],
  [
    "a pattern that needs a shell",
    'version: 1\ncommands: { allow: ["npm test | tee x"] }\n',
    '2:21 commands.allow[0]: "npm test | tee x" is no command pattern: a pipe needs a shell: run the commands one by one, or quote the | (column 10)',
  ],
  [
    "an unclosed quote in a command",
    "version: 1\ntests: { command: npx vitest 'a }\n",
    "2:19 tests.command: this command cannot be run: a quote is opened and never closed (column 12 of the command)",
  ],
  [
    "an allow for any program",
    'version: 1\ncommands: { allow: ["*"] }\n',
    '2:21 commands.allow[0]: "*" does not name a program: what is granted names it literally, as in "npx vitest *"',
  ],
  [
    "a misspelt guard",
    "version: 1\nguards: [syntx]\n",
    '2:10 guards[0]: "syntx" is no guard of this version. Did you mean "syntax"? There are: syntax, shadowing, undefined_names, existing_tests, weakened_tests, acceptance_criteria',
  ],
  [
    "a misspelt runner",
    "version: 1\ntests: { runner: vitst }\n",
    '2:18 tests.runner: "vitst" is no test runner of this version. Did you mean "vitest"? There are: auto, vitest, jest, mocha, node-test, pytest, unittest, go-test, cargo-test, rspec, phpunit, junit',
  ],
  [
    "two steps of one name",
    "version: 1\nverify:\n  - { name: a, run: npx tsc }\n  - { name: a, run: npx tsc }\n",
    '4:13 verify[1].name: a step named "a" stands in line 3 already',
  ],
  [
    "a policy test that asks two things",
    "version: 1\npolicy_tests: [{ read: a, run: b, expect: deny }]\n",
    "2:16 policy_tests[0]: a policy test asks one thing: give one of write, read and run",
  ],
  [
    "a policy test without a phase",
    "version: 1\npolicy_tests: [{ write: a, expect: deny }]\n",
    "2:16 policy_tests[0]: a write happens in a phase: give `phase` as well",
  ],
];

/** Nine lists, each nine times the one before: 387 million words. */
function bomb(): string {
  const names = "abcdefghi";
  return [...names]
    .map(
      (name, index) =>
        `  - &${name} [${Array(9)
          .fill(index === 0 ? "x" : `*${names[index - 1]}`)
          .join(", ")}]\n`,
    )
    .join("");
}

/** What stops the bomb is the bound on aliases; that lists do not belong there is said as well. */
function bombReport(): string {
  const place = (line: number) =>
    `${line}:8 protect[${line - 3}]: a glob is needed here, such as "src/**"; this is a list`;
  const places = Array.from({ length: 9 }, (_, index) => place(index + 3));
  return [...places.slice(0, 3), "5:9 protect[3][0][0]: more than 100 aliases", ...places.slice(3)].join("\n");
}

describe("a broken policy is refused with every place and what would be right", () => {
  test.each(broken)("%s", async (_, text, expected) => {
    expect(await report(text)).toBe(expected);
  });

  test("all problems come at once, in the order of the file", async () => {
    const text = "version: 1\ntests: { pahts: [a], runner: 3 }\nprotect: [/a]\nguards: [syntx]\nprotect: [b]\n";
    expect((await problems(text)).map(({ line, column, path }) => `${line}:${column} ${path}`)).toEqual([
      "2:10 tests.pahts",
      "2:30 tests.runner",
      "3:11 protect[0]",
      "4:10 guards[0]",
      "5:1 protect",
    ]);
  });

  test("fifty problems are reported and no more", async () => {
    const text = `version: 1\nprotect: [${Array(80).fill("/a").join(", ")}]\n`;
    expect(await problems(text)).toHaveLength(50);
  });

  test("a problem carries the file, the offending text and the word that was meant", async () => {
    expect(await problems("version: 1\ntests: { pahts: [] }\n")).toMatchObject([
      { file: "p.yaml", text: "pahts", suggestion: "paths" },
    ]);
  });

  test("a problem of a layer names the layer's file", async () => {
    const resolve = async (reference: string) => ({
      file: `org/${reference.slice(2)}`,
      text: "version: 1\nprotect: [/a]\n",
    });
    const loaded = await loadPolicy({ text: "version: 1\nextends: [./base.yaml]\n", file: "p.yaml", resolve });
    expect(loaded).toMatchObject({ ok: false, problems: [{ file: "org/base.yaml", line: 2, column: 11 }] });
  });

  test("files that extend each other are refused with the way round", async () => {
    const resolve = async (reference: string) => ({
      file: reference.slice(2),
      text: `version: 1\nextends: [${reference === "./a.yaml" ? "./b.yaml" : "./a.yaml"}]\n`,
    });
    const loaded = await loadPolicy({ text: "version: 1\nextends: [./a.yaml]\n", file: "p.yaml", resolve });
    expect(loaded).toMatchObject({
      ok: false,
      problems: [
        {
          file: "b.yaml",
          line: 2,
          message: '"./a.yaml" comes back to a.yaml: p.yaml extends a.yaml extends b.yaml extends a.yaml',
        },
      ],
    });
  });

  test("a file that is not there is refused where it is named", async () => {
    const loaded = await loadPolicy({
      text: "version: 1\nextends: [../org.yaml]\n",
      file: "p.yaml",
      resolve: async () => null,
    });
    expect(loaded).toMatchObject({
      ok: false,
      problems: [{ line: 2, message: '"../org.yaml" cannot be found from p.yaml' }],
    });
  });

  test("a phase or guard that a plugin may bring is a warning", async () => {
    const text =
      "version: 1\nphases: { review: { write: {} } }\nguards: [house_style]\nplugins: [{ use: ./house.ts }]\n";
    const loaded = await loadPolicy({ text });
    expect(loaded).toMatchObject({ ok: true, warnings: [{ path: "phases.review" }, { path: "guards[0]" }] });
  });

  test("a policy that lets no phase write is loaded with a warning", async () => {
    expect(await loadPolicy({ text: "version: 1\n" })).toMatchObject({ ok: true, warnings: [{ path: "phases" }] });
  });
});

describe("the checker and the schema say the same", () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictTuples: false });
  const validate = ajv.compile(schema);

  const good = [
    "version: 1",
    "version: 1\nextends: [yada:node, ./a.yaml, ../b.yaml]",
    'version: 1\ntests: { paths: ["a"], config: [], runner: auto, command: a, setup: b, build: c, timeout: 1ms }',
    "version: 1\nspec: { paths: [a], sections: [B] }\nprotect: []\nread: { deny: [a] }\nread2: 1",
    "version: 1\nphases: { a_1: { write: { allow: [], ask: [], deny: [] } }, b: {} }\nroles: { c: { write: {} } }",
    "version: 1\ncommands: { allow: [a], ask: [a], deny: [a], propose: [a], network: [a] }",
    "version: 1\nstrategies: { offer: [a] }\nedit: { mode: patch_only }\nguards: [a]\nmax_rounds: 0\nisolation: none",
    "version: 1\nverify: [{ name: a, run: [b, c], scope: [d], timeout: 24h, max_rounds: 100 }]",
    "version: 1\npresenters: { anything at all: x }",
    "version: 1\nplugins: [{ use: a, permissions: { read: [a], run: [b], net: [c], env: [D] }, trust: host }]",
    'version: 1\npolicy_tests: [{ phase: a, role: b, write: c, facts: { only_adds_tests: true, changed_keys: [""] }, expect: ask }]',
  ];
  const more = [
    "version: 1.5",
    "version: null",
    "version: [1]",
    "version: 1\nextends: [yada:]",
    "version: 1\nextends: [a/b]",
    `version: 1\nextends: [${Array(17).fill("yada:a").join(", ")}]`,
    `version: 1\nprotect: ["${"a".repeat(501)}"]`,
    'version: 1\nprotect: [""]',
    "version: 1\nmax_rounds: 101",
    "version: 1\nverify: [{ name: a, run: [] }]",
    'version: 1\nverify: [{ name: a, run: "" }]',
    "version: 1\nverify: [{ name: a, run: 3 }]",
    "version: 1\nphases: { A: {} }",
    "version: 1\nphases: { a: [] }",
    "version: 1\nroles: { a: { write: 1 } }",
    "version: 1\npresenters: { a: 1 }",
    "version: 1\nplugins: [{ permissions: {} }]",
    "version: 1\nplugins: [{ use: a, trust: all }]",
    "version: 1\nplugins: [{ use: a, permissions: { env: [1A] } }]",
    "version: 1\npolicy_tests: [{}]",
    "version: 1\npolicy_tests: [{ expect: deny, facts: { frozen: a } }]",
    "version: 1\ntests: { timeout: 0s }",
    "version: 1\ntests: { timeout: 123456789s }",
    "version: 1\ntests: null",
    "version: 1\nspec: { sections: [1] }",
    "version: 1\nedit: {}",
    "version: 1\nedit: { mode: x }",
  ];
  const texts = [...good, ...more, ...broken.map(([, text]) => text)];

  const documents = texts.flatMap((text) => {
    const parsed = parseDocument(text, "p.yaml");
    return parsed.ok ? [{ text, root: parsed.root }] : [];
  });

  test.each(documents)("about $text", ({ text, root }) => {
    const value: unknown = parse(text);
    const ours = [...new Set(checkShape(root, policySchema, "p.yaml").map(({ path }) => path))];
    expect({ text, isValid: ours.length === 0 }).toEqual({ text, isValid: validate(value) });
  });

  test("enough documents of both kinds were compared", () => {
    const valid = documents.filter(({ text }) => validate(parse(text))).length;
    expect(valid).toBeGreaterThan(20);
    expect(documents.length - valid).toBeGreaterThan(40);
  });

  test("the checker throws at a keyword of the schema that it does not check", () => {
    const parsed = parseDocument("a: 1", "p.yaml");
    if (!parsed.ok) throw new Error("the document is fine");
    expect(() => checkShape(parsed.root, { type: "object", dependentRequired: {} }, "p.yaml")).toThrow(
      "dependentRequired",
    );
  });
});

describe("merging", () => {
  const load = async (text: string, files: Record<string, string> = {}) => {
    const resolve = async (reference: string) => {
      const found = files[reference];
      return found === undefined ? null : { file: reference, text: found };
    };
    const loaded = await loadPolicy({ text, file: "p.yaml", resolve });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    return loaded.policy;
  };
  const patterns = (rules: readonly { pattern: string }[]) => rules.map(({ pattern }) => pattern);

  test("restrictions of all layers add up, and a later allow replaces the earlier one", async () => {
    const lower = `version: 1
tests: { paths: ["t/**"], config: ["t.config"] }
spec: { paths: ["s/**"], sections: [A] }
protect: [p1]
read: { deny: [r1] }
phases: { fix: { write: { allow: [a1], ask: [k1], deny: [d1] } }, red: { write: { allow: [x] } } }
commands: { allow: [c1], ask: [ck1], deny: [cd1], propose: [cp1], network: [cn1] }
`;
    const policy = await load(
      `version: 1
extends: [./lower.yaml]
tests: { paths: ["u/**"], config: ["u.config"] }
spec: { paths: ["z/**"], sections: [A, B] }
protect: [p2]
read: { deny: [r2] }
phases: { fix: { write: { allow: [a2], ask: [k2], deny: [d2] } } }
commands: { allow: [c2], ask: [ck2], deny: [cd2], propose: [cp2] }
`,
      { "./lower.yaml": lower },
    );
    expect(patterns(policy.protect)).toEqual(["p1", "p2"]);
    expect(patterns(policy.read.deny)).toEqual(["r1", "r2"]);
    expect(patterns(policy.tests.config)).toEqual(["t.config", "u.config"]);
    expect(patterns(policy.tests.paths)).toEqual(["u/**"]);
    expect(patterns(policy.spec.paths)).toEqual(["s/**", "z/**"]);
    expect(policy.spec.sections).toEqual(["A", "B"]);
    expect(patterns(policy.phases["fix"]?.write.allow ?? [])).toEqual(["a2"]);
    expect(patterns(policy.phases["fix"]?.write.ask ?? [])).toEqual(["k1", "k2"]);
    expect(patterns(policy.phases["fix"]?.write.deny ?? [])).toEqual(["d1", "d2"]);
    expect(patterns(policy.phases["red"]?.write.allow ?? [])).toEqual(["x"]);
    expect(patterns(policy.commands.allow)).toEqual(["c2"]);
    expect(patterns(policy.commands.ask)).toEqual(["ck1", "ck2"]);
    expect(patterns(policy.commands.deny)).toEqual(["cd1", "cd2"]);
    expect(patterns(policy.commands.propose)).toEqual(["cp2"]);
    expect(patterns(policy.commands.network)).toEqual(["cn1"]);
  });

  test("an empty allow replaces as well", async () => {
    const policy = await load("version: 1\nextends: [yada:base]\nphases: { direct: { write: { allow: [] } } }\n");
    expect(policy.phases["direct"]?.write.allow).toEqual([]);
    expect(patterns(policy.phases["direct"]?.write.ask ?? [])).toEqual(["$tests.changed", "$tests.config"]);
  });

  test("a layer that two others extend stands once, below both", async () => {
    const policy = await load("version: 1\nextends: [yada:node, yada:python]\n");
    expect(policy.source.layers).toEqual(["yada:base", "yada:node", "yada:python", "p.yaml"]);
    expect(policy.source.digests).toHaveLength(4);
  });

  test("a rule keeps the file, line, column and text that it was written with", async () => {
    const policy = await load('version: 1\nprotect:\n  - "a/**"\n');
    expect(policy.protect).toEqual([{ pattern: "a/**", source: { file: "p.yaml", line: 3, column: 5, text: "a/**" } }]);
  });

  test("values that nobody gives have their defaults", async () => {
    expect(await load("version: 1\n")).toMatchObject({
      tests: { runner: "auto", timeoutMs: 600_000, paths: [] },
      strategies: { offer: ["red_green", "direct_execute"] },
      edit: { mode: "replace_first" },
      maxRounds: 3,
      isolation: "auto",
      verify: [],
    });
  });

  test("steps, durations and plugins are read as they are meant", async () => {
    const policy = await load(`version: 1
tests: { command: "npx vitest run {files}", timeout: 2m }
verify:
  - { name: unit, run: npx vitest run, scope: ["src/**"], timeout: 120s }
  - { name: docs, run: [npm run docs, npm run links], max_rounds: 1 }
plugins: [{ use: ./a.ts, permissions: { read: ["docs/**"] }, trust: sandbox }]
`);
    expect(policy.tests).toMatchObject({ command: "npx vitest run {files}", timeoutMs: 120_000 });
    expect(policy.verify).toEqual([
      { name: "unit", run: ["npx vitest run"], scope: ["src/**"], timeoutMs: 120_000 },
      { name: "docs", run: ["npm run docs", "npm run links"], maxRounds: 1, timeoutMs: 600_000 },
    ]);
    expect(policy.plugins).toEqual([{ use: "./a.ts", permissions: { read: ["docs/**"] }, trust: "sandbox" }]);
  });

  test("a byte order mark and Windows line endings change nothing", async () => {
    const policy = await load('\ufeffversion: 1\r\nprotect:\r\n  - "a/**"\r\n');
    expect(policy.protect[0]?.source).toEqual({ file: "p.yaml", line: 3, column: 5, text: "a/**" });
  });
});

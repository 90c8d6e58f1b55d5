/** The command line as a person and a program meet it: help, JSON, exit codes, and what it says of bad input. */
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { main } from "../../hosts/cli/main.ts";

const cheats = join(import.meta.dirname, "../cheats");
const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function folder(files: Readonly<Record<string, string>> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), "yada-cli-"));
  made.push(dir);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

function git(dir: string, ...args: string[]): string {
  return execFileSync(
    "git",
    ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false", ...args],
    { cwd: dir, encoding: "utf8" },
  );
}

function repository(files: Readonly<Record<string, string>> = {}): string {
  const dir = folder();
  cpSync(join(cheats, "repository"), dir, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  git(dir, "init", "-q");
  git(dir, "add", "-A");
  git(dir, "commit", "-qm", "base");
  return dir;
}

async function yada(cwd: string, ...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const code = await main(argv, {
    cwd,
    isTerminal: false,
    colour: false,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err };
}

const script = (name: string) => join(cheats, name);
const runOf = (dir: string) => readdirSync(join(dir, ".yada/runs")).find((name) => !name.startsWith(".")) ?? "";

describe("help", () => {
  it.each([
    "demo",
    "run",
    "runs",
    "show",
    "trace",
    "resume",
    "approve",
    "doctor",
    "policy check",
    "policy explain",
    "policy test",
  ])("yada %s --help shows an example", async (command) => {
    const { code, out } = await yada(folder(), ...command.split(" "), "--help");
    expect(code).toBe(0);
    expect(out).toContain(`Example: yada ${command}`);
    expect(out).toContain("--json");
  });

  it.each([
    ["no such command", ["dance"]],
    ["no such option", ["runs", "--loud"]],
    ["a missing argument", ["show"]],
  ])("%s is wrong use: exit 2, and nothing on standard output", async (_name, argv) => {
    const { code, out, err } = await yada(folder(), ...argv);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).not.toBe("");
    expect(err).not.toMatch(/\n\s+at /);
  });
});

describe("a run, from its script to its records", () => {
  it("is one JSON document, and show, runs and trace tell of it", async () => {
    const dir = repository();
    const played = await yada(dir, "run", "--script", script("honest/honest.yaml"), "--json");
    expect(played.code).toBe(0);
    const { run, status, transitions, steps } = JSON.parse(played.out);
    expect(status).toBe("completed");
    expect(transitions).toEqual([
      "strategy_selected",
      "red_started",
      "red_observed",
      "test_frozen",
      "fix_started",
      "green_observed",
      "regression_verified",
      "finish_accepted",
    ]);
    expect(steps[0]).toEqual({ session: 0, tool: "select_strategy", ok: true });
    expect(JSON.parse((await yada(dir, "runs", "--json")).out)).toMatchObject([
      { run, status: "completed", outcome: "green_observed" },
    ]);
    expect(JSON.parse((await yada(dir, "show", run, "--json")).out)).toMatchObject({
      run,
      status: "completed",
      transitions,
      strategy: { name: "red_green" },
    });
    expect((await yada(dir, "trace", run, "--verify")).code).toBe(0);
    expect(JSON.parse((await yada(dir, "trace", run, "--verify", "--json")).out)).toMatchObject({ ok: true });
    expect(git(dir, "status", "--porcelain")).not.toContain(".yada");
  });

  it("waits for a person where a rule asks, and goes on with the answer", async () => {
    const dir = repository();
    const played = await yada(dir, "run", "--script", script("other-test-nobody-answers.yaml"), "--json");
    expect(played.code).toBe(3);
    const { run } = JSON.parse(played.out);
    expect(played.err).toContain(`yada approve ${run}`);
    const denied = await yada(dir, "approve", run, "--deny", "--reason", "the test is right", "--by", "ann", "--json");
    expect(denied.code).toBe(1);
    const trace = JSON.parse((await yada(dir, "trace", run, "--json")).out) as {
      type: string;
      data: { answer?: unknown };
    }[];
    expect(trace.find(({ type }) => type === "approval_answered")?.data.answer).toEqual({
      answer: "deny",
      by: "ann",
      reason: "the test is right",
    });
    expect((await yada(dir, "trace", run, "--verify")).code).toBe(0);
    expect(git(dir, "status", "--porcelain")).toBe("");
  });

  it("a person's accept writes the work, exits 0 and is never called a pass", async () => {
    const dir = repository();
    const played = await yada(dir, "run", "--script", script("muted-assertions.yaml"), "--json");
    const { run, outcome } = JSON.parse(played.out);
    expect(outcome.classification).toBe("canary_silent");
    const accepted = await yada(dir, "approve", run, "--accept", "--reason", "I know better", "--json");
    expect(accepted.code).toBe(0);
    expect(JSON.parse(accepted.out)).toMatchObject({
      status: "completed",
      outcome: { classification: "accepted_by_person", verdict: "escalate" },
    });
    expect(git(dir, "status", "--porcelain")).toContain(" M src/total.js");
  });

  it("a person's abort puts everything back", async () => {
    const dir = repository();
    const { run } = JSON.parse((await yada(dir, "run", "--script", script("muted-assertions.yaml"), "--json")).out);
    const aborted = await yada(dir, "approve", run, "--abort", "--json");
    expect(aborted.code).toBe(1);
    expect(JSON.parse(aborted.out)).toMatchObject({
      status: "cancelled",
      outcome: { classification: "aborted_by_person" },
    });
    expect(git(dir, "status", "--porcelain")).toBe("");
  });

  it("a disk that changed under the run is not written to", async () => {
    const dir = repository();
    const { run } = JSON.parse((await yada(dir, "run", "--script", script("muted-assertions.yaml"), "--json")).out);
    appendFileSync(join(dir, "src/total.js"), "// somebody else\n");
    const { code, err } = await yada(dir, "approve", run, "--accept");
    expect(code).toBe(3);
    expect(err).toContain("The working tree is not the one that the run started from");
    expect(readFileSync(join(dir, "src/total.js"), "utf8")).toContain("somebody else");
  });
});

describe("bad input: what happened, where, and what to do; nothing is lost", () => {
  const cases: readonly {
    name: string;
    dir: () => string;
    argv: readonly string[];
    code: number;
    says: readonly RegExp[];
  }[] = [
    { name: "no script", dir: repository, argv: ["run"], code: 2, says: [/--script FILE/] },
    {
      name: "a script that is not there",
      dir: repository,
      argv: ["run", "--script", "none.yaml"],
      code: 2,
      says: [/There is no script none\.yaml/],
    },
    {
      name: "a script that does not parse",
      dir: () => repository({ "a.yaml": "task: [\n" }),
      argv: ["run", "--script", "a.yaml"],
      code: 2,
      says: [/a\.yaml:\d+:\d+: /, /Nothing was run/],
    },
    {
      name: "a script with a misspelt member",
      dir: () => repository({ "a.yaml": "task: t\nsesions: []\n" }),
      argv: ["run", "--script", "a.yaml"],
      code: 2,
      says: [/a\.yaml:\d+:\d+: .*sesions|sessions/],
    },
    {
      name: "a step of the wrong shape",
      dir: () => repository({ "a.yaml": "task: t\nsessions:\n  - - { tool: 3 }\n" }),
      argv: ["run", "--script", "a.yaml"],
      code: 2,
      says: [/a\.yaml:3:\d+: sessions\.0\.0\.tool/],
    },
    {
      name: "a policy that does not parse",
      dir: () => repository({ ".yada/policy.yaml": "version: 1\ntests: { pahts: [a] }\n" }),
      argv: ["run", "--script", script("honest/honest.yaml")],
      code: 2,
      says: [/\.yada\/policy\.yaml:2:\d+: .*pahts.*paths/],
    },
    {
      name: "a policy file that is not there",
      dir: repository,
      argv: ["run", "--script", script("honest/honest.yaml"), "--policy", "none.yaml"],
      code: 2,
      says: [/none\.yaml/],
    },
    {
      name: "a policy with a plugin, which nothing would load",
      dir: () =>
        repository({
          ".yada/policy.yaml": "version: 1\nextends: [yada:node]\nplugins:\n  - { use: ./.yada/plugins/a.ts }\n",
        }),
      argv: ["run", "--script", script("honest/honest.yaml")],
      code: 2,
      says: [/\.yada\/plugins\/a\.ts.*loads none from a policy/],
    },
    {
      name: "a run that is not there",
      dir: repository,
      argv: ["show", "nothing"],
      code: 2,
      says: [/There is no run nothing/, /yada runs/],
    },
    {
      name: "a run id that leads elsewhere",
      dir: repository,
      argv: ["trace", "../../etc"],
      code: 2,
      says: [/There is no run/],
    },
    {
      name: "two answers at once",
      dir: repository,
      argv: ["approve", "r", "--accept", "--deny"],
      code: 2,
      says: [/exactly one/],
    },
  ];
  it.each(cases)("$name", async ({ dir, argv, code, says }) => {
    const place = dir();
    const result = await yada(place, ...argv);
    expect(result.code).toBe(code);
    for (const pattern of says) expect(result.err).toMatch(pattern);
    expect(result.err).not.toMatch(/\n\s+at /);
    expect(git(place, "status", "--porcelain", "--", "src", "test")).toBe("");
  });

  it("a runner that this version does not have: the submission says so, and the run ends unfinished", async () => {
    const dir = repository({ ".yada/policy.yaml": "version: 1\nextends: [yada:node]\ntests: { runner: jest }\n" });
    const { code, err } = await yada(dir, "run", "--script", script("honest/honest.yaml"));
    expect(code).toBe(1);
    expect(err).toMatch(/unknown_runner.*jest.*vitest, node-test/s);
  });

  it("a policy that asks for a build, which this version does not do: nothing runs without it", async () => {
    const dir = repository({
      ".yada/policy.yaml": "version: 1\nextends: [yada:node]\ntests: { build: npm run build }\n",
    });
    const { code, err } = await yada(dir, "run", "--script", script("honest/honest.yaml"));
    expect(code).toBe(1);
    expect(err).toMatch(/unsupported_command.*tests\.build, which is not in this version/s);
  });

  it("no test command and no runner to be found", async () => {
    const dir = folder({ "src/total.js": "export const total = 1;\n", "test/a.txt": "x\n" });
    git(dir, "init", "-q");
    const text = `task: t\nsessions:\n  - - { tool: select_strategy, input: { strategy: red_green, reason: r } }\n    - { tool: submit_red_test, input: { file: test/a.txt, name: a }, expect: { ok: false, code: no_test_command } }\n`;
    writeFileSync(join(dir, "s.yaml"), text);
    const { code, err } = await yada(dir, "run", "--script", "s.yaml", "--json");
    expect(err).not.toContain("expected {");
    expect(code).toBe(1);
  });

  it("a trace that was cut in half is named by line, and what is before it can still be read", async () => {
    const dir = repository();
    await yada(dir, "run", "--script", script("edit-before-strategy.yaml"));
    const run = runOf(dir);
    const file = join(dir, ".yada/runs", run, "trace.jsonl");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.slice(0, text.length / 2));
    const { code, err } = await yada(dir, "trace", run, "--verify");
    expect(code).toBe(1);
    expect(err).toMatch(/trace\.jsonl:\d+: incomplete_line: .* events before it are whole/);
    expect((await yada(dir, "show", run)).code).toBe(0);
  });

  it("a trace whose last lines were taken away is found by its head", async () => {
    const dir = repository();
    await yada(dir, "run", "--script", script("edit-before-strategy.yaml"));
    const run = runOf(dir);
    const file = join(dir, ".yada/runs", run, "trace.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    writeFileSync(file, `${lines.slice(0, -3).join("\n")}\n`);
    expect((await yada(dir, "trace", run, "--verify")).err).toContain("cut");
  });

  it("an expectation that does not hold names session, step and line", async () => {
    const dir = repository({
      "s.yaml":
        "task: t\nsessions:\n  - - { tool: list_files, input: {} }\n    - { tool: read_file, input: { path: nope }, expect: { ok: true } }\n",
    });
    const { code, err } = await yada(dir, "run", "--script", "s.yaml");
    expect(code).toBe(1);
    expect(err).toMatch(/s\.yaml:4: session 1, step 2 \(read_file\) expected \{"ok":true\} and got .*not_found/);
  });
});

describe("policy and doctor", () => {
  it("explain names the line that decided", async () => {
    const { out } = await yada(repository(), "policy", "explain", "src/total.js", "--phase", "red", "--json");
    expect(JSON.parse(out)).toMatchObject({ decision: "deny" });
  });

  it("doctor finds git, grammars and the runner", async () => {
    const { code, out } = await yada(repository(), "doctor", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(out).checks).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ what: "runner", found: "node-test" }),
        expect.objectContaining({ what: "grammars", ok: true }),
      ]),
    );
  });

  it("doctor says what to do where there is no runner", async () => {
    const { code, out } = await yada(folder({ "a.txt": "x" }), "doctor");
    expect(code).toBe(3);
    expect(out).toContain("tests.command");
  });
});

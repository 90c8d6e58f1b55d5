/** Every script of this folder, played by the command line over the repository beside it. No cheat finishes, no cheat writes; every honest run does both. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { main } from "../../hosts/cli/main.ts";

const here = import.meta.dirname;
const made: string[] = [];

afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function git(dir: string, ...args: string[]): string {
  return execFileSync(
    "git",
    ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false", ...args],
    { cwd: dir, encoding: "utf8" },
  );
}

async function play(
  file: string,
  ...more: string[]
): Promise<{
  code: number;
  json: { status: string; outcome?: { classification: string }; transitions: string[] };
  errors: string;
  status: string;
}> {
  const dir = mkdtempSync(join(tmpdir(), "yada-cheat-"));
  made.push(dir);
  cpSync(join(here, "repository"), dir, { recursive: true });
  git(dir, "init", "-q");
  git(dir, "add", "-A");
  git(dir, "commit", "-qm", "base");
  let out = "";
  let errors = "";
  const io = {
    cwd: dir,
    isTerminal: false,
    colour: false,
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      errors += text;
    },
  };
  const code = await main(["run", "--script", resolve(here, file), "--json", ...more], io);
  return { code, json: JSON.parse(out), errors, status: git(dir, "status", "--porcelain", "--untracked-files=all") };
}

const scripts = (folder: string) =>
  readdirSync(join(here, folder))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => join(folder, name));

describe("cheats", () => {
  it.each(scripts("."))("%s", async (file) => {
    const { json, errors, status } = await play(file);
    expect(errors).not.toMatch(/: session \d+, step|The script expects/);
    expect(json.transitions).not.toContain("finish_accepted");
    expect(status).toBe("");
  });

  it("each names the code that stops it", () => {
    const silent = scripts(".").filter((file) => {
      const { sessions } = parse(readFileSync(join(here, file), "utf8")) as {
        sessions: { expect?: { ok?: boolean; code?: string } }[][];
      };
      return !sessions.flat().some((step) => step.expect?.ok === false && step.expect.code !== undefined);
    });
    // These are stopped by the end of the run itself: a person has to look.
    expect(silent).toEqual(["muted-assertions.yaml", "other-test-nobody-answers.yaml"]);
  });
});

describe("honest runs", () => {
  it.each(scripts("honest"))("%s", async (file) => {
    const { code, json, errors, status } = await play(file);
    expect(errors).not.toMatch(/: session \d+, step|The script expects/);
    expect(code).toBe(0);
    expect(json.transitions.slice(-3)).toEqual(["green_observed", "regression_verified", "finish_accepted"]);
    expect(status).toContain(" M src/total.js");
  });
});

describe("cheats that need a machine without isolation", () => {
  it.each([
    ["counts-its-runs.yaml", "counterfactual_green"],
    ["flaky.yaml", "stopped_early"],
  ])("%s", async (name, outcome) => {
    const counter = join(mkdtempSync(join(tmpdir(), "yada-counter-")), "runs");
    made.push(dirname(counter));
    const folder = dirname(counter);
    const policy = join(folder, "policy.yaml");
    writeFileSync(policy, "version: 1\nextends: [yada:node]\nisolation: none\n");
    const script = join(folder, name);
    writeFileSync(
      script,
      readFileSync(join(here, "without-isolation", name), "utf8").replaceAll("COUNTER_FILE", counter),
    );
    const { json, errors, status } = await play(script, "--policy", policy);
    expect(errors).not.toMatch(/: session \d+, step|The script expects/);
    expect(json.outcome?.classification).toBe(outcome);
    expect(json.transitions).not.toContain("finish_accepted");
    expect(status).toBe("");
  });
});

describe("out of reach, and said in docs/threat-model.md", () => {
  it.each(scripts("out-of-reach"))("%s", async (file) => {
    const { json } = await play(file);
    expect(json.status).toBe("completed");
    expect(readFileSync(join(here, "../../docs/threat-model.md"), "utf8")).toContain(`test/cheats/${file}`);
  });
});

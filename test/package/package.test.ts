/** What is published: the packed tarball in an empty project, the built entries, and the built command under signals. `npm run build` comes first. */
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const cli = join(root, "dist/cli.mjs");
const cheats = join(root, "test/cheats");
const KILLS = Number(process.env["YADA_KILLS"] ?? 4);
const made: string[] = [];

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), "yada-package-"));
  made.push(dir);
  return dir;
}

function repository(): string {
  const dir = folder();
  cpSync(join(cheats, "repository"), dir, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], { cwd: dir });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "base");
  return dir;
}

const statusOf = (dir: string) =>
  execFileSync("git", ["status", "--porcelain", "--untracked-files=all"], { cwd: dir, encoding: "utf8" });

beforeAll(() => {
  if (!existsSync(cli)) throw new Error("dist/ is missing: npm run build comes first");
});
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

describe("the built library entry", () => {
  it("and everything it loads holds no import of Node", () => {
    const seen = new Set<string>();
    const follow = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      // The reporters are embedded as text, so imports are read by a parser and not by a pattern.
      const imports = ts
        .preProcessFile(readFileSync(join(root, "dist", file), "utf8"))
        .importedFiles.map(({ fileName }) => fileName);
      expect(
        imports.filter((name) => name.startsWith("node:")),
        file,
      ).toEqual([]);
      for (const name of imports) if (name.startsWith("./")) follow(name.slice(2));
    };
    follow("index.mjs");
    expect(seen.size).toBeGreaterThan(0);
  });
});

describe("the packed tarball in an empty project", () => {
  it("runs the demo, is imported, and its types hold in strict mode", { timeout: 180_000 }, () => {
    const project = folder();
    const [{ filename }] = JSON.parse(
      execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], {
        cwd: root,
        encoding: "utf8",
      }),
    ) as [{ filename: string }];
    const modules = join(project, "node_modules");
    mkdirSync(join(modules, "yada-runtime"), { recursive: true });
    execFileSync("tar", ["-xzf", join(project, filename), "--strip-components=1", "-C", join(modules, "yada-runtime")]);
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    // Only what the package names, and what a TypeScript project for Node has anyway: a dependency that it forgets to name is not found.
    for (const name of [...Object.keys(dependencies), "typescript", "@types/node", "undici-types"]) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(root, "node_modules", name), join(modules, name));
    }
    const demo = JSON.parse(
      execFileSync("node", ["node_modules/yada-runtime/dist/cli.mjs", "demo", "--json"], {
        cwd: project,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }),
    );
    expect(demo).toMatchObject({ status: "completed" });
    expect(demo.cheats.length).toBeGreaterThan(5);
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    writeFileSync(
      join(project, "use.ts"),
      `import { classify, definePlugin, explain, loadPolicy, openWorkspace, parseReport, replaceText, applyPatch, createKernel, type Outcome } from "yada-runtime";
import { createLane, openRepository, runCommand } from "yada-runtime/node";
const outcome: Outcome = classify({ expect: "red", target: ["a > b"], report: null, exit: { code: 1, signal: null, timedOut: false } });
console.log(outcome.classification, [definePlugin, explain, loadPolicy, openWorkspace, parseReport, replaceText, applyPatch, createKernel, createLane, openRepository, runCommand].every((f) => typeof f === "function"));
`,
    );
    execFileSync(
      "node",
      [
        "node_modules/typescript/bin/tsc",
        "--strict",
        "--target",
        "es2023",
        "--module",
        "nodenext",
        "--outDir",
        "out",
        "use.ts",
      ],
      { cwd: project },
    );
    expect(execFileSync("node", ["out/use.js"], { cwd: project, encoding: "utf8" })).toBe("no_report true\n");
  });
});

describe("the built command", () => {
  const start = (dir: string) =>
    spawn("node", [cli, "run", "--script", join(cheats, "honest/honest.yaml"), "--dir", dir, "--json"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
  const ended = (child: ReturnType<typeof start>) =>
    new Promise<{ code: number | null; signal: string | null }>((done) =>
      child.on("close", (code, signal) => done({ code, signal })),
    );
  const whenSaid = (child: ReturnType<typeof start>, text: string) =>
    new Promise<void>((done) => {
      let said = "";
      child.stderr?.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes(text)) done();
      });
    });

  it("Ctrl-C ends child processes, leaves the disk as it was, and exits 130", { timeout: 60_000 }, async () => {
    const dir = repository();
    const child = start(dir);
    const end = ended(child);
    await whenSaid(child, "edit: test/negative.test.js");
    child.kill("SIGINT");
    expect(await end).toEqual({ code: 130, signal: null });
    expect(statusOf(dir)).toBe("");
    const run = readdirSync(join(dir, ".yada/runs")).find((name) => !name.startsWith("."));
    expect(execFileSync("node", [cli, "trace", run ?? "", "--verify", "--dir", dir], { encoding: "utf8" })).toContain(
      "each where it belongs",
    );
  });

  // The same whatever the instant: each is a different milestone of the run.
  const milestones = [
    "strategy red_green",
    "red: red_observed",
    "frozen:",
    "green: green_observed",
    "regression: green_observed",
    "canary: canary_reported",
    "finish accepted",
  ];
  it.each(milestones.slice(0, Math.max(1, KILLS)))(
    "killed after %j, the run is resumed and ends as it would have ended",
    { timeout: 60_000 },
    async (milestone) => {
      const dir = repository();
      const child = start(dir);
      const end = ended(child);
      await whenSaid(child, milestone);
      child.kill("SIGKILL");
      await end;
      const run = readdirSync(join(dir, ".yada/runs")).find((name) => !name.startsWith(".")) ?? "";
      const out = execFileSync("node", [cli, "resume", run, "--dir", dir, "--json"], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      expect(JSON.parse(out)).toMatchObject({
        status: "completed",
        transitions: [
          "strategy_selected",
          "red_started",
          "red_observed",
          "test_frozen",
          "fix_started",
          "green_observed",
          "regression_verified",
          "finish_accepted",
        ],
      });
      expect(statusOf(dir)).toBe(" M src/total.js\n?? test/negative.test.js\n");
      expect(execFileSync("node", [cli, "trace", run, "--verify", "--dir", dir], { encoding: "utf8" })).toContain(
        "each where it belongs",
      );
    },
  );
});

/** `yada doctor`: what this machine and repository can do, and what to do about each thing that is missing. */
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import picomatch from "picomatch";
import { createRegistry, type FileView } from "../../../core/plugin/mod.ts";
import { decodeUtf8, type Workspace } from "../../../core/workspace/mod.ts";
import { nodeGrammars } from "../../node/grammars/mod.ts";
import { probeIsolation } from "../../node/process/mod.ts";
import { openRepository } from "../../node/repository/mod.ts";
import { builtinPlugins, loadRepositoryPolicy } from "../../node/run/mod.ts";
import type { ExitCode, Io } from "../io.ts";
import { printJson } from "../print.ts";

interface Check {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  readonly advice?: string;
}

export async function doctorCommand(
  options: { readonly dir?: string; readonly json?: boolean },
  io: Io,
): Promise<ExitCode> {
  const dir = resolve(io.cwd, options.dir ?? ".");
  const checks: Check[] = [
    await gitCheck(),
    await isolationCheck(),
    await grammarCheck(),
    await policyCheck(dir),
    ...(await repositoryChecks(dir)),
  ];
  if (options.json) printJson(io, { checks });
  else
    for (const { what, ok, found, advice } of checks)
      io.out(`${ok ? "✓" : "✗"} ${what}: ${found}${advice === undefined ? "" : `\n    ${advice}`}\n`);
  return checks.every(({ ok }) => ok) ? 0 : 3;
}

async function gitCheck(): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)("git", ["--version"]);
    return { what: "git", ok: true, found: stdout.trim() };
  } catch {
    return { what: "git", ok: false, found: "not found", advice: "Install git: a repository is opened with it." };
  }
}

async function isolationCheck(): Promise<Check> {
  const probe = await probeIsolation();
  if (probe.engine === "bwrap") return { what: "isolation", ok: true, found: probe.message };
  return {
    what: "isolation",
    ok: true,
    found: `none: ${probe.message}`,
    advice:
      "Without it a test can read what you can read, and write into shared dependency folders. On Debian: apt-get install bubblewrap.",
  };
}

async function grammarCheck(): Promise<Check> {
  try {
    const tree = await nodeGrammars().parse("a.ts", "const a: number = 1;\n");
    return {
      what: "grammars",
      ok: tree !== null,
      found: tree === null ? "TypeScript could not be parsed" : "JavaScript, TypeScript",
    };
  } catch (error) {
    return {
      what: "grammars",
      ok: false,
      found: error instanceof Error ? error.message : String(error),
      advice: "Install the package again: its grammars are not whole.",
    };
  }
}

async function policyCheck(dir: string): Promise<Check> {
  const loaded = await loadRepositoryPolicy(dir);
  if (!loaded.ok)
    return {
      what: "policy",
      ok: false,
      found: loaded.problems
        .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
        .join("; "),
      advice: "yada policy check says more.",
    };
  return {
    what: "policy",
    ok: true,
    found: `${loaded.policy.source.file}${loaded.notices.length > 0 ? ` (${loaded.notices.join(" ")})` : ""}`,
  };
}

async function repositoryChecks(dir: string): Promise<Check[]> {
  const workspace = await openRepository(dir);
  try {
    const made = createRegistry(builtinPlugins(nodeGrammars()));
    const runners = made.ok ? made.registry.all("runner") : [];
    const files = viewOf(workspace);
    const found: string[] = [];
    for (const runner of runners) if (await runner.detect(files)) found.push(runner.name);
    const notices = workspace.notices.map((found): Check => ({ what: "repository", ok: true, found }));
    return [
      found.length > 0
        ? { what: "runner", ok: true, found: found.join(", ") }
        : {
            what: "runner",
            ok: false,
            found: "none",
            advice: `This version knows ${runners.map(({ name }) => name).join(", ")}. Name one under tests.runner, or a command under tests.command, in .yada/policy.yaml.`,
          },
      ...notices,
    ];
  } finally {
    await workspace.close();
  }
}

function viewOf(workspace: Workspace): FileView {
  const paths = [...workspace.tree.entries()].map(([path]) => path);
  return {
    list: (glob) => {
      const matches = glob === undefined ? () => true : picomatch(glob, { dot: true });
      return paths.filter((path) => matches(path));
    },
    text: async (path) =>
      workspace.tree.entry(path)?.mode.startsWith("100") ? (decodeUtf8(await workspace.read(path)) ?? null) : null,
  };
}

/**
 * A small world for tests of the kernel: a runner whose test files are lines of `test NAME = VALUE`, which pass where `src/value.txt` holds VALUE. Other lines:
 * `skip NAME`, `broken` (does not parse), `exit` (the process leaves early). The port `commands` reads the tree that it is given, so nothing here knows a strategy.
 */

import type { TestReport, TestStatus } from "../../core/evidence/mod.ts";
import { sha256Hex } from "../../core/hash/mod.ts";
import {
  createRegistry,
  type Model,
  type ModelEvent,
  type Plugin,
  type Runner,
  type ToolCall,
} from "../../core/plugin/mod.ts";
import { loadPolicy, type Policy } from "../../core/policy/mod.ts";
import {
  type ApprovalAnswer,
  type CommandResult,
  type Commands,
  createKernel,
  type Kernel,
  type RunEvent,
} from "../../core/run/mod.ts";
import { decodeUtf8, openWorkspace, type Workspace } from "../../core/workspace/mod.ts";

export const SIM_RUNNER: Runner = {
  kind: "runner",
  name: "sim",
  version: "1.0.0",
  detect: async () => true,
  defaultCommand: ["sim"],
  recognises: (argv) => argv[0] === "sim",
  resolve: async (argv) => ({ argv }),
  prepare: (argv, { nonce }) => ({ argv, env: { NONCE: nonce }, files: {}, report: "file" }),
  select: (argv, files) => [...argv, ...files],
  parse: (text) => JSON.parse(text) as TestReport,
  surface: ["sim.config"],
  canary: ({ file }, source, seed) => ({
    path: file,
    text: `${source}test canary-${seed} = never\n`,
    names: [`canary-${seed}`],
  }),
};

export const POLICY = `version: 1
tests:
  paths: ["test/**"]
  config: ["sim.config"]
  runner: auto
protect: [".git/**", ".yada/**"]
read: { deny: ["secret/**"] }
phases:
  select: { write: {} }
  red: { write: { allow: [$tests], ask: [$tests.changed], deny: [$tests.config] } }
  fix: { write: { allow: ["**"], ask: [$tests.changed], deny: [$frozen, $tests.config] } }
  direct: { write: { allow: ["**"], ask: [$tests.changed, $tests.config] } }
commands: { allow: ["sim *", "touch *"] }
strategies: { offer: [red_green, direct_execute] }
`;

export const FILES: Readonly<Record<string, string>> = {
  "src/value.txt": "1\n",
  "test/old.test.txt": "test old = 1\ntest other = 1\n",
  "sim.config": "strict\n",
  "secret/key.txt": "hunter2\n",
};

/** What the simulated command does over a tree: production may lie with a line `mute` (every test passes) or `exit`. */
async function simulate(request: Parameters<Commands["run"]>[0]): Promise<CommandResult> {
  const read = async (path: string) => {
    const entry = request.tree.entry(path);
    return entry === undefined ? "" : (decodeUtf8(await request.objects.read(entry.oid)) ?? "");
  };
  const production = await read("src/value.txt");
  const value = production.split("\n")[0] ?? "";
  const muted = production.includes("mute");
  const wanted = request.argv.slice(1);
  const files = [...request.tree.entries()]
    .map(([path]) => path)
    .filter((path) => path.startsWith("test/") && (wanted.length === 0 || wanted.includes(path)));
  const tests: {
    id: string;
    file: string;
    name: string;
    status: TestStatus;
    failure?: NonNullable<TestReport["tests"][number]["failure"]>;
  }[] = [];
  const problems: TestReport["problems"][number][] = [];
  for (const file of files) {
    const text = await read(file);
    if (text.split("\n").includes("broken")) {
      problems.push({ code: "syntax", message: "it does not parse", file });
      continue;
    }
    for (const line of text.split("\n")) {
      const [, kind, name, expected] = /^(test|skip) (\S+)(?: = (.*))?$/.exec(line) ?? [];
      if (name === undefined) continue;
      const passes = muted || expected === value;
      const status: TestStatus = kind === "skip" ? "skipped" : passes ? "passed" : "failed";
      tests.push({
        id: `${file} > ${name}`,
        file,
        name,
        status,
        ...(status === "failed"
          ? {
              failure: {
                message: `expected ${expected}, got ${value}`,
                kind: "assertion" as const,
                origin: "test" as const,
                frames: [],
              },
            }
          : {}),
      });
    }
  }
  const failed = problems.length > 0 || tests.some(({ status }) => status === "failed");
  const report: TestReport = { whole: !production.includes("exit"), tests, problems };
  return {
    exit: { code: failed ? 1 : 0, signal: null, timedOut: false },
    output: `${tests.length} tests\n`,
    report: JSON.stringify(report),
    root: "/lane",
    durationMs: 0,
    isolation: { engine: "simulated", notes: [] },
    stray: [],
  };
}

/** A call without its id. `sha("PATH")` stands in an input for the hash of the file as it is. */
export type Step = Omit<ToolCall, "id">;

export const sha = (path: string): string => `<sha256 ${path}>`;

/** A model that makes these calls, session by session, one call a reply. */
export function scripted(workspace: Workspace, sessions: readonly (readonly Step[])[]): Model {
  const taken: number[] = [];
  return {
    kind: "model",
    name: "scripted",
    version: "1.0.0",
    async *respond({ session }): AsyncIterable<ModelEvent> {
      const step = taken[session] ?? 0;
      taken[session] = step + 1;
      const call = sessions[session]?.[step];
      if (call === undefined) return;
      yield {
        kind: "call",
        call: {
          id: `${session}-${step}`,
          tool: call.tool,
          input: JSON.parse(await withHashes(JSON.stringify(call.input), workspace)),
        },
      };
    },
  };
}

async function withHashes(text: string, workspace: Workspace): Promise<string> {
  let result = text;
  for (const [mark, path = ""] of text.matchAll(/<sha256 ([^>]*)>/g)) {
    const hash = workspace.tree.entry(path) === undefined ? "" : sha256Hex(await workspace.read(path));
    result = result.replaceAll(mark, hash);
  }
  return result;
}

export interface World {
  readonly kernel: Kernel;
  readonly workspace: Workspace;
  readonly events: RunEvent[];
  readonly written: string[];
}

/** A kernel over the small world. */
export async function world(options: {
  readonly model: (workspace: Workspace) => Model;
  readonly plugins: readonly Plugin[];
  readonly files?: Readonly<Record<string, string>>;
  readonly policy?: string;
  readonly answers?: readonly ApprovalAnswer[];
  readonly commands?: Commands;
  readonly writeFails?: boolean;
  readonly maxTurns?: number;
}): Promise<World> {
  const loaded = await loadPolicy({ text: options.policy ?? POLICY });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const policy: Policy = loaded.policy;
  const made = createRegistry([...options.plugins, SIM_RUNNER]);
  if (!made.ok) throw new Error(made.message);
  const workspace = await openWorkspace({ files: { ...(options.files ?? FILES) } });
  const events: RunEvent[] = [];
  const written: string[] = [];
  const artifacts = new Map<string, string>();
  const answers = [...(options.answers ?? [])];
  let count = 0;
  const kernel = createKernel({
    policy,
    registry: made.registry,
    workspace,
    model: options.model(workspace),
    run: "run-1",
    maxTurns: options.maxTurns ?? 60,
    ports: {
      commands: options.commands ?? { run: simulate },
      approver: { ask: async () => answers.shift() ?? null },
      trace: {
        append: async (event) => {
          events.push(event);
        },
      },
      clock: { now: () => 0 },
      ids: {
        next: (kind) => {
          count += 1;
          return `${kind}-${count}`;
        },
      },
      writeBack: {
        write: async ({ changes }) => {
          if (options.writeFails) return { ok: false, code: "write_failed", message: "the disk is full", paths: [] };
          written.push(...changes.map(({ path }) => path));
          return { ok: true, written: changes.map(({ path }) => path), to: "disk" };
        },
      },
      artifacts: {
        put: async (text) => {
          const sha = `sha-${artifacts.size}`;
          artifacts.set(sha, text);
          return sha;
        },
        get: async (sha) => artifacts.get(sha) ?? null,
      },
    },
  });
  return { kernel, workspace, events, written };
}

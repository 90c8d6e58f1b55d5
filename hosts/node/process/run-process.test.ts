import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAlive } from "./process-family.ts";
import { type ProcessRequest, runProcess } from "./run-process.ts";

let place = "";
beforeAll(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), "yada-process-")));
});
afterAll(() => rm(place, { recursive: true, force: true }));

const env = { PATH: process.env["PATH"] ?? "" };
const run = (argv: readonly string[], more: Partial<ProcessRequest> = {}) =>
  runProcess({ argv, cwd: place, env, timeoutMs: 30_000, ...more });
const shell = (script: string, more: Partial<ProcessRequest> = {}) => run(["sh", "-c", script], more);
const pidsIn = (output: string) => [...output.matchAll(/pid (\d+)/g)].map((match) => Number(match[1]));

describe("runProcess", () => {
  test.each([
    ["a status", "exit 3", { code: 3, signal: null, timedOut: false }],
    ["success", "true", { code: 0, signal: null, timedOut: false }],
    ["a signal", "kill -TERM $$", { code: null, signal: "SIGTERM", timedOut: false }],
  ])("tells how a command ended: %s", async (_name, script, exit) => {
    expect((await shell(script)).exit).toEqual(exit);
  });

  test("gives standard output and error, and nothing to read", async () => {
    const { output, stdout } = await shell("echo out; echo err >&2; cat");
    expect(output.split("\n").sort()).toEqual(["", "err", "out"]);
    expect(stdout).toBeNull();
  });

  test("hands words over as they are: no shell reads them", async () => {
    const word = "$(touch broken); `touch broken` | > broken * ~ $HOME";
    const { output } = await run(["printf", "%s", word]);
    expect(output).toBe(word);
    expect(existsSync(join(place, "broken"))).toBe(false);
  });

  test("gives the environment that was asked for, and nothing of the host's but a marker", async () => {
    const { output } = await run(["/usr/bin/env"], { env: { A: "1" } });
    expect(output.replace(/^YADA_COMMAND=.*\n/m, "")).toBe("A=1\n");
  });

  test("keeps the whole of standard output apart where asked to, and head and tail of all output", async () => {
    const { output, stdout } = await shell("echo err >&2; seq 1 10000", { stdout: "capture", maxBytes: 100 });
    expect(stdout?.split("\n").length).toBe(10_001);
    expect(output).toMatch(/bytes cut/);
    expect(output.length).toBeLessThan(200);
  });

  test("keeps no part of a standard output that is too long, and says so", async () => {
    const { stdout, notes } = await shell("seq 1 10000", { stdout: "capture", maxCaptureBytes: 1000 });
    expect(stdout).toBeNull();
    expect(notes.join()).toMatch(/longer than 1000 bytes/);
  });

  describe("says in a sentence why a command cannot be started", () => {
    beforeAll(async () => {
      await writeFile(join(place, "plain"), "text");
      await writeFile(join(place, "orphan"), "#!/no/such/interpreter\n");
      await chmod(join(place, "orphan"), 0o755);
    });
    test.each<[string, readonly string[], Partial<ProcessRequest>, RegExp]>([
      ["not on the PATH", ["no-such-program-here"], {}, /no-such-program-here: no such program on the PATH/],
      ["no such file", ["./missing"], {}, /\.\/missing: there is no such file/],
      ["not executable", ["./plain"], {}, /not an executable file/],
      ["not executable on the PATH", ["plain"], { env: { PATH: "." } }, /not an executable file/],
      ["a folder", ["/"], {}, /not an executable file/],
      ["interpreter missing", ["./orphan"], {}, /interpreter that its first line names is missing/],
      ["working directory gone", ["true"], { cwd: "/no/such/folder" }, /working directory is gone/],
      ["empty", [], {}, /command is empty/],
      ["NUL in a word", ["echo", "a\0b"], {}, /NUL byte/],
      ["NUL in a variable", ["echo"], { env: { ...env, A: "\0" } }, /NUL byte/],
      ["too long", ["echo", "x".repeat(5_000_000)], {}, /too long/],
      ["already stopped", ["true"], { signal: AbortSignal.abort() }, /stopped before it started/],
    ])("%s", async (_name, argv, more, sentence) => {
      const result = await run(argv, more);
      expect(result.cannotRun).toMatch(sentence);
      expect(result.exit.code).toBeNull();
    });
  });

  describe("ends everything that a command started", () => {
    const families: readonly [string, string][] = [
      ["a child", "sleep 600 & echo pid $!"],
      ["a grandchild", '(sleep 600 & echo "pid $!"; sleep 600) & echo "pid $!"'],
      ["one that left the process group", "setsid sleep 600 & echo pid $!"],
      ["one that ignores signals", "trap '' TERM INT HUP; sleep 600 & echo pid $!"],
      ["one whose parent is gone", "(setsid sh -c 'echo pid $$; exec sleep 600' &)"],
    ];
    test.each(families)("at the timeout: %s", async (_name, script) => {
      const result = await shell(`${script}; echo pid $$; exec sleep 600`, { timeoutMs: 200 });
      expect(result.exit).toEqual({ code: null, signal: "SIGKILL", timedOut: true });
      expect(pidsIn(result.output).length).toBeGreaterThanOrEqual(2);
      expect(pidsIn(result.output).filter(isAlive)).toEqual([]);
    });
    test.each(families)("when it ends by itself: %s", async (_name, script) => {
      const result = await shell(`exec 3<&1; ${script}; sleep 0.1`);
      expect(result.exit).toEqual({ code: 0, signal: null, timedOut: false });
      expect(pidsIn(result.output).length).toBeGreaterThanOrEqual(1);
      expect(pidsIn(result.output).filter(isAlive)).toEqual([]);
    });
  });

  test("ends a command when it is told to, and does not call that a timeout", async () => {
    const stop = new AbortController();
    const ready = join(place, "ready");
    const running = shell(`sleep 600 & echo pid $!; touch ${ready}; wait`, { signal: stop.signal });
    while (!existsSync(ready)) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    const result = await running;
    expect(result).toMatchObject({ aborted: true, exit: { signal: "SIGKILL", timedOut: false } });
    expect(pidsIn(result.output).filter(isAlive)).toEqual([]);
  });

  test("ends the command when the host process ends", async () => {
    const entry = join(import.meta.dirname, "run-process.ts");
    await build({
      configFile: false,
      logLevel: "silent",
      build: { ssr: entry, outDir: join(place, "built"), minify: false, rollupOptions: { output: { format: "es" } } },
    });
    const pids = join(place, "pids");
    await writeFile(
      join(place, "host.mjs"),
      `import { readFileSync } from "node:fs";
       import { runProcess } from "./built/run-process.js";
       const script = "sleep 600 & echo pid $! > pids; setsid sleep 600 & echo pid $! >> pids; echo whole >> pids; wait";
       runProcess({ argv: ["sh", "-c", script], cwd: ${JSON.stringify(place)}, env: process.env, timeoutMs: 60000 });
       const look = () => {
         try { if (readFileSync(${JSON.stringify(pids)}, "utf8").includes("whole")) process.exit(7); } catch {}
         setImmediate(look);
       };
       look();`,
    );
    const host = spawn(process.execPath, [join(place, "host.mjs")], { stdio: "ignore" });
    const code = await new Promise((resolve) => host.once("exit", resolve));
    expect(code).toBe(7);
    const started = pidsIn(await readFile(pids, "utf8"));
    expect(started).toHaveLength(2);
    await expect.poll(() => started.filter(isAlive)).toEqual([]);
  });
});

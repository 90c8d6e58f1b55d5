import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { CommandRequest } from "../../../core/run/mod.ts";
import { emptyTree, memoryObjects } from "../../../core/workspace/mod.ts";
import { checkout, onDisk, removeTemporary, revisions, temporary, write } from "./checkout.fixture.ts";
import { type LaneCommands, laneCommands } from "./lane-commands.ts";

const open: LaneCommands[] = [];
afterEach(async () => {
  for (const commands of open.splice(0)) await commands.dispose();
  removeTemporary();
});

function commandsOf(options: Partial<Parameters<typeof laneCommands>[0]> = {}): LaneCommands {
  const commands = laneCommands({ root: checkout({}), isolation: "none", directory: temporary(), ...options });
  open.push(commands);
  return commands;
}

const { tree, objects } = revisions();

function shell(script: string, more: Partial<CommandRequest> = {}): CommandRequest {
  return {
    tree: emptyTree,
    objects,
    argv: ["sh", "-c", script],
    env: {},
    files: {},
    report: "none",
    timeoutMs: 60_000,
    network: false,
    purpose: "command",
    ...more,
  };
}

describe("laneCommands", () => {
  test("runs in the revision, and says where", async () => {
    const result = await commandsOf().run(shell("cat a.txt; pwd", { tree: await tree({ "a.txt": "one\n" }) }));
    expect(result.output).toBe(`one\n${result.root}\n`);
    expect(result.exit).toEqual({ code: 0, signal: null, timedOut: false });
  });

  test("for evidence whatever an earlier command left is gone, for a command it is still there", async () => {
    const commands = commandsOf();
    await commands.run(shell("echo x > left; mkdir node_modules; echo y > node_modules/left"));
    expect((await commands.run(shell("ls; ls node_modules"))).output).toBe("left\nnode_modules\nleft\n");
    expect((await commands.run(shell("ls", { purpose: "evidence" }))).output).toBe("");
  });

  test("two commands at once run one after the other, each over its own revision", async () => {
    const commands = commandsOf();
    const revision = await Promise.all(["one", "two", "three"].map((text) => tree({ "a.txt": text })));
    const results = await Promise.all(
      revision.map((each) => commands.run(shell("sleep 0.05; cat a.txt", { tree: each }))),
    );
    expect(results.map((result) => result.output)).toEqual(["one", "two", "three"]);
  });

  test("the report's place is new for each run, and one that a command left is gone", async () => {
    const commands = commandsOf();
    const first = await commands.run(
      shell('echo "$1"; echo old > "$1"', {
        argv: ["sh", "-c", 'echo "$1"; echo old > "$1"', "sh", "{report}"],
        report: "file",
      }),
    );
    expect(first.report).toBe("old\n");
    const place = first.output.trim();
    await commands.run(shell("", { argv: ["sh", "-c", `mkdir -p ${dirname(place)}; echo stale > ${place}`] }));
    const third = await commands.run(shell("true", { report: "file", purpose: "evidence" }));
    expect(third.report).toBeNull();
    expect(existsSync(place)).toBe(false);
  });

  test.each<[string, string, string | null, RegExp | null]>([
    ["none", "true", null, null],
    ["a text", 'printf ok > "$REPORT"', "ok", null],
    ["a link", 'ln -s /etc/hostname "$REPORT"', null, /refused: it is a link/],
    ["a pipe", 'mkfifo "$REPORT"', null, /no plain file/],
    ["a folder", 'mkdir "$REPORT"', null, /no plain file/],
    ["too long", 'truncate -s 70000000 "$REPORT"', null, /longer than 67108864 bytes/],
    [
      "its folder replaced",
      'd=$(dirname "$REPORT"); mv "$d" "$d.old"; mkdir "$d"; echo forged > "$REPORT"',
      null,
      /folder was replaced/,
    ],
    ["its folder a link", 'd=$(dirname "$REPORT"); rm -r "$d"; ln -s /etc "$d"', null, /folder was replaced/],
  ])("a report as a file: %s", async (_name, script, report, note) => {
    const result = await commandsOf().run(shell(script, { report: "file", env: { REPORT: "{report}" } }));
    expect(result.report).toBe(report);
    if (note !== null) expect(result.isolation.notes.join("\n")).toMatch(note);
  });

  test("a report on standard output is whole where the output is cut, and holds nothing of standard error", async () => {
    const result = await commandsOf().run(shell("echo noise >&2; seq 1 100000", { report: "stdout" }));
    expect(result.report?.split("\n").slice(-3)).toEqual(["99999", "100000", ""]);
    expect(result.report).not.toContain("noise");
    expect(result.output).toMatch(/bytes cut/);
  });

  test("files of the support folder are there, also in folders of their own", async () => {
    const files = { "reporter.mjs": "one", "lib/$&.txt": "two" };
    const result = await commandsOf().run(
      shell("", { argv: ["sh", "-c", 'cat "$0/reporter.mjs" "$0/lib/"*', "{support}"], files }),
    );
    expect(result.output).toBe("onetwo");
  });

  test("what a command changed is told, and is no part of the next revision", async () => {
    const commands = commandsOf();
    const revision = await tree({ "a.txt": "one\n" });
    const { stray } = await commands.run(shell("sed -i s/one/two/ a.txt; echo > new", { tree: revision }));
    expect(stray.map(({ path, kind }) => [path, kind])).toEqual([
      ["a.txt", "modify"],
      ["new", "add"],
    ]);
    expect((await commands.run(shell("ls; cat a.txt", { tree: revision, purpose: "evidence" }))).output).toBe(
      "a.txt\none\n",
    );
  });

  test("the timeout is told apart from a signal of the command's own", async () => {
    const commands = commandsOf();
    expect((await commands.run(shell("sleep 600", { timeoutMs: 100 }))).exit).toEqual({
      code: null,
      signal: "SIGKILL",
      timedOut: true,
    });
    expect((await commands.run(shell("kill -9 $$"))).exit).toEqual({ code: null, signal: "SIGKILL", timedOut: false });
  });

  test("a program that is missing is a fault of the environment", async () => {
    const result = await commandsOf().run(shell("", { argv: ["no-such-program"] }));
    expect(result.cannotRun).toBe("no-such-program: no such program on the PATH.");
  });

  test("a lane that cannot be made is a fault of the environment, and the next command may have one", async () => {
    const directory = temporary();
    write(directory, { blocked: "a file" });
    const commands = commandsOf({ directory: join(directory, "blocked", "lanes") });
    expect((await commands.run(shell("true"))).cannotRun).toMatch(/lane could not be made: .*ENOTDIR/);
    rmSync(join(directory, "blocked"));
    expect((await commands.run(shell("echo now"))).output).toBe("now\n");
  });

  test("a blob that is missing is an error of the host, and does not spoil the next run", async () => {
    const commands = commandsOf();
    const request = shell("ls", { tree: await tree({ "a.txt": "unique to this test\n" }) });
    await expect(commands.run({ ...request, objects: memoryObjects() })).rejects.toThrow(/is in no store/);
    expect((await commands.run(request)).output).toBe("a.txt\n");
  });

  test("stops at the signal, and what waits is not started", async () => {
    const [commands, stop, place] = [commandsOf(), new AbortController(), temporary()];
    const running = commands.run(shell(`touch ${place}/started; sleep 600`, { signal: stop.signal }));
    const waiting = commands.run(shell(`touch ${place}/never`, { signal: stop.signal }));
    while (!existsSync(join(place, "started"))) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect((await running).exit).toEqual({ code: null, signal: "SIGKILL", timedOut: false });
    expect((await waiting).cannotRun).toMatch(/stopped before it started/);
    expect(readdirSync(place)).toEqual(["started"]);
  });

  test("dispose ends what runs and removes the lane", async () => {
    const [directory, place] = [temporary(), temporary()];
    const commands = commandsOf({ directory });
    const running = commands.run(shell(`touch ${place}/started; sleep 600`));
    while (!existsSync(join(place, "started"))) await new Promise((resolve) => setImmediate(resolve));
    await commands.dispose();
    expect((await running).exit.signal).toBe("SIGKILL");
    expect(onDisk(directory)).toEqual({});
    expect((await commands.run(shell("true"))).cannotRun).toMatch(/stopped/);
  });

  test("the environment is an allow-list: nothing of the host's own gets in", async () => {
    const environment = { PATH: process.env["PATH"], HOME: "/nowhere", SECRET: "marker", NODE_OPTIONS: "--marker" };
    const { output } = await commandsOf({ environment }).run(shell("env", { env: { GIVEN: "yes" } }));
    expect(output).not.toContain("marker");
    expect(output).toMatch(/^GIVEN=yes$/m);
    expect(output).toMatch(/^CI=1$/m);
    expect(output).not.toMatch(/^HOME=\/nowhere$/m);
  });
});

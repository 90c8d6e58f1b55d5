import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { isAlive, isReplaced, probeIsolation } from "../process/mod.ts";
import { checkout, onDisk, removeTemporary, revisions, temporary, write } from "./checkout.fixture.ts";
import type { LaneCommand } from "./command.ts";
import { createLane, type Lane, type LaneOptions } from "./lane.ts";
import { removeTreeNow } from "./remove-tree.ts";

/** A folder that a sandbox does not replace as a whole: not below /tmp. */
const seen = [homedir(), join(import.meta.dirname, "../../../node_modules/.cache")].find(
  (place) => !isReplaced(place, []) && isWritable(place),
);
if (seen === undefined) console.warn("Some tests are skipped: every place to write to is a temporary folder.");

function isWritable(place: string): boolean {
  try {
    mkdirSync(place, { recursive: true });
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const lanes: Lane[] = [];
afterEach(async () => {
  for (const lane of lanes.splice(0)) await lane.dispose();
  removeTemporary();
});

async function laneOf(root: string, options: Partial<LaneOptions> = {}): Promise<Lane> {
  const { tree, objects } = revisions();
  const lane = await createLane({ root, isolation: "bwrap", ...options });
  lanes.push(lane);
  await lane.sync(await tree({ "a.txt": "lane\n", "package.json": "{}" }), objects, { reset: true });
  return lane;
}

const run = (lane: Lane, argv: readonly string[], more: Partial<LaneCommand> = {}) =>
  lane.run({
    ...{ argv, env: {}, files: {}, report: "none", timeoutMs: 60_000, network: false, purpose: "command" },
    ...more,
  });
const shell = (lane: Lane, script: string, more: Partial<LaneCommand> = {}) => run(lane, ["sh", "-c", script], more);

const probe = await probeIsolation();
if (probe.engine === "none") console.warn(`The tests of bubblewrap are skipped. ${probe.message}`);

describe.skipIf(probe.engine === "none")("under bubblewrap", () => {
  const project = () =>
    checkout({
      "a.txt": "checkout\n",
      ".env": "secret\n",
      ".yada/runs/r1/trace.jsonl": "the red session said\n",
      "node_modules/dep/index.js": "module.exports = 1\n",
      "package.json": "{}",
    });

  test("the lane can be written, the system, the checkout and its dependency folders cannot", async () => {
    const root = project();
    const before = onDisk(root);
    const lane = await laneOf(root);
    const script = `
      echo x > a.txt && echo lane written
      for place in /etc /usr /var ${seen ?? "/"} ${root}/node_modules/dep ${root}/node_modules node_modules/dep; do
        (echo x > $place/yada-test) 2> /dev/null && echo "written: $place"
      done
      echo x > ${root}/a.txt
      rm -rf ${root}/node_modules 2> /dev/null
      echo done`;
    const { output } = await shell(lane, script);
    expect(output).toBe("lane written\ndone\n");
    expect(onDisk(root)).toEqual(before);
  });

  test("the run's records and the checkout's other files are out of sight, dependencies are in sight", async () => {
    const root = project();
    const lane = await laneOf(root);
    const { output } = await shell(
      lane,
      `cat ${root}/.yada/runs/r1/trace.jsonl ${root}/.env ../*/.env; cat ${root}/a.txt; cat node_modules/dep/index.js ${root}/node_modules/dep/index.js`,
    );
    expect(output).not.toMatch(/session|secret|checkout\n/);
    expect(output).toMatch(/lane\nmodule.exports = 1\nmodule.exports = 1\n$/);
  });

  test.each([
    ["below the temporary folder", undefined],
    ["elsewhere", () => (seen === undefined ? temporary() : join(seen ?? "", `.yada-lane-test-${process.pid}`))],
  ])("other lanes are out of sight: %s", async (_name, place) => {
    const directory = place?.() ?? temporary();
    try {
      const root = project();
      const [first, second] = [await laneOf(root, { directory }), await laneOf(root, { directory })];
      await shell(first, "echo marker > mine.txt");
      expect(existsSync(join(first.root, "mine.txt"))).toBe(true);
      const { output } = await shell(
        second,
        `cat ${first.root}/mine.txt; ls ${directory}; cat ${directory}/*/*/mine.txt`,
      );
      expect(output).not.toContain("marker\n");
      expect(output.match(/^lane-/gm)).toHaveLength(1);
    } finally {
      for (const lane of lanes.splice(0)) await lane.dispose();
      if (place !== undefined) removeTreeNow(directory);
    }
  });

  test.skipIf(seen === undefined)("places that the caller names are out of sight", async () => {
    const hidden = temporary();
    const elsewhere = join(seen ?? "", `.yada-hidden-test-${process.pid}`);
    write(hidden, { "a/file": "marker\n" });
    mkdirSync(elsewhere);
    write(elsewhere, { file: "marker\n", single: "marker\n" });
    try {
      const lane = await laneOf(project(), {
        exclude: [join(hidden, "a"), join(elsewhere, "single"), "/no/such/place"],
      });
      const { output } = await shell(lane, `cat ${hidden}/a/file ${elsewhere}/single; cat ${elsewhere}/file`);
      expect(output.match(/marker/g)).toHaveLength(1);
      const second = await laneOf(project(), { exclude: [elsewhere] });
      expect((await shell(second, `cat ${elsewhere}/*`)).output).not.toContain("marker");
    } finally {
      removeTreeNow(elsewhere);
    }
  });

  test.skipIf(seen === undefined)("keys and passwords of the person are out of sight", async () => {
    const home = join(seen ?? "", `.yada-home-test-${process.pid}`);
    write(home, {
      ".ssh/id_test": "marker\n",
      ".npmrc": "marker\n",
      ".aws/credentials": "marker\n",
      "plain.txt": "open\n",
    });
    try {
      const lane = await laneOf(project(), { environment: { ...process.env, HOME: home } });
      const { output } = await shell(lane, `cat ${home}/.ssh/* ${home}/.npmrc ${home}/.aws/*; cat ${home}/plain.txt`);
      expect(output).not.toContain("marker");
      expect(output).toContain("open");
    } finally {
      removeTreeNow(home);
    }
  });

  test("/tmp and HOME are private and fresh for each command", async () => {
    const outside = temporary();
    write(outside, { file: "marker\n" });
    const lane = await laneOf(project());
    const script = `cat ${outside}/file; ls -A /tmp $HOME $TMPDIR | grep left; echo > /tmp/left; echo > $HOME/left; echo > $TMPDIR/left; echo $TMPDIR; ls /var/tmp`;
    for (let round = 0; round < 2; round += 1) {
      const { output } = await shell(lane, script);
      expect(output).toMatch(/No such file.*\n\/tmp\n$/);
    }
    expect(existsSync("/tmp/left")).toBe(false);
  });

  test("there is no network unless the command asks for it", async () => {
    const server = createServer((_request, response) => response.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const fetching = [
      "node",
      "-e",
      `fetch("http://127.0.0.1:${port}").then((r) => r.text()).then(console.log, () => console.log("refused"))`,
    ];
    const lane = await laneOf(project());
    try {
      expect((await run(lane, fetching)).output).toBe("refused\n");
      const open = await run(lane, fetching, { network: true });
      expect(open.output).toBe("reached\n");
      expect(open.isolation.notes.join()).toMatch(/network as asked for/);
    } finally {
      server.close();
    }
  });

  test("processes of the machine are out of sight, and none of its own outlives the command", async () => {
    const lane = await laneOf(project());
    const { output } = await shell(
      lane,
      `test -d /proc/${process.pid} && grep -q vitest /proc/${process.pid}/cmdline && echo seen; (env -i setsid sleep 601 &); sleep 0.1; echo done`,
    );
    expect(output).toBe("done\n");
    expect(sleeping("601")).toEqual([]);
  });

  test("at the timeout everything ends, also what left its group and cleared its environment", async () => {
    const lane = await laneOf(project());
    const { exit } = await shell(lane, "env -i setsid sleep 602 & sleep 602", { timeoutMs: 500 });
    expect(exit).toEqual({ code: null, signal: "SIGKILL", timedOut: true });
    expect(sleeping("602")).toEqual([]);
  });

  test("a command that is not there is a fault of the environment, and one that fails is not", async () => {
    const lane = await laneOf(project());
    expect((await run(lane, ["no-such-program"])).cannotRun).toMatch(/no such program on the PATH/);
    expect((await run(lane, ["./no-such-file"])).cannotRun).toMatch(/no-such-file: No such file/);
    const failed = await run(lane, ["false"]);
    expect(failed.exit.code).toBe(1);
    expect(failed.cannotRun).toBeUndefined();
  });

  test("an executable of the lane runs, and the report and the support folder are where it is told", async () => {
    const lane = await laneOf(project());
    const script = 'cat "$1" > "$2"; echo x 2> /dev/null > "$1" || echo read-only; echo "$HERE"';
    const result = await run(lane, ["sh", "-c", script, "sh", "{support}/in/file.txt", "{report}"], {
      files: { "in/file.txt": "from the host" },
      env: { HERE: "[{report}]" },
      report: "file",
    });
    expect(result.report).toBe("from the host");
    expect(result.output).toMatch(/^read-only\n\[\/.*\/report\]\n$/);
    expect(result.isolation.engine).toBe("bwrap");
  });
});

/** Living processes `sleep SECONDS`. */
function sleeping(seconds: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && commandLine(name) === `sleep\0${seconds}\0`)
    .map(Number)
    .filter(isAlive);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

test("where bubblewrap is asked for and does not work, nothing runs", async () => {
  const lane = await laneOf(checkout({}), { environment: { PATH: "/nowhere" } });
  const result = await shell(lane, "touch ran");
  expect(result.cannotRun).toMatch(/asks for bubblewrap.*not installed/);
  expect(existsSync(join(lane.root, "ran"))).toBe(false);
});

test("where bubblewrap is installed and may not be used, the probe says so and a lane goes on without", async () => {
  const tools = temporary();
  write(tools, { bwrap: "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n" });
  const environment = { ...process.env, PATH: `${tools}:${process.env["PATH"]}` };
  expect(await probeIsolation(environment)).toMatchObject({
    engine: "none",
    isInstalled: true,
    message: expect.stringMatching(/may not be used here: .*No permissions to create new namespace/),
  });
  const lane = await laneOf(checkout({}), { isolation: "auto", environment });
  const result = await shell(lane, "echo ran");
  expect(result.output).toBe("ran\n");
  expect(result.isolation.notes.join()).toMatch(/No isolation: .*No permissions.*read the run's records/);
});

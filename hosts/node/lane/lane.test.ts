import { lstatSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { probeIsolation } from "../process/mod.ts";
import { plainForms, withCrlf, withoutCrlf } from "../repository/mod.ts";
import { checkout, type Files, onDisk, removeTemporary, revisions, temporary, write } from "./checkout.fixture.ts";
import { createLane, type Lane, type LaneOptions } from "./lane.ts";

const lanes: Lane[] = [];
afterEach(async () => {
  for (const lane of lanes.splice(0)) await lane.dispose();
  removeTemporary();
});

async function laneOf(root: string, options: Partial<LaneOptions> = {}): Promise<Lane> {
  const lane = await createLane({ root, isolation: "none", directory: temporary(), ...options });
  lanes.push(lane);
  return lane;
}

const shell = (lane: Lane, script: string, purpose: "evidence" | "command" = "command") =>
  lane.run({
    argv: ["sh", "-c", script],
    env: {},
    files: {},
    report: "none",
    timeoutMs: 60_000,
    network: false,
    purpose,
  });

const files: Files = {
  "a.txt": "one\n",
  "src/b.js": "two\n",
  "src/deep/c.js": "three\n",
  "run.sh": "#!/bin/sh\necho hello\n",
  link: "-> src/b.js",
  dangling: "-> nowhere",
  "to-folder": "-> src",
  "ü/ß name \t.txt": "odd\n",
  "empty.txt": "",
};

describe("sync", () => {
  test("the lane holds the revision: bytes, executable bits, links, and no .git", async () => {
    const { tree, objects } = revisions();
    const lane = await laneOf(checkout({}));
    await lane.sync(await tree(files), objects, { reset: false });
    expect(onDisk(lane.root)).toEqual(files);
  });

  test("follows any sequence of revisions, with or without a reset", async () => {
    const { tree, objects } = revisions();
    const lane = await laneOf(checkout({}));
    const names = ["a", "b", "a/b", "a/c", "a/b/c", "d/e/f", "d"];
    const contents = ["one", "two", "#!three", "-> a", "-> /nowhere"];
    const revision = fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...contents)).map((all) => {
      const paths = Object.keys(all);
      return Object.fromEntries(
        Object.entries(all).filter(([path]) => !paths.some((other) => path.startsWith(`${other}/`))),
      );
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(revision, fc.boolean()), { maxLength: 6 }), async (steps) => {
        for (const [wanted, reset] of steps) {
          await lane.sync(await tree(wanted), objects, { reset });
          expect(onDisk(lane.root)).toEqual(wanted);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("touches only what differs", async () => {
    const { tree, objects } = revisions();
    const lane = await laneOf(checkout({}));
    await lane.sync(await tree(files), objects, { reset: false });
    await shell(lane, "true");
    const before = new Map(Object.keys(files).map((path) => [path, lstatSync(join(lane.root, path)).ctimeMs]));
    await lane.sync(await tree({ ...files, "src/b.js": "changed\n" }), objects, { reset: true });
    const touched = [...before].filter(([path, ctime]) => lstatSync(join(lane.root, path)).ctimeMs !== ctime);
    expect(touched.map(([path]) => path)).toEqual(["src/b.js"]);
  });

  test("a path whose name is not UTF-8 stands under its bytes", async () => {
    const { tree, objects } = revisions();
    const lane = await laneOf(checkout({}));
    await lane.sync(await tree({ "a\udcff.txt": "bytes\n" }), objects, { reset: false });
    const { output } = await shell(lane, "ls | od -An -c | tr -d ' \n'; touch more");
    expect(output).toContain("a377.txt");
    await lane.sync(await tree({ "a\udcff.txt": "bytes\n" }), objects, { reset: true });
    expect(await lane.treeChanges()).toEqual([]);
  });

  test("a submodule is an empty folder", async () => {
    const { tree, objects } = revisions();
    const lane = await laneOf(checkout({}));
    const commit = { mode: "160000" as const, oid: "1".repeat(40) };
    const revision = (await tree({ "a.txt": "one\n" })).with(new Map([["vendor/sub", commit]]));
    await lane.sync(revision, objects, { reset: false });
    expect(onDisk(lane.root)).toEqual({ "a.txt": "one\n", "vendor/sub/": "" });
    const { isolation } = await shell(lane, "echo > vendor/sub/x");
    expect(isolation.notes.join()).toContain("vendor/sub: a submodule");
    await lane.sync(revision, objects, { reset: true });
    expect(onDisk(lane.root)).toEqual({ "a.txt": "one\n", "vendor/sub/": "" });
    const turned = { "vendor/sub": "a file now\n" };
    await lane.sync(await tree(turned), objects, { reset: true });
    expect(onDisk(lane.root)).toEqual(turned);
    await lane.sync(revision, objects, { reset: true });
    expect(onDisk(lane.root)).toEqual({ "a.txt": "one\n", "vendor/sub/": "" });
    await lane.sync(await tree({ "a.txt": "one\n" }), objects, { reset: true });
    expect(onDisk(lane.root)).toEqual({ "a.txt": "one\n" });
  });

  test("files have the form on disk that the repository gives them", async () => {
    const { tree, objects } = revisions();
    const crlf = {
      ...plainForms,
      of: async (paths: readonly string[]) =>
        new Map(paths.map((path) => [path, { toBlob: withoutCrlf, toDisk: withCrlf }])),
    };
    const lane = await laneOf(checkout({}), { forms: crlf });
    await lane.sync(await tree({ "a.txt": "one\ntwo\n" }), objects, { reset: false });
    expect(readFileSync(join(lane.root, "a.txt"), "utf8")).toBe("one\r\ntwo\r\n");
    expect((await shell(lane, "touch a.txt")).stray).toEqual([]);
    await lane.sync(await tree({ "a.txt": "one\ntwo\n" }), objects, { reset: true });
    expect(readFileSync(join(lane.root, "a.txt"), "utf8")).toBe("one\r\ntwo\r\n");
  });
});

const probe = await probeIsolation();
if (probe.engine === "none") console.warn(`The tests of bubblewrap are skipped. ${probe.message}`);

describe.each(probe.engine === "none" ? (["none"] as const) : (["none", "bwrap"] as const))(
  "reset, with isolation %s",
  (isolation) => {
    const vandals: readonly [string, string][] = [
      ["a changed file", "echo more >> a.txt"],
      [
        "a change of the same length with the old time put back",
        "cp -p a.txt /tmp/$$; echo ONE > a.txt; touch -r /tmp/$$ a.txt; rm /tmp/$$",
      ],
      ["a file replaced by another with its times", "echo ONE > n; touch -r a.txt n; mv n a.txt"],
      ["a file changed through a second name", "ln a.txt other; echo ONE > other; rm other"],
      ["a deleted file", "rm src/b.js"],
      ["a deleted folder", "rm -r src"],
      ["a new file", "echo x > new.txt"],
      ["a new ignored file", "mkdir -p build/out; echo x > build/out/y; echo x > z.log"],
      ["a new folder, deep and closed", "mkdir -p p/q/r; echo x > p/q/r/s; chmod 000 p/q/r p/q p"],
      ["a new empty folder", "mkdir nothing"],
      ["another mode", "chmod -x run.sh; chmod +x a.txt; chmod 600 src/b.js"],
      ["an unreadable file", "chmod 000 a.txt"],
      ["a closed folder", "chmod 000 src"],
      ["a file where a folder was", "rm -r src; echo x > src"],
      ["a folder where a file was", "rm a.txt; mkdir a.txt; echo x > a.txt/b"],
      ["a link where a file was", "rm a.txt; ln -s src/b.js a.txt"],
      ["a link where a folder was", "mv src elsewhere; ln -s elsewhere src"],
      ["a file where a link was", "rm link; cp src/b.js link"],
      ["another link", "ln -sf a.txt link"],
      ["a pipe", "mkfifo pipe; rm a.txt; mkfifo a.txt"],
      ["a repository", "git init -q . && git init -q src"],
      ["everything at once", "rm -rf * .[a-z]*; echo x > src; mkdir a.txt; ln -s . loop"],
    ];

    test.each(vandals)("undoes %s", async (_name, script) => {
      const { tree, objects } = revisions();
      const lane = await laneOf(checkout({ ".gitignore": "build/\n*.log\n" }), { isolation });
      const revision = { ...files, ".gitignore": "build/\n*.log\n" };
      await lane.sync(await tree(revision), objects, { reset: true });
      const { exit, output } = await shell(lane, script);
      expect({ exit: exit.code, output }).toEqual({ exit: 0, output: expect.any(String) });
      await lane.sync(await tree(revision), objects, { reset: true });
      expect(onDisk(lane.root)).toEqual(revision);
    });

    test.each(vandals)(
      "and the next revision stands whole after %s, without a reset in between",
      async (_name, script) => {
        const { tree, objects } = revisions();
        const lane = await laneOf(checkout({}), { isolation });
        await lane.sync(await tree(files), objects, { reset: true });
        await shell(lane, script);
        const next = {
          "a.txt/now/deep": "x\n",
          "src/b.js": "other\n",
          link: "-> run.sh",
          "run.sh": files["run.sh"] ?? "",
        };
        await lane.sync(await tree(next), objects, { reset: false });
        await lane.sync(await tree(next), objects, { reset: true });
        expect(onDisk(lane.root)).toEqual(next);
      },
    );

    test("never writes or deletes through a link that a command has left", async () => {
      const outside = temporary();
      write(outside, { "b.js": "precious\n", "deep/c.js": "precious\n" });
      const { tree, objects } = revisions();
      const lane = await laneOf(checkout({}), { isolation });
      await lane.sync(await tree(files), objects, { reset: true });
      for (const next of [{ ...files, "src/b.js": "changed\n" }, { "a.txt": "only\n" }]) {
        for (const reset of [false, true]) {
          await shell(lane, `rm -rf src; ln -s ${outside} src`);
          await lane.sync(await tree(next), objects, { reset });
          await shell(lane, `rm -f src/b.js 2>/dev/null; rm -rf src; mkdir src; ln -s ${outside}/b.js src/b.js`);
          write(outside, { "b.js": "precious\n" });
          await lane.sync(await tree(files), objects, { reset });
          expect(onDisk(outside)).toEqual({ "b.js": "precious\n", "deep/c.js": "precious\n" });
        }
      }
    });

    test("sees a change that falls into the same tick of the clock as the write before it", async () => {
      const { tree, objects } = revisions();
      const lane = await laneOf(checkout({}), { isolation });
      for (let round = 0; round < 20; round += 1) {
        const revision = { "a.txt": `${round % 10}\n` };
        await lane.sync(await tree(revision), objects, { reset: true });
        const result = await lane.run({
          argv: ["sh", "-c", "echo x > a.txt"],
          ...{ env: {}, files: {}, report: "none", timeoutMs: 9_000, network: false, purpose: "command" },
        });
        expect(result.stray).toMatchObject([{ path: "a.txt", kind: "modify" }]);
      }
    });
  },
);

describe("what a command changed", () => {
  const revision = { ...files, ".gitignore": "build/\n*.log\n", "src/.gitignore": "gen\n" };

  test.each<[string, string, Record<string, string>]>([
    ["nothing", "true", {}],
    ["only times", "touch a.txt src/b.js", {}],
    ["only permission that git does not keep", "chmod 600 a.txt", {}],
    ["written with the same bytes", "echo one > a.txt", {}],
    ["modified", "echo 2 > a.txt", { "a.txt": "modify" }],
    ["executable", "chmod +x a.txt", { "a.txt": "modify" }],
    ["deleted", "rm a.txt", { "a.txt": "delete" }],
    ["added", "mkdir d; echo > d/e", { "d/e": "add" }],
    ["link changed", "ln -sf run.sh link", { link: "modify" }],
    ["file became folder", "rm a.txt; mkdir a.txt; echo > a.txt/b", { "a.txt": "delete", "a.txt/b": "add" }],
    ["folder became link", "mv src s; ln -s s src", { src: "add", "src/b.js": "delete", "s/b.js": "add" }],
    ["ignored", "mkdir build; echo > build/x; echo > a.log; echo > src/gen", {}],
    ["ignored within a new folder", "mkdir new; echo > new/a.log; echo > new/b", { "new/b": "add" }],
    ["an empty folder", "mkdir new", {}],
    ["a pipe", "mkfifo pipe", {}],
    ["a repository", "git init -q", {}],
  ])("%s", async (_name, script, expected) => {
    const { tree, objects } = revisions();
    const lane = await laneOf(checkout({}));
    await lane.sync(await tree(revision), objects, { reset: true });
    const { stray } = await shell(lane, script);
    expect(Object.fromEntries(stray.map((change) => [change.path, change.kind]))).toMatchObject(expected);
    if (Object.keys(expected).length === 0) expect(stray).toEqual([]);
    expect(await lane.treeChanges()).toEqual(stray);
  });

  test("is told once, with the blobs before and after, and the blob can be read", async () => {
    const { tree, objects } = revisions();
    const lane = await laneOf(checkout({}));
    const now = await tree(files);
    await lane.sync(now, objects, { reset: true });
    const { stray } = await shell(lane, "echo 2 > a.txt");
    const after = stray[0]?.after ?? "";
    expect(stray).toEqual([
      {
        path: "a.txt",
        kind: "modify",
        before: now.entry("a.txt")?.oid,
        beforeMode: "100644",
        after,
        afterMode: "100644",
      },
    ]);
    expect(Buffer.from(await objects.read(after)).toString()).toBe("2\n");
    expect((await shell(lane, "true")).stray).toEqual([]);
    expect((await shell(lane, "echo 3 > a.txt")).stray).toHaveLength(1);
    await lane.sync(now, objects, { reset: true });
    expect((await shell(lane, "echo 3 > a.txt")).stray).toHaveLength(1);
  });

  test("in a folder without git every new file is told", async () => {
    const { tree, objects } = revisions();
    const lane = await laneOf(temporary());
    await lane.sync(await tree({ ".gitignore": "*.log\n" }), objects, { reset: true });
    expect((await shell(lane, "echo > a.log")).stray).toMatchObject([{ path: "a.log", kind: "add" }]);
  });
});

test("a lane is a private folder, and is gone afterwards", async () => {
  const directory = join(temporary(), "lanes");
  mkdirSync(directory, { mode: 0o755 });
  const lane = await createLane({ root: checkout({}), directory, isolation: "none" });
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(lane.root, "..")).mode & 0o777).toBe(0o700);
  await shell(lane, "mkdir -p a/b; chmod 000 a/b a");
  await lane.dispose();
  expect(onDisk(directory)).toEqual({});
});

test("a folder for lanes that lies in the repository is refused", async () => {
  const root = checkout({});
  await expect(createLane({ root, directory: join(root, "lanes"), isolation: "none" })).rejects.toThrow(
    /lies in the repository/,
  );
});

test("lanes of processes that are gone are removed, those of living ones stay", async () => {
  const [root, directory] = [checkout({}), temporary()];
  const first = await createLane({ root, directory, isolation: "none" });
  const owner = JSON.parse(readFileSync(join(first.root, "../owner.json"), "utf8"));
  write(directory, {
    "lane-gone/owner.json": JSON.stringify({ ...owner, pid: 2 ** 22 + 1 }),
    "lane-elsewhere/owner.json": JSON.stringify({ ...owner, pid: 2 ** 22 + 1, namespace: "pid:[1]" }),
    "lane-young/a": "",
  });
  const second = await createLane({ root, directory, isolation: "none" });
  expect(Object.keys(onDisk(directory)).map((path) => path.split("/")[0])).toEqual(
    expect.arrayContaining(["lane-elsewhere", "lane-young"]),
  );
  expect(Object.keys(onDisk(directory)).join()).not.toContain("lane-gone");
  expect(statSync(first.root).isDirectory()).toBe(true);
  await first.dispose();
  await second.dispose();
});

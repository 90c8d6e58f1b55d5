import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { openRepository } from "../repository/mod.ts";
import { diskWriteBack, nodeDisk, recoverWriteBack } from "./mod.ts";
import {
  after,
  before,
  exactStateOf,
  type Fixture,
  fixture,
  stateOf,
  systemError,
  watchedDisk,
  workTo,
} from "./write-back-fixture.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

async function make(): Promise<Fixture> {
  const made = await fixture();
  cleanups.push(made.remove);
  return made;
}

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "yada-outside-"));
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const text = (value: string) => new TextEncoder().encode(value);

/** Nothing of the write-back is left, neither in the run's directory nor beside a target. */
function expectClean({ root, runDirectory }: Fixture): void {
  expect(existsSync(join(runDirectory, "write-back"))).toBe(false);
  expect(exactStateOf(root).filter((line) => line.includes(".yada-"))).toEqual([]);
}

describe("a change of every kind", () => {
  test("is written, and what it does not name keeps its time", async () => {
    const made = await make();
    expect(stateOf(made.root)).toEqual(before);
    const result = await diskWriteBack(made).write(made.work);
    expect(result).toEqual({ ok: true, written: made.work.changes.map(({ path }) => path), to: made.root });
    expect(stateOf(made.root)).toEqual(after);
    expect((await openRepository(made.root)).tree.oid).toBe(made.work.final.oid);
    expect(statSync(join(made.root, "edit.txt")).mode & 0o777).toBe(0o640);
    expect(statSync(join(made.root, "mode.sh")).mode & 0o777).toBe(0o755);
    for (const path of ["keep.txt", "mixed/stays.txt"])
      expect(statSync(join(made.root, path)).mtimeMs).toBe(2_000_000_000);
    expectClean(made);
  });

  test("written a second time is found to be there already", async () => {
    const made = await make();
    await diskWriteBack(made).write(made.work);
    const exact = exactStateOf(made.root);
    expect(await diskWriteBack(made).write(made.work)).toMatchObject({ ok: true });
    expect(exactStateOf(made.root)).toEqual(exact);
  });

  test("works where the run's directory is on another file system, or links are not to be had", async () => {
    for (const code of ["EXDEV", "EPERM"]) {
      const made = await make();
      const disk = watchedDisk(nodeDisk(), (_, operation, args) => {
        const crosses = String(args[0]).includes(".yada/runs") !== String(args[1]).includes(".yada/runs");
        if (code === "EPERM" && operation === "link") throw systemError(code);
        if (code === "EXDEV" && (operation === "link" || operation === "rename") && crosses) throw systemError(code);
      });
      const result = await diskWriteBack({ ...made, disk }).write(made.work);
      expect(result, code).toEqual({ ok: true, written: expect.anything(), to: made.root });
      expect(stateOf(made.root)).toEqual(after);
      expectClean(made);
    }
  });

  test("a directory that holds more than the change takes away stays", async () => {
    const made = await make();
    writeFileSync(join(made.root, "gone/deep/ignored.log"), "mine");
    expect(await diskWriteBack(made).write(made.work)).toMatchObject({ ok: true });
    expect(stateOf(made.root)).toEqual({ ...after, "gone/deep/ignored.log": "mine" });
  });

  test("an empty change writes nothing", async () => {
    const made = await make();
    const work = workTo(made.workspace, new Map());
    expect(await diskWriteBack(made).write(work)).toEqual({ ok: true, written: [], to: made.root });
    expect(stateOf(made.root)).toEqual(before);
  });
});

describe("disk_changed", () => {
  const disturbances: Record<string, [path: string, disturb: (root: string) => void]> = {
    "edited file": ["edit.txt", (root) => writeFileSync(join(root, "edit.txt"), "mine\n")],
    "executable bit": ["edit.txt", (root) => chmodSync(join(root, "edit.txt"), 0o755)],
    "deleted file": ["edit.txt", (root) => unlinkSync(join(root, "edit.txt"))],
    "file that became a link to the same bytes": [
      "edit.txt",
      (root) => {
        renameSync(join(root, "edit.txt"), join(root, "moved.txt"));
        symlinkSync("moved.txt", join(root, "edit.txt"));
      },
    ],
    "file that became a directory": [
      "edit.txt",
      (root) => {
        unlinkSync(join(root, "edit.txt"));
        mkdirSync(join(root, "edit.txt"));
      },
    ],
    "edited file that was to be deleted": [
      "mixed/gone.txt",
      (root) => writeFileSync(join(root, "mixed/gone.txt"), "mine\n"),
    ],
    "file where one is to be added": ["added.sh", (root) => writeFileSync(join(root, "added.sh"), "mine\n")],
    "link where one is to be added": ["link-added", (root) => symlinkSync("elsewhere", join(root, "link-added"))],
    "dangling link where a file is to be added": ["added.sh", (root) => symlinkSync("nowhere", join(root, "added.sh"))],
    "file where a directory is needed": ["fresh/x.txt", (root) => writeFileSync(join(root, "fresh"), "mine\n")],
    "link whose target changed": [
      "link-edited",
      (root) => {
        unlinkSync(join(root, "link-edited"));
        symlinkSync("other", join(root, "link-edited"));
      },
    ],
    "directory that became a link to the same files": [
      "src/deep/edit.js",
      (root) => {
        renameSync(join(root, "src"), join(root, "elsewhere"));
        symlinkSync("elsewhere", join(root, "src"));
      },
    ],
    "FIFO in place of a file": [
      "edit.txt",
      (root) => {
        unlinkSync(join(root, "edit.txt"));
        execFileSync("mkfifo", [join(root, "edit.txt")]);
      },
    ],
  };

  test.each(Object.keys(disturbances))("%s", async (name) => {
    const made = await make();
    const [path, disturb] = disturbances[name] ?? ["", () => {}];
    disturb(made.root);
    const exact = exactStateOf(made.root);
    const result = await diskWriteBack(made).write(made.work);
    expect(result).toMatchObject({ ok: false, code: "disk_changed", paths: expect.arrayContaining([path]) });
    expect(result.ok ? "" : result.message).toContain(path);
    expect(exactStateOf(made.root)).toEqual(exact);
    expectClean(made);
  });

  test("a file outside of the tree that a link in place of a directory would reach stays as it is", async () => {
    const made = await make();
    const outside = temporary();
    mkdirSync(join(outside, "deep"));
    writeFileSync(join(outside, "deep/edit.js"), "old\n");
    rmSync(join(made.root, "src"), { recursive: true });
    symlinkSync(outside, join(made.root, "src"));
    expect(await diskWriteBack(made).write(made.work)).toMatchObject({ code: "disk_changed" });
    expect(readFileSync(join(outside, "deep/edit.js"), "utf8")).toBe("old\n");
  });

  test.each(["src", "src/deep"])(
    "%s swapped for a link at any moment of the write: nothing lands outside",
    async (swapped) => {
      const outside = temporary();
      mkdirSync(join(outside, "deep"));
      const place = swapped === "src" ? join(outside, "deep/edit.js") : join(outside, "edit.js");
      const { operations } = await count();
      for (let at = 1; at <= operations; at += 7) {
        writeFileSync(place, "old\n");
        const made = await make();
        const disk = watchedDisk(nodeDisk(), ({ count }) => {
          if (count !== at) return;
          renameSync(join(made.root, swapped), join(made.root, "aside"));
          symlinkSync(outside, join(made.root, swapped));
        });
        const result = await diskWriteBack({ ...made, disk }).write(made.work);
        expect(readFileSync(place, "utf8")).toBe("old\n");
        if (!result.ok) {
          unlinkSync(join(made.root, swapped));
          renameSync(join(made.root, "aside"), join(made.root, swapped));
          const state = stateOf(made.root);
          // What was written already cannot be reached through the link: then it is named.
          if (state["src/deep/edit.js"] === "new\n") expect(result.paths).toContain("src/deep/edit.js");
          expect({ ...state, "src/deep/edit.js": "old\n" }).toEqual(before);
        }
      }
    },
  );

  test("an edit at any moment of the write is not lost", async () => {
    const { operations } = await count();
    for (let at = 1; at <= operations; at += 5) {
      const made = await make();
      const disk = watchedDisk(nodeDisk(), ({ count }) => {
        if (count === at) writeFileSync(join(made.root, "edit.txt"), "mine, and longer\n");
      });
      const result = await diskWriteBack({ ...made, disk }).write(made.work);
      expect(readFileSync(join(made.root, "edit.txt"), "utf8")).toBe("mine, and longer\n");
      if (!result.ok) expect(stateOf(made.root)).toEqual({ ...before, "edit.txt": "mine, and longer\n" });
    }
  });
});

describe("write_failed", () => {
  test("a failure at any single step takes everything back, to the inode and the time", async () => {
    const { operations } = await count();
    let failures = 0;
    for (let at = 1; at <= operations; at += 1) {
      const made = await make();
      const exact = exactStateOf(made.root);
      const disk = watchedDisk(nodeDisk(), ({ count }) => {
        if (count === at) throw systemError("ENOSPC");
      });
      const result = await diskWriteBack({ ...made, disk }).write(made.work);
      if (result.ok) {
        expect(stateOf(made.root)).toEqual(after);
        // Only removing what was kept failed. Whatever is next finds that out.
        await recoverWriteBack(made.runDirectory, made.root);
        expect(stateOf(made.root)).toEqual(after);
      } else {
        failures += 1;
        expect(result).toMatchObject({ code: "write_failed", message: expect.stringContaining("no space is left") });
        expect(exactStateOf(made.root), `after a failure at step ${at}`).toEqual(exact);
      }
      expectClean(made);
      made.remove();
    }
    expect(failures).toBeGreaterThan(operations / 2);
  });

  test("a disk that fails from some step on for good is undone by the next recovery", async () => {
    const { operations } = await count();
    for (let at = 3; at <= operations; at += 11) {
      const made = await make();
      const disk = watchedDisk(nodeDisk(), ({ count }) => {
        if (count >= at) throw systemError("EROFS");
      });
      const result = await diskWriteBack({ ...made, disk }).write(made.work);
      const recovery = await recoverWriteBack(made.runDirectory, made.root);
      expect(recovery).toMatchObject({ ok: true, leftAlone: [] });
      expect(stateOf(made.root)).toEqual(result.ok ? after : before);
      expectClean(made);
    }
  });

  test("a name that is too long for the file system, among others that are not", async () => {
    const made = await make();
    const oid = await made.workspace.objects.write(text("new\n"));
    const long = `fresh/${"n".repeat(300)}`;
    const work = workTo(
      made.workspace,
      new Map([
        ["a-first", { mode: "100644", oid }],
        [long, { mode: "100644", oid }],
        ["edit.txt", { mode: "100644", oid }],
      ]),
    );
    const exact = exactStateOf(made.root);
    const result = await diskWriteBack(made).write(work);
    expect(result).toMatchObject({
      ok: false,
      code: "write_failed",
      paths: [long],
      message: expect.stringContaining("too long"),
    });
    expect(exactStateOf(made.root)).toEqual(exact);
    expectClean(made);
  });

  test("a directory that cannot become a file, because someone has put more into it", async () => {
    const made = await make();
    writeFileSync(join(made.root, "turns-file/ignored.log"), "mine");
    const exact = exactStateOf(made.root);
    expect(await diskWriteBack(made).write(made.work)).toMatchObject({ ok: false, paths: ["turns-file"] });
    expect(exactStateOf(made.root)).toEqual(exact);
    expectClean(made);
  });

  test.each([[".git/hooks/pre-commit"], ["a/.GIT/config"], ["git~1/config"], [".yada/runs/2/trace.jsonl"]])(
    "%s is never written",
    async (path) => {
      const made = await make();
      const oid = await made.workspace.objects.write(text("new\n"));
      const entry = { mode: "100644" as const, oid };
      const final = {
        ...made.work.final,
        oid: "",
        entry: (asked: string) => (asked === path ? entry : undefined),
        hasDirectory: () => false,
      };
      const work = { ...made.work, final, changes: [{ path, kind: "add" as const, after: oid }] };
      expect(await diskWriteBack(made).write(work)).toMatchObject({ ok: false, code: "write_failed", paths: [path] });
      expect(stateOf(made.root)).toEqual(before);
    },
  );

  test("a submodule is never written", async () => {
    const made = await make();
    const work = workTo(made.workspace, new Map([["module", { mode: "160000", oid: "1".repeat(40) }]]));
    expect(await diskWriteBack(made).write(work)).toMatchObject({ ok: false, code: "write_failed", paths: ["module"] });
  });

  test("a disk that fills up", async (context) => {
    const root = temporary();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", root]);
    if (mounted.status !== 0) return context.skip("no file system of its own can be mounted here");
    cleanups.push(() => spawnSync("umount", [root]));
    writeFileSync(join(root, "a.txt"), "old\n");
    writeFileSync(join(root, "z.txt"), "old\n");
    const workspace = await openRepository(root);
    const oid = await workspace.objects.write(new Uint8Array(700_000).fill(65));
    const entry = { mode: "100644" as const, oid };
    const work = workTo(
      workspace,
      new Map([
        ["a.txt", entry],
        ["z.txt", entry],
      ]),
    );
    const runDirectory = join(root, ".yada/runs/1");
    expect(await diskWriteBack({ root, runDirectory }).write(work)).toMatchObject({
      ok: false,
      code: "write_failed",
      message: expect.stringContaining("no space is left on the disk (ENOSPC)"),
    });
    expect(stateOf(root)).toEqual({ "a.txt": "old\n", "z.txt": "old\n" });
    expect(existsSync(join(runDirectory, "write-back"))).toBe(false);
  });
});

describe("killed", () => {
  test("at any step: the recovery leaves the old state or the new one, and nothing else", async () => {
    const { changes } = await count();
    const states = new Set<string>();
    for (let at = 1; at <= changes; at += 1) {
      const made = await make();
      const exact = exactStateOf(made.root);
      await killedAt(made, at);
      const recovery = await recoverWriteBack(made.runDirectory, made.root);
      expect(recovery).toMatchObject({ ok: true, leftAlone: [] });
      const state = stateOf(made.root);
      const isOld = JSON.stringify(Object.entries(state).sort()) === JSON.stringify(Object.entries(before).sort());
      states.add(isOld ? "old" : "new");
      if (isOld) expect(exactStateOf(made.root), `killed at step ${at}`).toEqual(exact);
      else expect(state, `killed at step ${at}`).toEqual(after);
      expectClean(made);

      if (at % 10 === 0) {
        expect(await diskWriteBack(made).write(made.work)).toMatchObject({ ok: true });
        expect(stateOf(made.root)).toEqual(after);
      }
      made.remove();
    }
    expect([...states].sort()).toEqual(["new", "old"]);
  });

  test("and killed again in the recovery, at any step", async () => {
    const { changes } = await count();
    for (let at = 25; at <= changes; at += 7) {
      for (let again = 1; ; again += 13) {
        const made = await make();
        await killedAt(made, at);
        let count = 0;
        const disk = watchedDisk(nodeDisk(), ({ count: now }) => {
          count = now;
          if (now >= again) throw new Error("killed");
        });
        await recoverWriteBack(made.runDirectory, made.root, { disk });
        expect(await recoverWriteBack(made.runDirectory, made.root)).toMatchObject({ ok: true, leftAlone: [] });
        expect([JSON.stringify(before), JSON.stringify(after)].map(sorted)).toContain(
          sorted(JSON.stringify(stateOf(made.root))),
        );
        expectClean(made);
        made.remove();
        if (count < again) break;
      }
    }
  });

  test("a path that someone changed since is left alone, and named, with what was kept of it", async () => {
    const made = await make();
    // The directories of the repository are brought to the disk when all names are in place and the journal is not done yet.
    let isInPlace = false;
    const disk = watchedDisk(nodeDisk(), (_, operation, [path]) => {
      if (isInPlace) throw new Error("killed");
      isInPlace = operation === "syncDirectory" && !String(path).startsWith(made.runDirectory);
    });
    await diskWriteBack({ ...made, disk }).write(made.work);
    writeFileSync(join(made.root, "edit.txt"), "mine\n");
    const recovery = await recoverWriteBack(made.runDirectory, made.root);
    expect(recovery).toMatchObject({ ok: true, state: "undone", leftAlone: ["edit.txt"] });
    expect(stateOf(made.root)).toEqual({ ...before, "edit.txt": "mine\n" });
    const keptIn = recovery.ok ? recovery.keptIn : undefined;
    expect(execFileSync("sh", ["-c", 'cat "$1"/*.old', "sh", keptIn ?? ""], { encoding: "utf8" })).toContain("old\n");
    expect(await recoverWriteBack(made.runDirectory, made.root)).toMatchObject({ ok: true, state: "nothing" });
  });

  test("while the process that writes is alive nothing is recovered", async () => {
    const made = await make();
    await killedAt(made, Math.floor((await count()).changes * 0.7));
    const state = exactStateOf(made.root);
    const recovery = await recoverWriteBack(made.runDirectory, made.root, { isAlive: () => true });
    expect(recovery).toMatchObject({ ok: false, code: "write_back_running" });
    expect(exactStateOf(made.root)).toEqual(state);
  });

  test("a journal that leads out of the tree is not followed", async () => {
    const made = await make();
    const outside = join(temporary(), "victim");
    writeFileSync(outside, "mine\n");
    await killedAt(made, Math.floor((await count()).changes * 0.7));
    const file = join(made.runDirectory, "write-back/journal.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"edit.txt"', JSON.stringify(`../${outside}`)));
    expect(await recoverWriteBack(made.runDirectory, made.root)).toMatchObject({ ok: false, code: "recovery_failed" });
    expect(readFileSync(outside, "utf8")).toBe("mine\n");
  });

  test("nothing to recover", async () => {
    const made = await make();
    expect(await recoverWriteBack(made.runDirectory, made.root)).toEqual({
      ok: true,
      state: "nothing",
      paths: [],
      leftAlone: [],
    });
  });
});

describe("in a repository", () => {
  function repository(files: Record<string, string>, ...config: string[]) {
    const root = temporary();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", "-C", root, ...args], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
      }).trim();
    git("init", "-q", "-b", "main");
    for (const setting of config) git("config", ...(setting.split("=") as [string, string]));
    for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
    git("add", "-A");
    git("commit", "-qm", "one");
    return { root, git, runDirectory: join(root, ".yada/runs/1") };
  }

  async function writeText(root: string, runDirectory: string, files: Record<string, string>) {
    const workspace = await openRepository(root);
    cleanups.push(() => void workspace.close());
    const changes = new Map();
    for (const [path, content] of Object.entries(files))
      changes.set(path, { mode: "100644", oid: await workspace.objects.write(text(content)) });
    return {
      workspace,
      result: await diskWriteBack({ root, runDirectory, forms: workspace.forms }).write(workTo(workspace, changes)),
    };
  }

  test("the index is not touched, and git sees exactly the change", async () => {
    const { root, git, runDirectory } = repository({ "a.txt": "old\n", "b.txt": "b\n", ".gitignore": ".yada/\n" });
    const index = readFileSync(join(root, ".git/index"));
    const { result } = await writeText(root, runDirectory, { "a.txt": "new\n", "c.txt": "new\n" });
    expect(result).toMatchObject({ ok: true });
    expect(readFileSync(join(root, ".git/index"))).toEqual(index);
    expect(git("status", "--porcelain")).toBe("M a.txt\n?? c.txt");
  });

  test("line endings on disk are kept where git converts them", async () => {
    const { root, git, runDirectory } = repository({ "crlf.txt": "a\r\nb\r\n", "lf.txt": "a\n" }, "core.autocrlf=true");
    const { workspace, result } = await writeText(root, runDirectory, {
      "crlf.txt": "a\nB\n",
      "lf.txt": "A\n",
      "new.txt": "x\ny\n",
    });
    expect((await workspace.readText("crlf.txt")).text).toBe("a\nb\n");
    expect(result).toMatchObject({ ok: true });
    expect(readFileSync(join(root, "crlf.txt"), "utf8")).toBe("a\r\nB\r\n");
    expect(readFileSync(join(root, "lf.txt"), "utf8")).toBe("A\n");
    expect(readFileSync(join(root, "new.txt"), "utf8")).toBe("x\r\ny\r\n");
    git("add", "-A");
    expect(git("show", ":crlf.txt")).toBe("a\nB");
  });

  test("a file whose line endings are of both kinds is not rewritten by guess", async () => {
    const { root, runDirectory } = repository({ "mixed.txt": "a\r\nb\n" }, "core.autocrlf=true");
    const { result } = await writeText(root, runDirectory, { "mixed.txt": "a\nB\n" });
    expect(result).toMatchObject({
      ok: false,
      code: "write_failed",
      paths: ["mixed.txt"],
      message: expect.stringContaining("CRLF"),
    });
    expect(readFileSync(join(root, "mixed.txt"), "utf8")).toBe("a\r\nb\n");
  });

  test("without conversion a change of line endings alone is a change of the disk", async () => {
    const { root, runDirectory } = repository({ "a.txt": "a\nb\n" });
    const workspace = await openRepository(root);
    cleanups.push(() => void workspace.close());
    const oid = await workspace.objects.write(text("a\nB\n"));
    writeFileSync(join(root, "a.txt"), "a\r\nb\r\n");
    const work = workTo(workspace, new Map([["a.txt", { mode: "100644", oid }]]));
    expect(await diskWriteBack({ root, runDirectory, forms: workspace.forms }).write(work)).toMatchObject({
      code: "disk_changed",
    });
  });

  test("core.fileMode=false: the executable bit on disk is no change and stays", async () => {
    const { root, runDirectory } = repository({ "a.sh": "old\n" }, "core.fileMode=false");
    chmodSync(join(root, "a.sh"), 0o755);
    const { result } = await writeText(root, runDirectory, { "a.sh": "new\n" });
    expect(result).toMatchObject({ ok: true });
    expect(statSync(join(root, "a.sh")).mode & 0o777).toBe(0o755);
  });

  test("names that are not UTF-8", async () => {
    const { root, runDirectory } = repository({ "a.txt": "" });
    const { result } = await writeText(root, runDirectory, { "d\udcff/n\udcfe": "new\n" });
    expect(result).toMatchObject({ ok: true });
    const place = Buffer.concat([Buffer.from(`${root}/d`), Buffer.of(0xff), Buffer.from("/n"), Buffer.of(0xfe)]);
    expect(readFileSync(place, "utf8")).toBe("new\n");
  });

  test("a file with a second name keeps the other one as it was", async () => {
    const { root, runDirectory } = repository({ "a.txt": "old\n" });
    const other = join(temporary(), "other");
    linkSync(join(root, "a.txt"), other);
    utimesSync(other, 5, 5);
    const { result } = await writeText(root, runDirectory, { "a.txt": "new\n" });
    expect(result).toMatchObject({ ok: true });
    expect(readFileSync(other, "utf8")).toBe("old\n");
    expect(lstatSync(other).mtimeMs).toBe(5_000);
  });
});

let known: Promise<{ operations: number; changes: number }> | undefined;
/** How many operations of the disk the write of the fixture takes, and how many of them change something. */
function count(): Promise<{ operations: number; changes: number }> {
  known ??= (async () => {
    const made = await make();
    let counted = { operations: 0, changes: 0 };
    const disk = watchedDisk(nodeDisk(), (step) => {
      counted = { operations: step.count, changes: step.changes };
    });
    await diskWriteBack({ ...made, disk }).write(made.work);
    return counted;
  })();
  return known;
}

/** Writes on a disk on which nothing happens any more from the given change on; a file made just then is left half written. */
async function killedAt(made: Fixture, at: number): Promise<void> {
  const disk = watchedDisk(nodeDisk(), ({ changes, isChange }, operation, [path]) => {
    if (changes < at) return;
    if (changes === at && isChange && operation === "createFile" && typeof path === "string") {
      writeFileSync(path, "ha", { flag: "wx" });
    }
    throw new Error("killed");
  });
  await diskWriteBack({ ...made, disk }).write(made.work);
}

function sorted(json: string): string {
  const parsed: Record<string, string> = JSON.parse(json);
  return JSON.stringify(Object.entries(parsed).sort());
}

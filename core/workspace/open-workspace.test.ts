import { execFileSync } from "node:child_process";
import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFsFromVolume, Volume } from "memfs";
import { afterEach, describe, expect, test } from "vitest";
import { encodePath, openWorkspace, snapshotOf } from "./mod.ts";

const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function repository(...options: string[]) {
  const root = mkdtempSync(join(tmpdir(), "yada-open-"));
  directories.push(root);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", "-C", root, ...args], { encoding: "utf8" }).trim();
  git("init", "-q", "-b", "main", ...options);
  return { root, gitdir: join(root, ".git"), git };
}

describe("openWorkspace over plain files", () => {
  const open = () =>
    openWorkspace({
      files: { "src/a.txt": "ä\r\n", "b.bin": Uint8Array.of(0xff, 0), ".hidden/c": "", "bom.txt": "\ufeffx" },
    });

  test("reads, lists and names its tree as git would", async () => {
    const workspace = await open();
    expect(await workspace.list()).toEqual([".hidden/c", "b.bin", "bom.txt", "src/a.txt"]);
    expect(await workspace.list("**/*c")).toEqual([".hidden/c"]);
    expect(await workspace.list("*.{bin,txt}")).toEqual(["b.bin", "bom.txt"]);
    expect(await workspace.read("b.bin")).toEqual(Uint8Array.of(0xff, 0));
    expect(await workspace.readText("src/a.txt")).toEqual({
      text: "ä\r\n",
      sha256: execFileSync("sha256sum", { input: "ä\r\n", encoding: "utf8" }).slice(0, 64),
    });
    expect((await workspace.readText("bom.txt")).text).toBe("\ufeffx");
    expect((await openWorkspace({ files: { "a.txt": "hello\n" } })).tree.oid).toBe(
      "2e81171448eb9f2ee3821e3d447aa6b2fe3ddba1",
    );
  });

  test.each([
    ["nothing", "not_found"],
    ["src/a.txt/deeper", "not_found"],
    ["src", "not_a_file"],
    ["b.bin", "not_text"],
  ])("readText of %s is %s", async (path, code) => {
    await expect((await open()).readText(path)).rejects.toMatchObject({ code, path });
  });

  test.each([["../a"], ["/a"], [".git/config"], ["a//b"]])("a file at %s is refused", async (path) => {
    await expect(openWorkspace({ files: { [path]: "" } })).rejects.toMatchObject({ code: "unsupported_target" });
  });

  test("restore goes back to a snapshot, and diff tells what lies between", async () => {
    const workspace = await open();
    const before = workspace.snapshot();
    const oid = await workspace.objects.write(Uint8Array.of(1));
    workspace.restore(
      snapshotOf(
        workspace.tree.with(
          new Map([
            ["new", { mode: "100644", oid }],
            ["b.bin", null],
          ]),
        ),
      ),
    );
    expect(await workspace.diff(before)).toMatchObject([
      { path: "b.bin", kind: "delete" },
      { path: "new", kind: "add", after: oid },
    ]);
    expect(await workspace.diff(workspace.snapshot(), before)).toMatchObject([{ kind: "add" }, { kind: "delete" }]);
    expect(workspace.snapshot().oid).not.toBe(before.oid);
    workspace.restore(before);
    expect(await workspace.oid()).toBe(before.oid);
    expect(workspace.baseline.oid).toBe(before.oid);
    expect(await workspace.diff(before)).toEqual([]);
  });
});

describe("openWorkspace over a git directory", () => {
  test("has the id of the commit's tree and reads its blobs, packed or loose", async () => {
    const { root, gitdir, git } = repository();
    mkdirSync(join(root, "a/b"), { recursive: true });
    writeFileSync(join(root, "a/b/run.sh"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(root, "a.txt"), "one\n");
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), encodePath("n\udcff")]), "bytes\n");
    symlinkSync("nowhere", join(root, "link"));
    git("add", "-A");
    git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},module`);
    git("commit", "-qm", "one");
    git("tag", "-a", "v1", "-m", "v1");
    for (const isPacked of [false, true]) {
      if (isPacked) git("gc", "-q");
      for (const ref of [undefined, "main", "v1", git("rev-parse", "HEAD"), git("rev-parse", "--short", "HEAD")]) {
        const workspace = await openWorkspace({ fs, gitdir, ...(ref === undefined ? {} : { ref }) });
        expect(await workspace.oid()).toBe(git("rev-parse", "HEAD^{tree}"));
        expect((await workspace.readText("a/b/run.sh")).text).toBe("#!/bin/sh\n");
        expect((await workspace.readText("n\udcff")).text).toBe("bytes\n");
        expect((await workspace.readText("link")).text).toBe("nowhere");
        expect(workspace.tree.entry("a/b/run.sh")?.mode).toBe("100755");
        await expect(workspace.read("module")).rejects.toMatchObject({ code: "not_a_file" });
      }
    }
  });

  test("writes nothing to the git directory", async () => {
    const { root, gitdir, git } = repository();
    writeFileSync(join(root, "a.txt"), "one\n");
    git("add", "-A");
    git("commit", "-qm", "one");
    const list = () => execFileSync("find", [gitdir, "-type", "f", "-printf", "%p %T@ %s\n"], { encoding: "utf8" });
    const before = list();
    const workspace = await openWorkspace({ fs, gitdir });
    const oid = await workspace.objects.write(Uint8Array.of(7));
    await workspace.readText("a.txt");
    expect(await workspace.objects.read(oid)).toEqual(Uint8Array.of(7));
    expect(list()).toBe(before);
  });

  test("works on a file system in memory", async () => {
    const { root, gitdir, git } = repository();
    writeFileSync(join(root, "a.txt"), "one\n");
    git("add", "-A");
    git("commit", "-qm", "one");
    const volume = new Volume();
    for (const line of execFileSync("find", [".", "-type", "f"], { cwd: gitdir, encoding: "utf8" })
      .trim()
      .split("\n")) {
      const target = join("/repo", line);
      volume.mkdirSync(join(target, ".."), { recursive: true });
      volume.writeFileSync(target, fs.readFileSync(join(gitdir, line)));
    }
    const workspace = await openWorkspace({ fs: createFsFromVolume(volume), gitdir: "/repo" });
    expect((await workspace.readText("a.txt")).text).toBe("one\n");
    expect(await workspace.oid()).toBe(git("rev-parse", "HEAD^{tree}"));
  });

  test("core.ignorecase is taken over", async () => {
    const { gitdir, git } = repository();
    expect((await openWorkspace({ fs, gitdir })).ignoreCase).toBe(false);
    git("config", "core.ignorecase", "true");
    expect((await openWorkspace({ fs, gitdir })).ignoreCase).toBe(true);
  });

  test("an unborn branch is the empty tree, with a notice", async () => {
    const { gitdir } = repository();
    const workspace = await openWorkspace({ fs, gitdir });
    expect(await workspace.list()).toEqual([]);
    expect(workspace.notices).toEqual([expect.stringContaining("no commit")]);
  });

  test("an unknown ref and a repository with SHA-256 ids are refused by name", async () => {
    await expect(openWorkspace({ fs, gitdir: repository().gitdir, ref: "nope" })).rejects.toMatchObject({
      code: "not_found",
    });
    const { gitdir } = repository("--object-format=sha256");
    await expect(openWorkspace({ fs, gitdir })).rejects.toMatchObject({
      code: "unsupported_repository",
      message: expect.stringContaining("sha256"),
    });
  });
});

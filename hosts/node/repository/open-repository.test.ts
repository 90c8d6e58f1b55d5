import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { encodePath } from "../../../core/workspace/mod.ts";
import { openRepository, type RepositoryWorkspace } from "./mod.ts";

const directories: string[] = [];
const opened: RepositoryWorkspace[] = [];
afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function temporary(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "yada-repository-")));
  directories.push(directory);
  return directory;
}

const environment = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };

function git(root: string, ...args: string[]): string {
  const identity = [
    "-c",
    "user.name=n",
    "-c",
    "user.email=e",
    "-c",
    "protocol.file.allow=always",
    "-c",
    "commit.gpgsign=false",
  ];
  return execFileSync("git", [...identity, "-C", root, ...args], {
    encoding: "utf8",
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
}

function repository(files: Record<string, string> = { "a.txt": "one\n", "src/b.js": "two\n" }): string {
  const root = temporary();
  git(root, "init", "-q", "-b", "main");
  write(root, files);
  git(root, "add", "-A");
  git(root, "commit", "-q", "--allow-empty", "-m", "one");
  return root;
}

function write(root: string, files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    const place = Buffer.concat([Buffer.from(`${root}/`), encodePath(path)]);
    mkdirSync(Buffer.from(dirname(place.toString("latin1")), "latin1"), { recursive: true });
    writeFileSync(place, content);
  }
}

/** What `git write-tree` says after `git add -A` in a copy. */
function treeByGit(root: string): string {
  const copy = temporary();
  execFileSync("cp", ["-a", `${root}/.`, copy]);
  git(copy, "add", "-A");
  return git(copy, "write-tree");
}

async function open(dir: string): Promise<RepositoryWorkspace> {
  const workspace = await openRepository(dir);
  opened.push(workspace);
  return workspace;
}

/**
 * Every entry of a directory, `.git` included, with type, mode, size, modification time and bytes. Git itself renews the time
 * of an object or of a shared index that it reads, so these times are left out.
 */
function everythingIn(root: string): string {
  const list = execFileSync("find", [root, "-printf", "%P %y %m %s %T@ %l\\n"], { encoding: "latin1" });
  const sums = execFileSync("sh", ["-c", 'find "$1" -type f -print0 | sort -z | xargs -0 sha1sum', "sh", root], {
    encoding: "latin1",
  });
  const timeless = list.replace(/^(\.git\/(?:objects|sharedindex).*) [0-9.]+ /gm, "$1 ");
  return timeless.split("\n").sort().join("\n") + sums;
}

describe("the id equals git's, for", () => {
  const scenarios: Record<string, (root: string) => void> = {
    "a clean repository": () => {},
    "changed, deleted and new files": (root) => {
      write(root, { "a.txt": "changed\n", "new/deep/file": "x", "src/c.js": "" });
      unlinkSync(join(root, "src/b.js"));
    },
    "a change of the same size in the second in which the index was written": (root) => {
      write(root, { "a.txt": "eno\n" });
    },
    "staged changes that the disk does not have any more": (root) => {
      write(root, { "a.txt": "staged\n", "gone.txt": "staged\n" });
      git(root, "add", "-A");
      write(root, { "a.txt": "disk\n" });
      unlinkSync(join(root, "gone.txt"));
    },
    "ignored files, tracked ignored files and nested ignore files": (root) => {
      write(root, { "tracked.log": "1" });
      git(root, "add", "-f", "tracked.log");
      write(root, {
        ".gitignore": "*.log\n/out/\n!keep.log\n",
        "out/x": "",
        "b.log": "",
        "keep.log": "",
        "tracked.log": "2",
        "src/.gitignore": "*.tmp\n",
        "src/a.tmp": "",
      });
      write(root, { ".git/info/exclude": "excluded\n", excluded: "", "src/excluded": "" });
    },
    modes: (root) => {
      write(root, { "run.sh": "#!/bin/sh\n", "group.sh": "" });
      chmodSync(join(root, "run.sh"), 0o755);
      chmodSync(join(root, "group.sh"), 0o654);
      chmodSync(join(root, "a.txt"), 0o700);
    },
    "core.fileMode=false": (root) => {
      git(root, "update-index", "--chmod=+x", "a.txt");
      git(root, "config", "core.fileMode", "false");
      write(root, { "a.txt": "changed\n", "new.sh": "" });
      chmodSync(join(root, "new.sh"), 0o755);
      chmodSync(join(root, "src/b.js"), 0o755);
    },
    "symbolic links: dangling, out of the tree, to directories, to ignored directories": (root) => {
      write(root, { ".gitignore": "ignored/\n", "ignored/x": "" });
      for (const [name, target] of [
        ["dangling", "nowhere"],
        ["out", "/etc/passwd"],
        ["dir", "src"],
        ["to-ignored", "ignored"],
        ["loop", "loop"],
      ] as const) {
        symlinkSync(target, join(root, name));
      }
    },
    "a file that became a link, a directory and the reverse": (root) => {
      write(root, { "dir/x": "1", "dir2/y": "1", file: "1", file2: "1" });
      git(root, "add", "-A");
      git(root, "commit", "-qm", "two");
      for (const name of ["dir", "dir2"]) rmSync(join(root, name), { recursive: true });
      write(root, { dir: "now a file" });
      symlinkSync("src", join(root, "dir2"));
      unlinkSync(join(root, "file"));
      write(root, { "file/in/it": "1" });
      unlinkSync(join(root, "file2"));
      symlinkSync("a.txt", join(root, "file2"));
    },
    "a directory replaced by a link to one that holds the same files": (root) => {
      renameSync(join(root, "src"), join(root, "moved"));
      symlinkSync("moved", join(root, "src"));
    },
    "awkward names": (root) => {
      write(root, {
        "a b": "",
        '"quoted"': "",
        "tab\there": "",
        "new\nline": "",
        "back\\slash": "",
        "\udcff\udcfe": "bytes",
        é: "1",
        "e\u0301": "2",
        "日本/テスト": "",
        "-dash": "",
        ":(top)x": "",
        "*": "",
        "a.b/x": "",
        "a-b": "",
        "a/x": "",
        "~": "",
        "#": "",
        "\u{1f600}": "",
        "\uffee": "",
      });
    },
    "case twins": (root) => write(root, { "A.txt": "1", "SRC/b.js": "2" }),
    "empty directories": (root) => mkdirSync(join(root, "empty/er"), { recursive: true }),
    "intent to add": (root) => {
      write(root, { "later.txt": "content\n", "never.txt": "x" });
      git(root, "add", "-N", "later.txt", "never.txt");
      unlinkSync(join(root, "never.txt"));
    },
    "an unborn branch": (root) => git(root, "checkout", "-q", "--orphan", "fresh"),
    "a detached HEAD": (root) => git(root, "checkout", "-q", "--detach"),
    "a merge with conflicts": (root) => {
      write(root, { both: "base\n", "ours-only": "base\n", "theirs-only": "base\n", gone: "base\n" });
      git(root, "add", "-A");
      git(root, "commit", "-qm", "base");
      git(root, "checkout", "-qb", "other");
      write(root, { both: "theirs\n", "theirs-only": "theirs\n", added: "theirs\n", gone: "theirs\n" });
      unlinkSync(join(root, "ours-only"));
      git(root, "add", "-A");
      git(root, "commit", "-qm", "theirs");
      git(root, "checkout", "-q", "main");
      write(root, { both: "ours\n", "ours-only": "ours\n", added: "ours\n", gone: "ours\n" });
      unlinkSync(join(root, "theirs-only"));
      git(root, "add", "-A");
      git(root, "commit", "-qm", "ours");
      expect(
        spawnSync("git", ["-c", "user.name=n", "-c", "user.email=e", "-C", root, "merge", "-q", "other"]).status,
      ).toBe(1);
      unlinkSync(join(root, "gone"));
    },
    "a rebase under way": (root) => {
      git(root, "checkout", "-qb", "other");
      write(root, { "a.txt": "other\n" });
      git(root, "commit", "-qam", "other");
      git(root, "checkout", "-q", "main");
      write(root, { "a.txt": "main\n" });
      git(root, "commit", "-qam", "main");
      expect(
        spawnSync("git", ["-c", "user.name=n", "-c", "user.email=e", "-C", root, "rebase", "-q", "other"]).status,
      ).toBe(1);
    },
    "a submodule at another commit, dirty inside, and one that is not checked out": (root) => {
      const inner = repository({ "inner.txt": "1\n" });
      git(root, "submodule", "add", "-q", inner, "module");
      git(root, "submodule", "add", "-q", inner, "absent");
      git(root, "commit", "-qm", "modules");
      git(root, "submodule", "deinit", "-q", "-f", "absent");
      write(root, { "module/inner.txt": "2\n" });
      git(join(root, "module"), "commit", "-qam", "two");
      write(root, { "module/dirty.txt": "x" });
    },
    "a nested repository": (root) => {
      mkdirSync(join(root, "deep/nested"), { recursive: true });
      cpSync(repository({ "inner.txt": "1\n" }), join(root, "deep/nested"), { recursive: true });
      write(root, { "deep/beside": "" });
    },
    "a sparse checkout": (root) => {
      write(root, { "wide/x": "1", "wide/y": "2", "kept/z": "3" });
      git(root, "add", "-A");
      git(root, "commit", "-qm", "two");
      git(root, "sparse-checkout", "set", "kept");
      expect(existsSync(join(root, "wide/x"))).toBe(false);
      write(root, { "kept/z": "changed", "kept/new": "" });
    },
    "a sparse index": (root) => {
      write(root, { "wide/x": "1", "wide/deep/y": "2", "kept/z": "3" });
      git(root, "add", "-A");
      git(root, "commit", "-qm", "two");
      git(root, "sparse-checkout", "set", "--cone", "--sparse-index", "kept");
      write(root, { "kept/z": "changed" });
    },
    "an index of version 4, split": (root) => {
      git(root, "update-index", "--index-version", "4");
      git(root, "update-index", "--split-index");
      write(root, { "a.txt": "changed\n" });
    },
    "files assumed unchanged": (root) => {
      git(root, "update-index", "--assume-unchanged", "a.txt");
      write(root, { "a.txt": "changed\n" });
    },
    "core.autocrlf=true": (root) => {
      git(root, "config", "core.autocrlf", "true");
      write(root, {
        "a.txt": "one\r\ntwo\r\n",
        "new.txt": "x\r\ny\n",
        "lone.txt": "a\rb\r\n",
        "bin.dat": "a\0\r\n",
        "src/c.js": "lf\n",
      });
    },
    "core.autocrlf=input and a blob that has CRLF": (root) => {
      write(root, { "crlf.txt": "a\r\nb\r\n" });
      git(root, "add", "-A");
      git(root, "commit", "-qm", "crlf");
      git(root, "config", "core.autocrlf", "input");
      write(root, { "crlf.txt": "a\r\nb\r\nc\r\n", "new.txt": "a\r\n" });
    },
    "text attributes of every kind": (root) => {
      write(root, {
        ".gitattributes":
          "*.txt text\n*.auto text=auto\n*.bin -text\n*.crlf text eol=crlf\n*.lf text=auto eol=lf\n*.only eol=crlf\n*.old crlf\n*.raw binary\n",
        "x.txt": "a\r\nb\r\0",
        "x.auto": "a\r\n",
        "y.auto": "a\r\0\n",
        "x.bin": "a\r\n",
        "x.crlf": "a\r\nb\n",
        "x.lf": "a\r\n",
        "x.only": "\x01\r\n",
        "x.old": "a\r\n",
        "x.raw": "a\r\n",
        "x.none": "a\r\n",
      });
    },
    "CRLF on disk that git has checked out": (root) => {
      write(root, { ".gitattributes": "*.txt text eol=crlf\n" });
      git(root, "add", "-A");
      git(root, "commit", "-qm", "attributes");
      unlinkSync(join(root, "a.txt"));
      git(root, "checkout", "-q", "--", "a.txt");
      expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\r\n");
      utimesSync(join(root, "a.txt"), 5, 5);
    },
    "a file of 11 MB": (root) => write(root, { big: new Uint8Array(11_000_000).fill(65) }),
  };

  test.each(Object.keys(scenarios))("%s", async (name) => {
    const root = repository();
    scenarios[name]?.(root);
    const expected = treeByGit(root);
    const before = everythingIn(root);
    const workspace = await open(root);
    expect(await workspace.oid()).toBe(expected);
    for (const path of await workspace.list()) {
      if (workspace.tree.entry(path)?.mode === "160000") continue;
      expect(await workspace.objects.write(await workspace.read(path))).toBe(workspace.tree.entry(path)?.oid);
    }
    expect(everythingIn(root)).toBe(before);
  });

  test("repositories made at random, half committed", async () => {
    const segment = fc.constantFrom("a", "b c", "A", "é", "x.y", "x-y", "x", "\udcfe", 'q"', "deep");
    const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    const step = fc.record({
      path,
      content: fc.oneof(fc.constant(""), fc.string({ maxLength: 8 }), fc.constantFrom("a\r\n", "a\n")),
      kind: fc.constantFrom("file", "file", "executable", "link", "remove", "commit"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const root = repository({});
        for (const { path: at, content, kind } of steps) {
          const place = Buffer.concat([Buffer.from(`${root}/`), encodePath(at)]);
          if (kind === "commit") {
            git(root, "add", "-A");
            git(root, "commit", "-q", "--allow-empty", "-m", "more");
            continue;
          }
          try {
            rmSync(place, { recursive: true, force: true });
            if (kind === "remove") continue;
            mkdirSync(Buffer.from(dirname(place.toString("latin1")), "latin1"), { recursive: true });
            if (kind === "link") symlinkSync(content || "x", place);
            else writeFileSync(place, content, { mode: kind === "executable" ? 0o755 : 0o644 });
          } catch {
            // A file is in the way of the directory: this step is none.
          }
        }
        expect(await (await open(root)).oid()).toBe(treeByGit(root));
      }),
      { numRuns: 12 },
    );
  });
});

describe("openRepository", () => {
  test("opens a linked worktree and a subdirectory as the tree that they are in", async () => {
    const root = repository();
    const linked = join(temporary(), "linked");
    git(root, "worktree", "add", "-q", "-b", "side", linked);
    write(linked, { "only-here": "x" });
    expect(await (await open(linked)).oid()).toBe(treeByGitIn(linked));
    const inside = await open(join(root, "src"));
    expect(inside.root).toBe(root);
    expect(await inside.list()).toEqual(["a.txt", "src/b.js"]);
  });

  test("runs no hook, no monitor and no filter, and reads what they would convert by its bytes on disk", async () => {
    const root = repository();
    const marker = join(temporary(), "ran");
    write(root, { "f.big": "smudged", "id.c": "$Id: abc $\n", "wide.txt": new Uint8Array([0xff, 0xfe, 0x41, 0]) });
    git(root, "add", "f.big", "id.c", "wide.txt");
    const program = join(root, "program.sh");
    writeFileSync(program, `#!/bin/sh\ntouch ${marker}\ncat\n`, { mode: 0o755 });
    write(root, {
      ".gitattributes": "*.big filter=big\n*.c ident\nwide.txt working-tree-encoding=UTF-16LE\n",
      ".git/info/exclude": "program.sh\n",
    });
    for (const setting of [
      "filter.big.clean",
      "filter.big.process",
      "core.fsmonitor",
      "core.sshCommand",
      "diff.external",
    ])
      git(root, "config", setting, program);
    git(root, "config", "filter.big.required", "true");
    for (const hook of ["post-index-change", "fsmonitor-watchman", "pre-commit"])
      cpSync(program, join(root, ".git/hooks", hook));
    write(root, { "f.big": "smudged again", "new.big": "new" });
    const workspace = await open(root);
    expect(existsSync(marker)).toBe(false);
    expect((await workspace.readText("f.big")).text).toBe("smudged again");
    expect((await workspace.readText("id.c")).text).toBe("$Id: abc $\n");
    expect(await workspace.read("wide.txt")).toEqual(Uint8Array.of(0xff, 0xfe, 0x41, 0));
    expect(workspace.notices).toEqual([expect.stringMatching(/^f\.big, id\.c, new\.big, wide\.txt: .*bytes on disk/)]);
  });

  test("keeps the baseline when the disk changes afterwards", async () => {
    const root = repository();
    write(root, { "a.txt": "dirty\n", untracked: "mine\n" });
    const workspace = await open(root);
    write(root, { "a.txt": "later\n", untracked: "later\n", "src/b.js": "later\n" });
    expect((await workspace.readText("a.txt")).text).toBe("dirty\n");
    expect((await workspace.readText("untracked")).text).toBe("mine\n");
    expect((await workspace.readText("src/b.js")).text).toBe("two\n");
  });

  test("a large file that git does not hold is read from disk, and missing once it changed there", async () => {
    const root = repository();
    const big = new Uint8Array(11_000_000).fill(66);
    write(root, { big });
    const workspace = await open(root);
    expect((await workspace.read("big")).length).toBe(big.length);
    write(root, { big: "small" });
    await expect(workspace.read("big")).rejects.toMatchObject({ code: "object_missing" });
  });

  test("a partial clone without network reads what the disk has", async () => {
    const origin = repository();
    git(origin, "config", "uploadpack.allowFilter", "true");
    const clone = join(temporary(), "clone");
    git(origin, "clone", "-q", "--filter=blob:none", `file://${origin}`, clone);
    const blob = git(clone, "rev-parse", "HEAD:a.txt");
    rmSync(join(clone, ".git/objects"), { recursive: true });
    cpSync(join(origin, ".git/objects"), join(clone, ".git/objects"), { recursive: true });
    rmSync(join(clone, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    rmSync(origin, { recursive: true });
    const workspace = await open(clone);
    expect((await workspace.readText("a.txt")).text).toBe("one\n");
    expect((await workspace.readText("src/b.js")).text).toBe("two\n");
    await expect(workspace.objects.read("e".repeat(40))).rejects.toMatchObject({ code: "object_missing" });
    expect((await workspace.readText("src/b.js")).text).toBe("two\n");
  });

  test("FIFOs and sockets are left out, and a repository without a commit", async () => {
    const root = repository();
    execFileSync("mkfifo", [join(root, "pipe")]);
    unlinkSync(join(root, "a.txt"));
    execFileSync("mkfifo", [join(root, "a.txt")]);
    git(root, "init", "-q", "unborn");
    write(root, { "unborn/x": "" });
    const workspace = await open(root);
    expect(await workspace.list()).toEqual(["src/b.js"]);
    expect(workspace.notices.join(" ")).toMatch(/a\.txt: neither file.*unborn: a nested repository without/);
  });

  test("the records of runs are never part of the tree, tracked or not", async () => {
    const root = repository({ ".yada/runs/1/trace.jsonl": "x", ".yada/policy.yaml": "version: 1\n" });
    write(root, { ".yada/runs/2/lane/a": "x" });
    expect(await (await open(root)).list()).toEqual([".yada/policy.yaml"]);
  });

  test("notices name a merge, a sparse checkout and assumed files", async () => {
    const root = repository({ "wide/x": "1", "kept/z": "3", "assumed.txt": "" });
    git(root, "update-index", "--assume-unchanged", "assumed.txt");
    git(root, "sparse-checkout", "set", "kept");
    expect((await open(root)).notices).toEqual([
      expect.stringMatching(/^assumed.txt: .*assume-unchanged/),
      expect.stringMatching(/^wide\/x: .*sparse/),
    ]);
  });

  test("core.ignorecase is taken over", async () => {
    const root = repository();
    git(root, "config", "core.ignorecase", "true");
    expect((await open(root)).ignoreCase).toBe(true);
  });

  test("variables of git that point elsewhere are not followed", async () => {
    const root = repository();
    const kept = process.env["GIT_DIR"];
    process.env["GIT_DIR"] = join(repository({ other: "" }), ".git");
    try {
      expect(await (await open(root)).list()).toEqual(["a.txt", "src/b.js"]);
    } finally {
      if (kept === undefined) delete process.env["GIT_DIR"];
      else process.env["GIT_DIR"] = kept;
    }
  });

  test("many blobs at once, large ones among them, come back whole", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`f${i}`, `${i}`.repeat(i % 50 === 0 ? 200_000 : 5)]),
    );
    const workspace = await open(repository(files));
    const paths = await workspace.list();
    const texts = await Promise.all(paths.map((path) => workspace.readText(path)));
    for (const [index, path] of paths.entries()) expect(texts[index]?.text === files[path]).toBe(true);
  });

  test.each([
    ["a bare repository", (root: string) => git(root, "init", "-q", "--bare"), "no working tree"],
    ["SHA-256 ids", (root: string) => git(root, "init", "-q", "--object-format=sha256"), "sha256"],
    [
      "a .git file that leads nowhere",
      (root: string) => writeFileSync(join(root, ".git"), "gitdir: /nowhere\n"),
      "cannot read",
    ],
  ])("%s is refused", async (_, make, message) => {
    const root = temporary();
    make(root);
    await expect(openRepository(root)).rejects.toMatchObject({
      code: "unsupported_repository",
      message: expect.stringContaining(message),
    });
  });

  test("a missing directory is refused", async () => {
    await expect(openRepository("/no/such/place")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a folder without git", () => {
  test("is walked, without dependency folders, and a notice says so", async () => {
    const root = temporary();
    write(root, {
      "a.txt": "1",
      "node_modules/x/index.js": "",
      "src/node_modules/y": "",
      "env/pyvenv.cfg": "",
      "env/lib/z.py": "",
      "src/b": "2",
      ".yada/runs/1/x": "",
      ".yada/policy.yaml": "",
    });
    chmodSync(join(root, "src/b"), 0o755);
    symlinkSync("src", join(root, "link"));
    const workspace = await open(root);
    expect(await workspace.list()).toEqual([".yada/policy.yaml", "a.txt", "link", "src/b"]);
    expect(workspace.tree.entry("src/b")?.mode).toBe("100755");
    expect(workspace.tree.entry("link")?.mode).toBe("120000");
    expect(workspace.gitDirectory).toBeNull();
    expect(workspace.notices).toEqual([
      expect.stringContaining("No git repository"),
      expect.stringContaining("env/, node_modules, src/node_modules"),
    ]);
  });

  test("has the id that git would give it", async () => {
    const root = temporary();
    write(root, { "a b": "1", "d/\udcff": "2", "d-e": "3", é: "" });
    const workspace = await open(root);
    git(root, "init", "-q");
    expect(await workspace.oid()).toBe(treeByGit(root));
  });

  test("that a repository ignores is opened for itself", async () => {
    const root = repository({ ".gitignore": "scratch/\n" });
    write(root, { "scratch/x": "1" });
    const workspace = await open(join(root, "scratch"));
    expect(await workspace.list()).toEqual(["x"]);
    expect(workspace.notices[0]).toContain("is ignored by the repository");
  });
});

/** As `treeByGit`, for a worktree whose git directory is elsewhere: with a copy of its index. */
function treeByGitIn(root: string): string {
  const index = join(temporary(), "index");
  cpSync(join(git(root, "rev-parse", "--absolute-git-dir"), "index"), index);
  const env = { ...environment, GIT_INDEX_FILE: index };
  execFileSync("git", ["-C", root, "add", "-A"], { env });
  return execFileSync("git", ["-C", root, "write-tree"], { env, encoding: "utf8" }).trim();
}

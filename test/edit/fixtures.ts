/** Small workspaces for the tests of the edit tools, and git itself as their judge. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sha256Hex } from "../../core/hash/mod.ts";
import {
  createWorkspace,
  type Entry,
  type FileMode,
  memoryObjects,
  type Objects,
  type Tree,
  treeFrom,
  type Workspace,
} from "../../core/workspace/mod.ts";

/** Text, bytes, or either with a mode. A submodule's text is its commit id. */
export type FileSpec = string | Uint8Array | { readonly mode: FileMode; readonly content: string | Uint8Array };
export type Files = Readonly<Record<string, FileSpec>>;

const encoder = new TextEncoder();

export function bytesOf(spec: FileSpec): Uint8Array {
  const content = typeof spec === "string" || spec instanceof Uint8Array ? spec : spec.content;
  return typeof content === "string" ? encoder.encode(content) : content;
}

export function modeOf(spec: FileSpec): FileMode {
  return typeof spec === "string" || spec instanceof Uint8Array ? "100644" : spec.mode;
}

export function hashOf(spec: FileSpec | undefined): string | null {
  return spec === undefined ? null : sha256Hex(bytesOf(spec));
}

export async function treeOf(files: Files, objects: Objects): Promise<Tree> {
  const entries: [string, Entry][] = [];
  for (const [path, spec] of Object.entries(files)) {
    const mode = modeOf(spec);
    const oid = mode === "160000" ? new TextDecoder().decode(bytesOf(spec)) : await objects.write(bytesOf(spec));
    entries.push([path, { mode, oid }]);
  }
  return treeFrom(entries);
}

export async function workspaceOf(files: Files): Promise<Workspace> {
  const objects = memoryObjects();
  return createWorkspace({ tree: await treeOf(files, objects), objects });
}

/** A repository in a directory of its own, with no configuration but ours. */
export class GitOracle {
  readonly directory = mkdtempSync(join(tmpdir(), "yada-edit-"));

  constructor() {
    this.git(["init", "--quiet", "."]);
  }

  git(args: readonly string[], input?: string | Uint8Array): Buffer {
    return execFileSync("git", args, {
      cwd: this.directory,
      input: input ?? "",
      maxBuffer: 1 << 30,
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        HOME: this.directory,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_COUNT: "4",
        GIT_CONFIG_KEY_0: "core.autocrlf",
        GIT_CONFIG_VALUE_0: "false",
        GIT_CONFIG_KEY_1: "core.fileMode",
        GIT_CONFIG_VALUE_1: "true",
        GIT_CONFIG_KEY_2: "core.symlinks",
        GIT_CONFIG_VALUE_2: "true",
        GIT_CONFIG_KEY_3: "diff.renameLimit",
        GIT_CONFIG_VALUE_3: "0",
        LC_ALL: "C",
      },
    });
  }

  /** Makes the working tree hold exactly these files. */
  checkout(files: Files): void {
    this.git(["rm", "-r", "-q", "--cached", "--ignore-unmatch", "."]);
    this.git(["clean", "-fdxq"]);
    for (const [path, spec] of Object.entries(files)) {
      if (modeOf(spec) === "160000" || modeOf(spec) === "120000") continue;
      const place = join(this.directory, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, bytesOf(spec));
      chmodSync(place, modeOf(spec) === "100755" ? 0o755 : 0o644);
    }
  }

  /** The id of the working tree as a git tree. */
  tree(): string {
    this.git(["add", "--all", "--force", "."]);
    return this.git(["write-tree"]).toString().trim();
  }

  /** Plain `git apply`, with warnings off and nothing else. */
  apply(patch: string): void {
    this.git(["apply", "--whitespace=nowarn", "-"], patch);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The workspace: a current tree over a store of blobs. This module is browser compatible. */
import picomatch from "picomatch";
import { sha256Hex } from "../hash/mod.ts";
import { diffTrees } from "./diff-trees.ts";
import { decodeUtf8 } from "./path-bytes.ts";
import type { Entry, Objects, Oid, Snapshot, Tree, Workspace } from "./types.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** A reference to a tree. Its id is computed when first asked for. */
export function snapshotOf(tree: Tree): Snapshot {
  return {
    tree,
    get oid(): Oid {
      return tree.oid;
    },
  };
}

/** A workspace whose baseline and current tree are `tree`. Its blobs must be in `objects`. */
export function createWorkspace(source: {
  readonly tree: Tree;
  readonly objects: Objects;
  readonly ignoreCase?: boolean;
  readonly notices?: readonly string[];
}): Workspace {
  return new VirtualWorkspace(source.tree, source.objects, source.ignoreCase ?? false, source.notices ?? []);
}

class VirtualWorkspace implements Workspace {
  readonly baseline: Snapshot;
  readonly objects: Objects;
  readonly ignoreCase: boolean;
  readonly notices: readonly string[];
  #tree: Tree;

  constructor(tree: Tree, objects: Objects, ignoreCase: boolean, notices: readonly string[]) {
    this.baseline = snapshotOf(tree);
    this.objects = objects;
    this.ignoreCase = ignoreCase;
    this.notices = notices;
    this.#tree = tree;
  }

  get tree(): Tree {
    return this.#tree;
  }

  async oid(): Promise<Oid> {
    return this.#tree.oid;
  }

  async list(glob?: string): Promise<string[]> {
    const matches = glob === undefined ? () => true : picomatch(glob, { dot: true });
    const paths: string[] = [];
    for (const [path] of this.#tree.entries()) if (matches(path)) paths.push(path);
    return paths;
  }

  async read(path: string): Promise<Uint8Array> {
    return this.objects.read(this.#fileAt(path).oid);
  }

  async readText(path: string): Promise<{ text: string; sha256: string }> {
    const bytes = await this.read(path);
    const text = decodeUtf8(bytes);
    if (text === null) throw new WorkspaceError("not_text", path, `${path}: the bytes are not UTF-8 text.`);
    return { text, sha256: sha256Hex(bytes) };
  }

  snapshot(): Snapshot {
    return snapshotOf(this.#tree);
  }

  restore(snapshot: Snapshot): void {
    this.#tree = snapshot.tree;
  }

  async diff(from: Snapshot, to?: Snapshot): Promise<ReturnType<typeof diffTrees>> {
    return diffTrees(from.tree, to?.tree ?? this.#tree);
  }

  #fileAt(path: string): Entry {
    const entry = this.#tree.entry(path);
    if (entry?.mode === "160000") {
      throw new WorkspaceError(
        "not_a_file",
        path,
        `${path}: a submodule or nested repository, which is never entered.`,
      );
    }
    if (entry !== undefined) return entry;
    if (this.#tree.hasDirectory(path)) {
      throw new WorkspaceError("not_a_file", path, `${path}: a directory. Read one of the files in it.`);
    }
    throw new WorkspaceError(
      "not_found",
      path,
      `${path}: nothing stands at this path. Paths are relative to the root.`,
    );
  }
}

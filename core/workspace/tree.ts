/** The persistent tree: a value that shares what did not change. This module is browser compatible. */
import { type Child, Directory, emptyDirectory } from "./directory.ts";
import { comparePaths } from "./path-bytes.ts";
import { assertTreePath } from "./paths.ts";
import type { Entry, Oid, Tree } from "./types.ts";
import { WorkspaceError } from "./workspace-error.ts";

class PersistentTree implements Tree {
  readonly root: Directory;

  constructor(root: Directory) {
    this.root = root;
  }

  get oid(): Oid {
    return this.root.oid;
  }

  entry(path: string): Entry | undefined {
    const { parent, name } = this.#parentOf(path);
    return name === "" ? undefined : parent?.file(name);
  }

  hasDirectory(path: string): boolean {
    if (path === "") return true;
    const { parent, name } = this.#parentOf(path);
    return name !== "" && parent?.directory(name) !== undefined;
  }

  with(changes: ReadonlyMap<string, Entry | null>): Tree {
    const root = applied(this.root, planOf(changes), "");
    return root === this.root ? this : new PersistentTree(root ?? emptyDirectory);
  }

  entries(): IterableIterator<[path: string, entry: Entry]> {
    return entriesBelow(this.root, "");
  }

  #parentOf(path: string): { parent: Directory | undefined; name: string } {
    let parent: Directory | undefined = this.root;
    let from = 0;
    for (let slash = path.indexOf("/"); slash >= 0 && parent !== undefined; slash = path.indexOf("/", from)) {
      parent = slash === from ? undefined : parent.directory(path.slice(from, slash));
      from = slash + 1;
    }
    return { parent, name: path.slice(from) };
  }
}

/** The tree without an entry. Its id is git's `4b825dc6...`. */
export const emptyTree: Tree = new PersistentTree(emptyDirectory);

/**
 * A tree of these entries, in any order. Throws `WorkspaceError` with code `unsupported_target` for a path that can stand in
 * no git tree, and `path_conflict` for a path given twice or a file that is also a directory.
 */
export function treeFrom(entries: Iterable<readonly [path: string, entry: Entry]>): Tree {
  const root: Draft = new Map();
  let lastPrefix = "";
  let lastDraft = root;
  for (const [path, entry] of entries) {
    assertTreePath(path);
    const slash = path.lastIndexOf("/") + 1;
    const prefix = path.slice(0, slash);
    // Entries mostly come in git's order, so the directory is mostly the one of the entry before.
    if (prefix !== lastPrefix) {
      lastDraft = draftAt(root, prefix);
      lastPrefix = prefix;
    }
    const name = path.slice(slash);
    if (lastDraft.has(name) || lastDraft.has(`${name}/`)) throw conflict(path);
    lastDraft.set(name, entry);
  }
  return root.size === 0 ? emptyTree : new PersistentTree(directoryOf(root));
}

/** The root directory of any tree. */
export function rootOf(tree: Tree): Directory {
  if (tree instanceof PersistentTree) return tree.root;
  const own = treeFrom(tree.entries());
  return own instanceof PersistentTree ? own.root : emptyDirectory;
}

/** All entries below a directory, in git's order, with `prefix` before each path. */
export function* entriesBelow(directory: Directory, prefix: string): IterableIterator<[path: string, entry: Entry]> {
  for (const [index, key] of directory.keys.entries()) {
    const child = directory.children[index];
    if (child instanceof Directory) yield* entriesBelow(child, prefix + key);
    else if (child !== undefined) yield [prefix + key, child];
  }
}

/** A directory that is still being filled. A draft stands under `name/`, an entry under `name`. */
type Draft = Map<string, Entry | Draft>;

function draftAt(root: Draft, prefix: string): Draft {
  let draft = root;
  for (let from = 0; from < prefix.length; ) {
    const slash = prefix.indexOf("/", from);
    const key = prefix.slice(from, slash + 1);
    if (draft.has(key.slice(0, -1))) throw conflict(prefix.slice(0, slash));
    const next = draft.get(key);
    if (next instanceof Map) draft = next;
    else {
      const fresh: Draft = new Map();
      draft.set(key, fresh);
      draft = fresh;
    }
    from = slash + 1;
  }
  return draft;
}

function directoryOf(draft: Draft): Directory {
  const keys = [...draft.keys()].sort(comparePaths);
  return new Directory(
    keys,
    keys.map((key): Child => {
      const child = draft.get(key);
      if (child === undefined) throw new Error(`no child for ${key}`);
      return child instanceof Map ? directoryOf(child) : child;
    }),
  );
}

/** The changes of one directory: what becomes of the file of a name, and the plan below the directory of that name. */
type Plan = Map<string, { entry?: Entry | null; below?: Plan }>;

function planOf(changes: ReadonlyMap<string, Entry | null>): Plan {
  const root: Plan = new Map();
  for (const [path, entry] of changes) {
    assertTreePath(path);
    const segments = path.split("/");
    let plan = root;
    for (const [index, segment] of segments.entries()) {
      let item = plan.get(segment);
      if (item === undefined) {
        item = {};
        plan.set(segment, item);
      }
      if (index === segments.length - 1) item.entry = entry;
      else {
        item.below ??= new Map();
        plan = item.below;
      }
    }
  }
  return root;
}

function applied(directory: Directory | undefined, plan: Plan, prefix: string): Directory | undefined {
  const edits = new Map<string, Child | null>();
  for (const [name, item] of plan) {
    const fileBefore = directory?.file(name);
    const directoryBefore = directory?.directory(name);
    const file = item.entry === undefined ? fileBefore : (item.entry ?? undefined);
    const below =
      item.below === undefined ? directoryBefore : applied(directoryBefore, item.below, `${prefix}${name}/`);
    if (file !== undefined && below !== undefined) throw conflict(prefix + name);
    if (file?.oid !== fileBefore?.oid || file?.mode !== fileBefore?.mode) edits.set(name, file ?? null);
    if (below !== directoryBefore) edits.set(`${name}/`, below ?? null);
  }
  return edits.size === 0 ? directory : (directory ?? emptyDirectory).replaced(edits);
}

function conflict(path: string): WorkspaceError {
  return new WorkspaceError(
    "path_conflict",
    path,
    `${path}: two things would stand at this path. A path names one file or one directory.`,
  );
}

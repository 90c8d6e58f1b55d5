/** The words of the workspace. A tree is a value: every change makes a new one, and shares the rest. */

/** A git object id: SHA-1 in lower-case hexadecimal, the very id that git computes. */
export type Oid = string;

/** File modes as git writes them: file, executable file, symbolic link, submodule (a commit; never entered, never written). */
export type FileMode = "100644" | "100755" | "120000" | "160000";

/** What stands at a path. */
export interface Entry {
  readonly mode: FileMode;
  readonly oid: Oid;
}

/** A persistent tree of entries. Paths are POSIX, relative to the root, without empty, `.` or `..` segments. */
export interface Tree {
  /** The id of the git tree object. Computed once, when first asked for. */
  readonly oid: Oid;
  /** The entry at exactly this path (never a directory). */
  entry(path: string): Entry | undefined;
  /** Whether a directory stands at this path. */
  hasDirectory(path: string): boolean;
  /** A new tree with these paths set or, where the value is null, removed. Directories that become empty vanish, as in git. */
  with(changes: ReadonlyMap<string, Entry | null>): Tree;
  /** All entries in git's order. */
  entries(): IterableIterator<[path: string, entry: Entry]>;
}

/** Port: where the bytes of blobs live. A blob that was written can be read for as long as the store lives. */
export interface Objects {
  /** Throws an error that names the id where the store does not have it. */
  read(oid: Oid): Promise<Uint8Array>;
  write(bytes: Uint8Array): Promise<Oid>;
}

/** A reference to a tree as it was. Taking one and going back to one cost nothing. */
export interface Snapshot {
  readonly oid: Oid;
  readonly tree: Tree;
}

/** One path that differs between two trees. `before` and `after` are blob ids. */
export interface Change {
  readonly path: string;
  readonly kind: "add" | "delete" | "modify";
  readonly before?: Oid;
  readonly after?: Oid;
  readonly beforeMode?: FileMode;
  readonly afterMode?: FileMode;
}

/** A virtual working tree: the disk is never touched by what happens here. */
export interface Workspace {
  /** The git tree id of the current tree. */
  oid(): Promise<Oid>;
  /** Paths in git's order; `glob` is a picomatch pattern with `dot: true`. */
  list(glob?: string): Promise<string[]>;
  /** The bytes at a path. Throws `WorkspaceError` with code `not_found` or `not_a_file` (submodule). A symlink's bytes are its target. */
  read(path: string): Promise<Uint8Array>;
  /** UTF-8 text with the SHA-256 of the bytes. Throws `WorkspaceError` with code `not_text` where the bytes are not UTF-8. */
  readText(path: string): Promise<{ text: string; sha256: string }>;
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
  diff(from: Snapshot, to?: Snapshot): Promise<Change[]>;

  /** The tree as it was opened. */
  readonly baseline: Snapshot;
  /** The current tree. */
  readonly tree: Tree;
  readonly objects: Objects;
  /** Whether the repository's file system folds case (`core.ignorecase`). */
  readonly ignoreCase: boolean;
  /** What the person should know about how this was opened: "no git repository: ...". One sentence each. */
  readonly notices: readonly string[];
}

/** One directory of a persistent tree: never changed, shared between trees. This module is browser compatible. */
import { objectOid } from "../hash/mod.ts";
import { comparePaths } from "./path-bytes.ts";
import { encodeTree } from "./tree-codec.ts";
import type { Entry, Oid } from "./types.ts";

/** What a directory holds under a key. */
export type Child = Entry | Directory;

/**
 * Keys are names; the key of a directory ends with `/`. Git orders a tree by exactly these keys, so the order of the keys of
 * one directory, and of whole paths when walking down, is git's order.
 */
export class Directory {
  readonly keys: readonly string[];
  readonly children: readonly Child[];
  #oid: Oid | undefined;
  readonly #folded = new Map<(name: string) => string, Map<string, string[]>>();

  constructor(keys: readonly string[], children: readonly Child[]) {
    this.keys = keys;
    this.children = children;
  }

  /** The id of the git tree object. */
  get oid(): Oid {
    this.#oid ??= objectOid(
      "tree",
      encodeTree(
        this.keys.map((key, index) => {
          const child = this.children[index];
          if (child instanceof Directory) return { mode: "40000", name: key.slice(0, -1), oid: child.oid };
          if (child === undefined) throw new Error(`directory without a child for ${key}`);
          return { mode: child.mode, name: key, oid: child.oid };
        }),
      ),
    );
    return this.#oid;
  }

  /** The id, where it was computed before. */
  get knownOid(): Oid | undefined {
    return this.#oid;
  }

  file(name: string): Entry | undefined {
    const child = this.#at(name);
    return child instanceof Directory ? undefined : child;
  }

  directory(name: string): Directory | undefined {
    const child = this.#at(`${name}/`);
    return child instanceof Directory ? child : undefined;
  }

  /** The keys whose name gives `folded`. The index is made when first asked for and lives as long as the directory. */
  keysFolding(folded: string, fold: (name: string) => string): readonly string[] {
    let index = this.#folded.get(fold);
    if (index === undefined) {
      index = new Map();
      for (const key of this.keys) {
        const name = fold(key.endsWith("/") ? key.slice(0, -1) : key);
        const same = index.get(name);
        if (same === undefined) index.set(name, [key]);
        else same.push(key);
      }
      this.#folded.set(fold, index);
    }
    return index.get(folded) ?? [];
  }

  /** A directory with these keys set or, where the child is null, removed. Undefined where nothing is left. */
  replaced(edits: ReadonlyMap<string, Child | null>): Directory | undefined {
    const keys: string[] = [];
    const children: Child[] = [];
    let at = 0;
    const keepUntil = (end: number) => {
      for (; at < end; at += 1) {
        const key = this.keys[at];
        const child = this.children[at];
        if (key === undefined || child === undefined) continue;
        keys.push(key);
        children.push(child);
      }
    };
    for (const [key, child] of [...edits].sort(([a], [b]) => comparePaths(a, b))) {
      const index = this.#search(key);
      keepUntil(index);
      if (this.keys[index] === key) at = index + 1;
      if (child !== null) {
        keys.push(key);
        children.push(child);
      }
    }
    keepUntil(this.keys.length);
    return keys.length === 0 ? undefined : new Directory(keys, children);
  }

  #at(key: string): Child | undefined {
    const index = this.#search(key);
    return this.keys[index] === key ? this.children[index] : undefined;
  }

  /** The index of the first key that is not before `key`. */
  #search(key: string): number {
    let low = 0;
    let high = this.keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePaths(this.keys[middle] ?? "", key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The directory with nothing in it. */
export const emptyDirectory = new Directory([], []);

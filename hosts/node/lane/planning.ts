/** What plans the links of a dependency folder, and what it is given. */
import type { Tree } from "../../../core/workspace/mod.ts";
import type { Content } from "./lane-files.ts";

/** Content that is no part of the revision. */
export type DependencyContent = Exclude<Content, { kind: "revision" }>;

/** What the planners of the kinds of folders work with, and write to. */
export interface Planning {
  /** The checkout, without links in its path. */
  readonly checkout: string;
  readonly lane: string;
  readonly tree: Tree;
  readonly contents: Map<string, DependencyContent>;
  readonly caches: Set<string>;
  readonly notes: Set<string>;
  /** Folders of packages that stand in the lane as copies, and where. */
  readonly copied: ReadonlyMap<string, string>;
  /** The path in the lane that stands for a place on the disk, or null where the place itself is meant. */
  readonly inLane: (place: string) => string | null;
  /** Remembers that a folder was read. */
  readonly read: (folder: string) => void;
}

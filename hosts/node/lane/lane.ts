/** A lane: a real folder in which a revision stands, so that commands can run over it. */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { CommandResult } from "../../../core/run/mod.ts";
import {
  type Change,
  comparePaths,
  diffTrees,
  emptyTree,
  type Objects,
  type Oid,
  type Tree,
} from "../../../core/workspace/mod.ts";
import { type Isolation, type IsolationProbe, probeIsolation } from "../process/mod.ts";
import { type DiskForm, type DiskForms, hashBlob } from "../repository/mod.ts";
import { cannotRun, type LaneCommand } from "./command.ts";
import { type DependencyPlan, isCurrent, isManifest, leadingOut, planDependencies } from "./dependencies.ts";
import { type IgnoreRules, ignoreRulesOf } from "./ignored.ts";
import { type Content, isSameContent, LaneFiles, linkBytes } from "./lane-files.ts";
import { type LanePlace, makeLanePlace, removeStrangers } from "./place.ts";
import { removeTree } from "./remove-tree.ts";
import { runInLane } from "./run-in-lane.ts";
import { type Scan, scanLane } from "./scan.ts";
import { strayChanges } from "./stray.ts";

export interface LaneOptions {
  /** The checkout whose dependency folders the lane links, and whose ignore rules count. */
  readonly root: string;
  /** The folder that holds lanes; it is made private. A folder below the system's temporary one where not given. */
  readonly directory?: string;
  /** `auto` where not given: bubblewrap where it works, else nothing. */
  readonly isolation?: Isolation;
  /** Absolute paths that an isolated command does not see, besides other lanes and everything of the checkout that is no dependency. */
  readonly exclude?: readonly string[];
  /** How the bytes of files on disk and of blobs relate, as the repository converts them. The same bytes where not given. */
  readonly forms?: DiskForms;
  /** The environment from which PATH and the few other allowed variables are taken. The host's own where not given. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface Lane {
  /** The folder in which the revision stands. There is no `.git` in it. */
  readonly root: string;
  readonly isolation: IsolationProbe;
  /**
   * Makes the lane hold this revision. With `reset`, whatever a command has left is gone as well: changed and new files, ignored
   * ones and caches included. Throws a system error (a full disk, say), after which the lane is of no more use.
   */
  sync(tree: Tree, objects: Objects, options: { readonly reset: boolean }): Promise<void>;
  run(command: LaneCommand): Promise<CommandResult>;
  /** How the lane differs from the revision now. Paths that the repository ignores are left out. */
  treeChanges(): Promise<readonly Change[]>;
  /** Removes the lane. */
  dispose(): Promise<void>;
}

/** Makes an empty lane. Throws where no folder for it can be made. */
export async function createLane(options: LaneOptions): Promise<Lane> {
  const checkout = await realpath(options.root);
  const [place, isolation, ignored] = await Promise.all([
    makeLanePlace(checkout, options.directory),
    options.isolation === "none" ? notAsked : probeIsolation(options.environment),
    ignoreRulesOf(checkout),
  ]);
  const root = join(place.directory, folderName(checkout));
  await mkdir(root);
  return new DiskLane(options, { checkout, root, place, isolation, ignored });
}

const notAsked: IsolationProbe = {
  engine: "none",
  isInstalled: false,
  message: "The policy asks for no isolation.",
};

/** The checkout's own name, which some tools take for the project's. */
function folderName(checkout: string): string {
  const name = checkout.slice(checkout.lastIndexOf("/") + 1);
  return /^\w[\w.-]{0,60}$/.test(name) && name !== "node_modules" ? name : "repository";
}

/** A tick of the clock that stamps files, with room to spare. */
const clockTickMs = 50;
const readsAtOnce = 32;

class DiskLane implements Lane {
  readonly root: string;
  readonly isolation: IsolationProbe;
  readonly #options: LaneOptions;
  readonly #checkout: string;
  readonly #place: LanePlace;
  readonly #ignored: IgnoreRules;
  readonly #files: LaneFiles;
  readonly #manifests = new Set<string>();
  /** Links of the revision with an absolute target: they may lead into the checkout. */
  readonly #absoluteLinks = new Set<string>();
  readonly #submodules = new Set<string>();
  readonly #forms = new Map<string, DiskForm>();
  /** Stray changes that were reported since the last reset. */
  readonly #reported = new Map<string, string>();
  #tree: Tree = emptyTree;
  #objects: Objects | undefined;
  #plan: DependencyPlan | undefined;
  #checkedPlan: DependencyPlan | undefined;
  #problem: string | undefined;
  /** Files that are older than this were compared with the revision. */
  #comparedMs = Number.POSITIVE_INFINITY;
  /** What the last look at the lane found, where nothing can have changed since: no process outlives its sandbox. */
  #settled: Scan | undefined;
  #isUsed = false;
  #isBroken = false;

  constructor(
    options: LaneOptions,
    made: { checkout: string; root: string; place: LanePlace; isolation: IsolationProbe; ignored: IgnoreRules },
  ) {
    this.#options = options;
    this.root = made.root;
    this.isolation = made.isolation;
    this.#checkout = made.checkout;
    this.#place = made.place;
    this.#ignored = made.ignored;
    this.#files = new LaneFiles(made.root);
  }

  async sync(tree: Tree, objects: Objects, options: { readonly reset: boolean }): Promise<void> {
    if (this.#isBroken) throw new Error("The lane is incomplete after an error; make another one.");
    this.#isBroken = true;
    this.#files.begin();
    if (options.reset && this.#isUsed) await this.#reset(objects);
    await this.#follow(tree, objects);
    this.#objects = objects;
    this.#isBroken = false;
  }

  async run(command: LaneCommand): Promise<CommandResult> {
    const root = this.root;
    if (this.#problem !== undefined && this.isolation.engine === "none") return cannotRun(root, this.#problem);
    if (this.#options.isolation === "bwrap" && this.isolation.engine === "none") {
      return cannotRun(root, `The policy asks for bubblewrap. ${this.isolation.message}`);
    }
    this.#isUsed = true;
    this.#settled = undefined;
    const result = await runInLane(command, {
      checkout: this.#checkout,
      lane: this.root,
      place: this.#place,
      isolation: this.isolation,
      dependencies: [...(this.#plan?.folders ?? [])].filter(([path]) => this.#files.folderMode(path) !== undefined),
      hidden: this.#options.exclude ?? [],
      environment: this.#options.environment ?? process.env,
      notes: [
        ...(this.#plan?.notes ?? []),
        ...[...this.#submodules].sort().map((path) => `${path}: a submodule, which is an empty folder in the lane.`),
      ],
      started: (atMs) => {
        this.#comparedMs = Math.min(this.#comparedMs, atMs);
      },
    });
    const changes = await this.#compare(command.purpose === "command");
    const stray = changes.filter((change) => this.#reported.get(change.path) !== signature(change));
    for (const change of changes) this.#reported.set(change.path, signature(change));
    return { ...result, stray };
  }

  async treeChanges(): Promise<readonly Change[]> {
    return this.#compare(false);
  }

  async dispose(): Promise<void> {
    this.#isBroken = true;
    await removeTree(this.#place.directory);
  }

  async #scan(): Promise<Scan> {
    this.#files.begin();
    const began = Date.now();
    const scan = await scanLane(this.#files, this.#comparedMs - clockTickMs);
    this.#comparedMs = began;
    return scan;
  }

  async #compare(keepsBlobs: boolean): Promise<readonly Change[]> {
    const scan = await this.#scan();
    if (this.isolation.engine === "bwrap") this.#settled = scan;
    const changes = await strayChanges(scan, {
      files: this.#files,
      ignored: this.#ignored,
      dependencies: [...(this.#plan?.folders.keys() ?? [])],
      toBlob: (path, bytes) => this.#forms.get(path)?.toBlob(bytes) ?? bytes,
      ...(keepsBlobs && this.#objects !== undefined ? { objects: this.#objects } : {}),
    });
    return [...changes].sort((a, b) => comparePaths(a.path, b.path));
  }

  async #reset(objects: Objects): Promise<void> {
    const { changed, missing, extra, folders } = this.#settled ?? (await this.#scan());
    this.#settled = undefined;
    for (const path of folders) this.#files.repairFolder(path);
    for (const { path } of extra) this.#files.clear(path);
    for (const path of this.#files.caches) this.#files.emptyCache(path);
    for (const path of [...changed, ...missing]) {
      const content = this.#files.content(path);
      if (content !== undefined) this.#files.put(path, content, await this.#bytesOf(path, content, objects));
    }
    await removeStrangers(this.#place.directory, this.root);
    this.#reported.clear();
    if (this.#plan !== undefined && !isCurrent(this.#plan)) this.#replan(this.#tree);
    this.#isUsed = false;
  }

  /** Writes what differs between the last revision and this one. */
  async #follow(tree: Tree, objects: Objects): Promise<void> {
    const changes = diffTrees(this.#tree, tree);
    if (changes.length > 0) this.#settled = undefined;
    for (const change of changes) {
      if (change.kind === "delete") {
        this.#remove(change);
      }
      if (!isManifest(change.path)) continue;
      if (change.kind === "delete") this.#manifests.delete(change.path);
      else this.#manifests.add(change.path);
    }
    // Links that make way for files of the revision go first.
    if (this.#plan === undefined || changes.some((change) => this.#isOfPlan(change))) this.#replan(tree);
    await this.#write(changes, objects);
    this.#tree = tree;
  }

  #remove({ path, beforeMode }: Change): void {
    if (beforeMode === "160000") this.#files.removeCache(path);
    else this.#files.remove(path);
    this.#absoluteLinks.delete(path);
    this.#submodules.delete(path);
  }

  #isOfPlan(change: Change): boolean {
    if (change.kind !== "modify" && isManifest(change.path)) return true;
    return [...(this.#plan?.folders.keys() ?? [])].some(
      (folder) => change.path === folder || change.path.startsWith(`${folder}/`),
    );
  }

  async #write(changes: readonly Change[], objects: Objects): Promise<void> {
    const written = changes.filter((change) => change.kind !== "delete");
    await this.#learnForms(written.map((change) => change.path));
    await inParallel(written, readsAtOnce, async (change) => {
      const { path, after, afterMode } = change;
      if (after === undefined || afterMode === undefined) return;
      // A file that becomes a submodule, or the other way round.
      if ((change.beforeMode === "160000") !== (afterMode === "160000")) this.#remove(change);
      this.#absoluteLinks.delete(path);
      if (afterMode === "160000") {
        this.#files.putCache(path);
        this.#submodules.add(path);
        return;
      }
      const blob = await objects.read(after);
      const isLink = afterMode === "120000";
      if (isLink && blob[0] === 0x2f) this.#absoluteLinks.add(path);
      const bytes = isLink ? blob : this.#toDisk(path, blob);
      const diskOid: Oid = bytes === blob ? after : hashBlob(bytes);
      this.#files.put(path, { kind: "revision", entry: { mode: afterMode, oid: after }, diskOid }, bytes);
    });
    const isChecked = this.#plan === this.#checkedPlan && this.#absoluteLinks.size === 0;
    if (!isChecked || this.#problem !== undefined) this.#findLinksOut();
  }

  #replan(tree: Tree): void {
    const place = { checkout: this.#checkout, lane: this.root };
    const plan = planDependencies(place, tree, this.#manifests);
    for (const path of this.#plan?.contents.keys() ?? []) {
      if (!plan.contents.has(path) && this.#files.content(path)?.kind !== "revision") this.#files.remove(path);
    }
    for (const path of this.#plan?.caches ?? []) if (!plan.caches.has(path)) this.#files.removeCache(path);
    for (const path of plan.caches) this.#files.putCache(path);
    for (const [path, content] of plan.contents) {
      if (isSameContent(this.#files.content(path), content)) continue;
      this.#files.put(path, content, content.kind === "link" ? linkBytes(content.target) : content.bytes);
    }
    this.#plan = plan;
  }

  #findLinksOut(): void {
    this.#checkedPlan = this.#plan;
    const links = [...(this.#plan?.contents ?? [])].filter(([, content]) => content.kind === "link");
    const paths = [...links.map(([path]) => path), ...this.#absoluteLinks];
    const place = { checkout: this.#checkout, lane: this.root };
    const found = leadingOut(place, paths, this.#plan?.folders ?? new Map());
    this.#problem =
      found === undefined
        ? undefined
        : `${found}: this link leads out of the lane into the repository, so code that is not the lane's could be run.`;
  }

  async #learnForms(paths: readonly string[]): Promise<void> {
    const unknown = paths.filter((path) => !this.#forms.has(path));
    if (this.#options.forms === undefined || unknown.length === 0) return;
    for (const [path, form] of await this.#options.forms.of(unknown)) this.#forms.set(path, form);
  }

  #toDisk(path: string, blob: Uint8Array): Uint8Array {
    return this.#forms.get(path)?.toDisk(blob) ?? blob;
  }

  async #bytesOf(path: string, content: Content, objects: Objects): Promise<Uint8Array> {
    switch (content.kind) {
      case "link":
        return linkBytes(content.target);
      case "made":
        return content.bytes;
      case "revision": {
        const blob = await objects.read(content.entry.oid);
        return content.entry.mode === "120000" ? blob : this.#toDisk(path, blob);
      }
    }
  }
}

function signature(change: Change): string {
  return `${change.kind} ${change.afterMode ?? ""} ${change.after ?? ""}`;
}

async function inParallel<T>(items: readonly T[], limit: number, task: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}

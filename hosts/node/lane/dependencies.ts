/** Which links stand for the checkout's dependency folders in a lane. */
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { Tree } from "../../../core/workspace/mod.ts";
import { isWithin } from "../process/mod.ts";
import { packagesToCopy } from "./copied-packages.ts";
import { planNodeModules } from "./node-modules.ts";
import type { DependencyContent, Planning } from "./planning.ts";
import { planPythonEnvironment } from "./python-environment.ts";

export interface DependencyPlan {
  /** By path in the lane. */
  readonly contents: ReadonlyMap<string, DependencyContent>;
  /** Folders that the lane has of its own. */
  readonly caches: ReadonlySet<string>;
  /** Where each folder is, by its path in the checkout. */
  readonly folders: ReadonlyMap<string, string>;
  /** Changes when the folders that were read change. */
  readonly fingerprint: string;
  readonly notes: readonly string[];
}

const kinds: readonly {
  readonly name: string;
  /** Files beside which the folder is looked for. */
  readonly manifests: readonly string[];
  readonly plan: (planning: Planning, path: string, source: string) => void;
}[] = [
  { name: "node_modules", manifests: ["package.json"], plan: planNodeModules },
  ...[".venv", "venv"].map((name) => ({
    name,
    manifests: ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"],
    plan: planPythonEnvironment,
  })),
];

function kindOf(path: string): (typeof kinds)[number] | undefined {
  return kinds.find(({ name }) => path === name || path.endsWith(`/${name}`));
}

/** Whether a file says that a dependency folder may stand beside it. */
export function isManifest(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return kinds.some((kind) => kind.manifests.includes(name));
}

/** Plans the links of all dependency folders beside the manifests of the tree, and at the root. What the tree itself holds is left to it. */
export function planDependencies(
  place: { readonly checkout: string; readonly lane: string },
  tree: Tree,
  manifests: Iterable<string>,
): DependencyPlan {
  const { checkout, lane } = place;
  const contents = new Map<string, DependencyContent>();
  const caches = new Set<string>();
  const folders = new Map<string, string>();
  const stamps: string[] = [];
  const notes = new Set<string>();
  for (const at of new Set(["", ...[...manifests].map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/"))))])) {
    for (const { name } of kinds) {
      const path = at === "" ? name : `${at}/${name}`;
      const source = realFolder(join(checkout, path));
      if (source !== undefined && tree.entry(path) === undefined) folders.set(path, source);
    }
  }
  const inRepository = (found: string): string | null => {
    const path = insideOf(checkout, found);
    if (path === null) return null;
    if (path === "" || tree.entry(path) !== undefined || tree.hasDirectory(path)) return path;
    return isInDependencies(path, folders) ? null : path;
  };
  const copied = packagesToCopy(
    new Map([...folders].filter(([path]) => kindOf(path)?.name === "node_modules")),
    (found) => inRepository(found) !== null,
  );
  const planning: Planning = {
    ...{ checkout, lane, tree, contents, caches, notes, copied },
    inLane: (found) => {
      for (const [unit, path] of copied) if (isWithin(unit, found)) return path + found.slice(unit.length);
      return inRepository(found);
    },
    read: (folder) => {
      const stats = lstatSync(folder, { throwIfNoEntry: false });
      stamps.push(`${folder} ${stats?.ino} ${stats?.ctimeMs}`);
    },
  };
  for (const [path, source] of folders) kindOf(path)?.plan(planning, path, source);
  for (const path of contents.keys()) if (isHeld(tree, path)) contents.delete(path);
  for (const path of caches) if (isHeld(tree, path)) caches.delete(path);
  return { contents, caches, folders, fingerprint: stamps.join("\n"), notes: [...notes] };
}

/** Whether the folders of a plan are as they were when it was made. */
export function isCurrent(plan: DependencyPlan): boolean {
  return plan.fingerprint.split("\n").every((line) => {
    const [, folder = "", stamp = ""] = /^(.*) (\S+ \S+)$/.exec(line) ?? [];
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    return line === "" || `${stats?.ino} ${stats?.ctimeMs}` === stamp;
  });
}

/**
 * The first link of the lane that leads into the checkout outside of its dependency folders, where it would load code that is
 * not the lane's. `links` are paths in the lane.
 */
export function leadingOut(
  place: { readonly checkout: string; readonly lane: string },
  links: Iterable<string>,
  folders: ReadonlyMap<string, string>,
): string | undefined {
  for (const path of links) {
    let found: string;
    try {
      found = realpathSync.native(join(place.lane, path));
    } catch {
      continue;
    }
    if (isWithin(place.lane, found)) continue;
    const inside = insideOf(place.checkout, found);
    if (inside !== null && !isInDependencies(inside, folders)) return path;
  }
  return undefined;
}

function isHeld(tree: Tree, path: string): boolean {
  if (tree.entry(path) !== undefined || tree.hasDirectory(path)) return true;
  // A file of the tree may also stand where the path has a folder.
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    if (tree.entry(path.slice(0, slash)) !== undefined) return true;
  }
  return false;
}

function isInDependencies(path: string, folders: ReadonlyMap<string, string>): boolean {
  for (const folder of folders.keys()) if (path === folder || path.startsWith(`${folder}/`)) return true;
  return `/${path}/`.includes("/node_modules/");
}

/** The path of a place relative to a folder, or null where it lies elsewhere. */
export function insideOf(folder: string, place: string): string | null {
  return isWithin(folder, place) ? relative(folder, place) : null;
}

function realFolder(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const real = realpathSync.native(path);
  return lstatSync(real).isDirectory() ? real : undefined;
}

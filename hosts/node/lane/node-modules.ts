/** `node_modules` in a lane: real folders with a link for each package. */
import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Planning } from "./planning.ts";
import { realPlace } from "./real-place.ts";

/** Places that tools write to; in a lane they are its own and start empty. */
const ownPlaces = [".cache", ".vite", ".vite-temp"];

/**
 * Links every package, every package of a scope and every executable to the checkout's. A package that is itself a link into
 * the repository (a workspace of npm, pnpm or yarn) is pointed at the lane's files instead.
 */
export function planNodeModules(planning: Planning, path: string, source: string): void {
  for (const name of ownPlaces) planning.caches.add(`${path}/${name}`);
  for (const item of list(planning, source)) {
    if (ownPlaces.includes(item.name)) continue;
    const [inner, place] = [`${path}/${item.name}`, join(source, item.name)];
    const isOpened = item.name === ".bin" || item.name.startsWith("@");
    if (item.isDirectory() && isOpened) planEach(planning, inner, place);
    else if (item.isDirectory() && item.name === ".pnpm" && holdsCopied(planning, place)) {
      planStore(planning, inner, place);
    } else plan(planning, inner, place, item);
  }
}

function planEach(planning: Planning, path: string, source: string): void {
  for (const item of list(planning, source)) {
    plan(planning, `${path}/${item.name}`, join(source, item.name), item);
  }
}

/** pnpm's store: a folder for each version of each package, and `node_modules` with a link to one version of each. */
function planStore(planning: Planning, path: string, source: string): void {
  for (const item of list(planning, source)) {
    const [inner, place] = [`${path}/${item.name}`, join(source, item.name)];
    if (item.name !== "node_modules" || !item.isDirectory()) plan(planning, inner, place, item);
    else {
      for (const hoisted of list(planning, place)) {
        const next: [string, string] = [`${inner}/${hoisted.name}`, join(place, hoisted.name)];
        if (hoisted.isDirectory() && hoisted.name.startsWith("@")) planEach(planning, ...next);
        else plan(planning, ...next, hoisted);
      }
    }
  }
}

function holdsCopied(planning: Planning, folder: string): boolean {
  return [...planning.copied.keys()].some((unit) => unit.startsWith(`${folder}/`));
}

function list(planning: Planning, folder: string): Dirent[] {
  planning.read(folder);
  return readdirSync(folder, { withFileTypes: true });
}

function plan(planning: Planning, path: string, place: string, item: Dirent): void {
  if (planning.copied.has(place)) {
    copy(planning, path, place);
    return;
  }
  const inLane = item.isSymbolicLink() ? planning.inLane(realPlace(place)) : null;
  const target = inLane === null ? place : join(planning.lane, inLane);
  planning.contents.set(path, { kind: "link", target });
}

/** Relative links stay as they are: in the lane they lead to the lane's side of what they name. */
function copy(planning: Planning, path: string, source: string): void {
  for (const item of readdirSync(source, { withFileTypes: true })) {
    const [inner, place] = [`${path}/${item.name}`, join(source, item.name)];
    if (item.isDirectory()) copy(planning, inner, place);
    else if (item.isFile()) {
      const isExecutable = (lstatSync(place).mode & 0o100) !== 0;
      planning.contents.set(inner, { kind: "made", bytes: readFileSync(place), isExecutable });
    } else if (item.isSymbolicLink()) {
      const said = readlinkSync(place);
      if (isAbsolute(said)) plan(planning, inner, place, item);
      else planning.contents.set(inner, { kind: "link", target: said });
    }
  }
}

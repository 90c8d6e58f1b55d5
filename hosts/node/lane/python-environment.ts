/** A virtual environment of Python in a lane. */
import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Planning } from "./planning.ts";

/** Files of `site-packages` in which an editable install names the place of its source. */
const namesPlaces = /(\.pth|\.egg-link|^__editable__.*\.py)$/;

/**
 * The environment's own folder stands in the lane, so that Python takes the lane's for its prefix; packages are links. Files in
 * which the checkout is named (start lines of scripts, editable installs) are rewritten to name the lane.
 */
export function planPythonEnvironment(planning: Planning, path: string, source: string): void {
  if (lstatSync(join(source, "pyvenv.cfg"), { throwIfNoEntry: false }) === undefined) return;
  for (const item of list(planning, source)) {
    const place = join(source, item.name);
    if (item.name === "bin" && item.isDirectory()) planFiles(planning, `${path}/bin`, place, () => true);
    else if (/^lib(64)?$/.test(item.name) && item.isDirectory()) planLibrary(planning, `${path}/${item.name}`, place);
    else if (item.name === "lib64" && item.isSymbolicLink()) keepLink(planning, `${path}/lib64`, place);
    else if (item.name === "pyvenv.cfg") rewrite(planning, `${path}/${item.name}`, place);
    else planning.contents.set(`${path}/${item.name}`, { kind: "link", target: place });
  }
}

function planLibrary(planning: Planning, path: string, source: string): void {
  for (const version of list(planning, source)) {
    const versionPlace = join(source, version.name);
    if (!version.isDirectory()) {
      planning.contents.set(`${path}/${version.name}`, { kind: "link", target: versionPlace });
      continue;
    }
    for (const item of list(planning, versionPlace)) {
      const [inner, place] = [`${path}/${version.name}/${item.name}`, join(versionPlace, item.name)];
      if (item.name === "site-packages" && item.isDirectory()) {
        planFiles(planning, inner, place, (name) => namesPlaces.test(name));
      } else planning.contents.set(inner, { kind: "link", target: place });
    }
  }
}

/** Entries of a folder: files that may name the checkout are rewritten where they do, links stay, all else is linked. */
function planFiles(planning: Planning, path: string, source: string, mayName: (name: string) => boolean): void {
  for (const item of list(planning, source)) {
    const [inner, place] = [`${path}/${item.name}`, join(source, item.name)];
    if (item.isSymbolicLink()) keepLink(planning, inner, place);
    else if (item.isFile() && mayName(item.name)) rewrite(planning, inner, place);
    else planning.contents.set(inner, { kind: "link", target: place });
  }
}

function keepLink(planning: Planning, path: string, place: string): void {
  planning.contents.set(path, { kind: "link", target: readlinkSync(place) });
}

function rewrite(planning: Planning, path: string, place: string): void {
  const bytes = readFileSync(place);
  const checkout = Buffer.from(planning.checkout);
  if (!bytes.includes(checkout) || bytes.includes(0)) {
    planning.contents.set(path, { kind: "link", target: place });
    return;
  }
  const text = bytes
    .toString("latin1")
    .replaceAll(pathPattern(checkout.toString("latin1")), () => latin1(planning.lane));
  const isExecutable = (lstatSync(place).mode & 0o100) !== 0;
  planning.contents.set(path, { kind: "made", bytes: Buffer.from(text, "latin1"), isExecutable });
}

/** The path where it is a whole path or the start of one, not of a longer name. */
function pathPattern(path: string): RegExp {
  return new RegExp(`${path.replaceAll(/[.*+?^${"$"}{}()|[\]\\]/g, "\\$&")}(?![\\w.-])`, "g");
}

function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function list(planning: Planning, folder: string): Dirent[] {
  planning.read(folder);
  return readdirSync(folder, { withFileTypes: true });
}

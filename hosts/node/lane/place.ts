/** Where lanes live: a private folder outside of every repository, with nothing above it that tools would find by walking up. */
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, stat, writeFile } from "node:fs/promises";
import { homedir, hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isAlive, isWithin } from "../process/mod.ts";
import { removeTree } from "./remove-tree.ts";

export interface LanePlace {
  /** Holds this lane and what belongs to it; nobody else may enter. */
  readonly directory: string;
  /** Holds all lanes of this user. */
  readonly base: string;
  readonly notes: readonly string[];
}

/** Files and folders that tools look for in every parent folder. */
const foundByWalkingUp = [
  "node_modules",
  "package.json",
  ".git",
  ".hg",
  "pnpm-workspace.yaml",
  "lerna.json",
  "tsconfig.json",
  "jsconfig.json",
  "deno.json",
  "deno.jsonc",
  ".babelrc",
  "babel.config.js",
  "babel.config.json",
  ".mocharc.json",
  ".mocharc.yml",
  ".npmrc",
  ".yarnrc.yml",
  ".pnp.cjs",
  ".editorconfig",
  "pytest.ini",
  "pyproject.toml",
  "tox.ini",
  "setup.cfg",
  "conftest.py",
  "go.mod",
  "go.work",
  "Cargo.toml",
  ".cargo",
  "Gemfile",
  ".rspec",
  "composer.json",
  ".tool-versions",
  ".python-version",
  ".ruby-version",
];

/** Makes a new folder for one lane of this checkout, and removes lanes of processes that are gone. Throws a system error. */
export async function makeLanePlace(checkout: string, given?: string): Promise<LanePlace> {
  const candidates = given === undefined ? usualBases() : [given];
  const refused: string[] = [];
  let second: { base: string; above: string } | undefined;
  for (const candidate of candidates) {
    const base = await privateFolder(candidate).catch((error: unknown) => {
      refused.push(`${candidate}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    });
    if (base === undefined) continue;
    if (isWithin(checkout, base)) {
      refused.push(`${base}: lies in the repository`);
      continue;
    }
    const above = foundAbove(base);
    if (above === undefined) return { directory: await newLane(base), base, notes: [] };
    second ??= { base, above };
  }
  if (second === undefined) throw new Error(`No folder for lanes: ${refused.join("; ")}.`);
  const note = `${second.above} stands above the lane; tools that look upwards may find it.`;
  return { directory: await newLane(second.base), base: second.base, notes: [note] };
}

function usualBases(): string[] {
  const name = `yada-${process.getuid?.() ?? "user"}`;
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return [join(tmpdir(), name), join("/var/tmp", name), join(cache, "yada", "lanes")];
}

async function privateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const stats = await lstat(path);
  if (!stats.isDirectory()) throw new Error("is no directory");
  if (process.getuid !== undefined && stats.uid !== process.getuid()) throw new Error("belongs to another user");
  if ((stats.mode & 0o077) !== 0) await chmod(path, 0o700);
  return await realpath(path);
}

function foundAbove(base: string): string | undefined {
  for (let folder = base; ; folder = dirname(folder)) {
    const found = foundByWalkingUp.find((name) => existsSync(join(folder, name)));
    if (found !== undefined) return join(folder, found);
    if (dirname(folder) === folder) return undefined;
  }
}

async function newLane(base: string): Promise<string> {
  await removeAbandoned(base);
  const directory = await mkdtemp(join(base, "lane-"));
  await writeFile(join(directory, ownerFile), JSON.stringify({ pid: process.pid, ...(await whereWeAre()) }));
  return directory;
}

/** Removes what a command has left beside its lane. */
export async function removeStrangers(directory: string, lane: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const place = join(directory, name);
    if (name !== ownerFile && place !== lane) await removeTree(place);
  }
}

/** What a process id is worth: it names a process of one machine and one pid namespace. */
async function whereWeAre(): Promise<{ host: string; namespace: string }> {
  return { host: hostname(), namespace: await readlink("/proc/self/ns/pid").catch(() => "") };
}

const ownerFile = "owner.json";
const oneHourMs = 3_600_000;

async function removeAbandoned(base: string): Promise<void> {
  const here = await whereWeAre();
  for (const name of await readdir(base)) {
    if (!name.startsWith("lane-")) continue;
    const directory = join(base, name);
    if (await isAbandoned(directory, here)) await removeTree(directory).catch(() => {});
  }
}

async function isAbandoned(directory: string, here: { host: string; namespace: string }): Promise<boolean> {
  try {
    const owner: unknown = JSON.parse(await readFile(join(directory, ownerFile), "utf8"));
    if (typeof owner !== "object" || owner === null || !("pid" in owner && "host" in owner && "namespace" in owner)) {
      return false;
    }
    if (owner.host !== here.host || owner.namespace !== here.namespace) return false;
    return typeof owner.pid === "number" && !isAlive(owner.pid);
  } catch {
    // No owner yet: the lane is being made, or its process ended in that moment.
    const stats = await stat(directory).catch(() => undefined);
    return stats !== undefined && Date.now() - stats.mtimeMs > oneHourMs;
  }
}

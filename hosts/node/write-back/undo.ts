/** Takes back a write-back that did not come to its end. Doing it twice, or ending in the midst of it, harms nothing. */
import type { DiskPath } from "../repository/mod.ts";
import { codeOf, isAbsence } from "./disk-port.ts";
import { type Face, isSameFace, see, seeAt } from "./face.ts";
import { isWithoutLinks } from "./failures.ts";
import { type Ground, ObstacleError } from "./ground.ts";
import { backOf, type Journal, type Kept, type Operation } from "./journal.ts";
import type { KeptFiles } from "./kept-files.ts";

/**
 * Brings every path back to what stood there before. A path that holds neither the old nor the new was changed by someone else
 * meanwhile: it is left alone, and its name is given back.
 */
export async function undo(ground: Ground, kept: KeptFiles, journal: Journal): Promise<string[]> {
  const leftAlone: string[] = [];
  const undoAll = async (operations: readonly Operation[]) => {
    for (const operation of operations) {
      if (!(await undoOne(ground, kept, operation))) leftAlone.push(operation.path);
    }
  };
  await undoAll(journal.operations.filter(({ kind }) => kind !== "delete"));
  for (const path of journal.made.toReversed()) await removeIfEmpty(ground, path);
  for (const { path, mode } of journal.removed.toReversed()) await makeAgain(ground, path, mode);
  await undoAll(journal.operations.filter(({ kind }) => kind === "delete"));
  for (const directory of touchedDirectories(journal)) {
    await ground.within(directory, (place) => ground.disk.syncDirectory(place)).catch(() => {});
  }
  return leftAlone;
}

/** Whether the path holds what it held before. */
async function undoOne(ground: Ground, kept: KeptFiles, operation: Operation): Promise<boolean> {
  const { path, kind, before, after, saved } = operation;
  const seen = await see(ground, path);
  if (kind === "mode") {
    if (before === null || !isSameFace(seen, before) || !("mode" in seen)) return false;
    if (seen.mode !== before.mode) await ground.at(path, (place) => ground.disk.chmod(place, before.mode));
    return true;
  }
  if (before !== null && isSameFace(seen, before)) return true;
  if (kind === "add" && (seen.type === "directory" || seen.type === "blocked")) return true;
  if (after !== null && !(await takeAway(ground, kept, operation, after, isSameFace(seen, after)))) {
    return kind === "add" && seen.type === "absent";
  }
  if (kind === "add") return true;
  if (seen.type !== "absent" && kind === "delete") return false;
  return saved !== null && (await kept.exists(saved)) && putBack(ground, kept, saved, path);
}

/**
 * Takes our new file away from its path, under a name of ours, and only then looks whether it really is ours: an edit in the
 * last instant goes back. Answers whether the path is free, by this call or by one that was interrupted.
 */
async function takeAway(
  ground: Ground,
  kept: KeptFiles,
  operation: Operation,
  after: Face,
  isThere: boolean,
): Promise<boolean> {
  const { disk } = ground;
  const back = backOf(operation);
  if (back === null) return false;
  const wasTaken = await kept.exists(back);
  if (!wasTaken) {
    if (!isThere) return false;
    await ground.at(operation.path, (from) => kept.at(back, (to) => disk.rename(from, to)));
  }
  const taken = await kept.at(back, (place) => seeAt(disk, place));
  if (isSameFace(taken, after)) return true;
  if (taken.type === "file" || taken.type === "symlink") await putBack(ground, kept, back, operation.path);
  return false;
}

/** Gives a kept file its place again, unless something stands there. */
async function putBack(ground: Ground, kept: KeptFiles, from: Kept, path: string): Promise<boolean> {
  const { disk } = ground;
  const place = async (source: DiskPath, target: DiskPath) => {
    try {
      await disk.link(source, target);
    } catch (error) {
      if (!isWithoutLinks(error)) throw error;
      if (await isThere(ground, target)) throw Object.assign(new Error("something stands there"), { code: "EEXIST" });
      await disk.rename(source, target);
    }
  };
  try {
    await kept.at(from, (source) => ground.at(path, (target) => place(source, target)));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST" || isAbsence(error) || error instanceof ObstacleError) return false;
    throw error;
  }
}

async function isThere(ground: Ground, place: DiskPath): Promise<boolean> {
  try {
    await ground.disk.lstat(place);
    return true;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

async function removeIfEmpty(ground: Ground, path: string): Promise<void> {
  await ground
    .at(path, (place) => ground.disk.rmdir(place))
    .catch((error: unknown) => {
      const isHarmless = ["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "") || isAbsence(error);
      if (!isHarmless && !(error instanceof ObstacleError)) throw error;
    });
}

async function makeAgain(ground: Ground, path: string, mode: number): Promise<void> {
  await ground
    .at(path, async (place) => {
      await ground.disk.mkdir(place, mode).catch((error: unknown) => {
        if (codeOf(error) !== "EEXIST") throw error;
      });
      const stats = await ground.disk.lstat(place);
      if (stats.isDirectory() && Number(stats.mode & 0o7777n) !== mode) await ground.disk.chmod(place, mode);
    })
    .catch((error: unknown) => {
      if (!isAbsence(error) && !(error instanceof ObstacleError)) throw error;
    });
}

/** The directories in which names came or went. */
export function touchedDirectories(journal: Journal): Set<string> {
  const paths = [
    ...journal.operations.map(({ path }) => path),
    ...journal.made,
    ...journal.removed.map(({ path }) => path),
  ];
  return new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))));
}

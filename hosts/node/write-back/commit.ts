/** Preparing a write-back and putting it in place. */
import type { DiskPath } from "../repository/mod.ts";
import { codeOf, isAbsence } from "./disk-port.ts";
import { isSameStamp, type Stamp } from "./face.ts";
import { ConflictError, isWithoutLinks, StepError } from "./failures.ts";
import { type Ground, ObstacleError } from "./ground.ts";
import type { Journal, Kept, Operation } from "./journal.ts";
import type { KeptFiles } from "./kept-files.ts";
import { isPresent, type Present } from "./plan.ts";
import type { Target } from "./targets.ts";
import { touchedDirectories } from "./undo.ts";

/** What was prepared: the identity of each file that will be put in place, by path. */
export type Prepared = ReadonlyMap<string, Stamp>;

/** Brings every new content to the disk under a name of its own, and gives every old content a second name. */
export async function prepare(
  ground: Ground,
  kept: KeptFiles,
  journal: Journal,
  targets: ReadonlyMap<string, Target>,
): Promise<Prepared> {
  const { disk } = ground;
  const prepared = new Map<string, Stamp>();
  for (const operation of journal.operations) {
    await step(operation.path, async () => {
      const target = targets.get(operation.path);
      const seen = target !== undefined && isPresent(target.seen) ? target.seen : undefined;
      const { staged, saved } = operation;
      if (saved !== null && seen !== undefined) await save(ground, kept, operation.path, saved, seen);
      if (staged !== null && operation.after !== null && target?.content) {
        const { content } = target;
        const { after, before } = operation;
        const exact = seen !== undefined && before?.type === "file" ? { exact: { uid: seen.uid, gid: seen.gid } } : {};
        await kept.at(staged, (place) =>
          after.type === "symlink"
            ? disk.symlink(content, place)
            : disk.createFile(place, content, { mode: after.mode, ...exact }),
        );
        prepared.set(operation.path, stampOf(await kept.at(staged, (place) => disk.lstat(place))));
      }
    });
  }
  const directories = new Set(journal.operations.flatMap(({ staged, saved }) => [staged?.directory, saved?.directory]));
  for (const directory of directories) {
    if (typeof directory === "string") await ground.within(directory, (place) => disk.syncDirectory(place));
  }
  return prepared;
}

/** The old content under a second name: the very file where the system can link it, else a copy with its mode and time. */
async function save(ground: Ground, kept: KeptFiles, path: string, saved: Kept, seen: Present): Promise<void> {
  const { disk } = ground;
  const copy = () =>
    kept.at(saved, async (place) => {
      if (seen.type === "symlink") await disk.symlink(seen.bytes, place);
      else await disk.createFile(place, seen.bytes, { mode: seen.mode, exact: { uid: seen.uid, gid: seen.gid } });
      await disk.setTimes(place, seen.atimeMs, seen.mtimeMs);
    });
  try {
    await ground.at(path, (from) => kept.at(saved, (to) => disk.link(from, to)));
  } catch (error) {
    if (!isWithoutLinks(error)) throw error;
    await copy();
  }
}

/** Puts everything in place. Throws `ConflictError` or `StepError`; what was done until then is for `undo`. */
export async function commit(
  ground: Ground,
  kept: KeptFiles,
  journal: Journal,
  targets: ReadonlyMap<string, Target>,
  prepared: Prepared,
): Promise<void> {
  const { disk } = ground;
  const of = (...kinds: Operation["kind"][]) => journal.operations.filter(({ kind }) => kinds.includes(kind));
  for (const { path } of of("delete")) {
    await onTarget(ground, path, targets, (place) => disk.unlink(place));
  }
  await removeEmptied(ground, journal);
  for (const path of journal.made) {
    await step(path, () => ground.at(path, (place) => disk.mkdir(place)), isTaken);
  }
  for (const operation of of("add")) await step(operation.path, () => add(ground, kept, operation), isTaken);
  for (const { path, kind, staged, after } of of("replace", "mode")) {
    await onTarget(ground, path, targets, async (place) => {
      if (kind === "mode" && after !== null) await disk.chmod(place, after.mode);
      else if (staged !== null) await kept.at(staged, (from) => disk.rename(from, place));
    });
  }
  for (const directory of touchedDirectories(journal)) {
    await step(
      directory,
      () => ground.within(directory, (place) => disk.syncDirectory(place)),
      () => false,
      // A directory that the change took away, or made a file of.
      (error) => isAbsence(error) || error instanceof ObstacleError,
    );
  }
  await confirm(ground, kept, journal, targets, prepared);
}

/** Removes the directories that the deletions left empty. */
async function removeEmptied(ground: Ground, journal: Journal): Promise<void> {
  for (const { path } of journal.removed) {
    await step(
      path,
      () => ground.at(path, (place) => ground.disk.rmdir(place)),
      () => false,
      (error) => {
        const code = codeOf(error);
        // Whoever put something into it keeps it. Where a file is to stand there, the addition will fail and all is undone.
        return code === "ENOTEMPTY" || code === "EEXIST" || isAbsence(error);
      },
    );
  }
}

/** A new file gets its name by linking, which, unlike renaming, never replaces what someone else put there meanwhile. */
async function add(ground: Ground, kept: KeptFiles, { path, staged, after }: Operation): Promise<void> {
  if (staged === null || after === null) return;
  const { disk } = ground;
  await kept.at(staged, (from) =>
    ground.at(path, async (to) => {
      try {
        await disk.link(from, to);
      } catch (error) {
        if (!isWithoutLinks(error)) throw error;
        await disk.lstat(to).then(
          () => {
            throw new ConflictError(path);
          },
          (absence: unknown) => {
            if (!isAbsence(absence)) throw absence;
          },
        );
        await disk.rename(from, to);
      }
    }),
  );
}

/** Does a step at a path that must still hold exactly what was looked at. */
async function onTarget(
  ground: Ground,
  path: string,
  targets: ReadonlyMap<string, Target>,
  task: (place: DiskPath) => Promise<void>,
): Promise<void> {
  const seen = targets.get(path)?.seen;
  await step(
    path,
    () =>
      ground.at(path, async (place) => {
        const now = stampOf(await ground.disk.lstat(place));
        if (seen === undefined || !isPresent(seen) || !isSameStamp(now, seen.stamp)) throw new ConflictError(path);
        await task(place);
      }),
    isAbsence,
  );
}

/** After the last step: every path holds what was prepared, and no old content was written to in the last instant. */
async function confirm(
  ground: Ground,
  kept: KeptFiles,
  journal: Journal,
  targets: ReadonlyMap<string, Target>,
  prepared: Prepared,
): Promise<void> {
  const { disk } = ground;
  for (const { path, kind, saved, after } of journal.operations) {
    const own = prepared.get(path);
    if (own !== undefined && after?.type === "file") {
      await step(
        path,
        async () => {
          const now = stampOf(await ground.at(path, (place) => disk.lstat(place)));
          if (!isSameStamp(now, own)) throw new ConflictError(path);
        },
        isAbsence,
      );
    }
    const seen = targets.get(path)?.seen;
    if (saved === null || seen === undefined || !isPresent(seen) || seen.type !== "file" || kind === "add") continue;
    await step(path, async () => {
      const old = stampOf(await kept.at(saved, (place) => disk.lstat(place)));
      // A copy has another number; only the file itself can have been written to.
      if (old.ino === seen.stamp.ino && !isSameStamp(old, seen.stamp)) throw new ConflictError(path);
    });
  }
}

/** Runs a step; what goes wrong is told with its path. */
async function step(
  path: string,
  task: () => Promise<void>,
  isConflict: (error: unknown) => boolean = () => false,
  isHarmless: (error: unknown) => boolean = () => false,
): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (isHarmless(error)) return;
    if (error instanceof ConflictError || error instanceof StepError) throw error;
    if (error instanceof ObstacleError || isConflict(error)) throw new ConflictError(path);
    throw new StepError(path, error);
  }
}

function isTaken(error: unknown): boolean {
  return codeOf(error) === "EEXIST" || isAbsence(error);
}

function stampOf(stats: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint }): Stamp {
  return { dev: stats.dev, ino: stats.ino, size: stats.size, mtimeNs: stats.mtimeNs };
}

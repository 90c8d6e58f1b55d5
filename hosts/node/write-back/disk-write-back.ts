/** Writing the final tree to the disk: all of it, or nothing. */
import { randomBytes } from "node:crypto";
import type { WriteBack, WriteBackResult } from "../../../core/run/mod.ts";
import type { Tree } from "../../../core/workspace/mod.ts";
import { type DiskForms, plainForms } from "../repository/mod.ts";
import { commit, type Prepared, prepare } from "./commit.ts";
import { codeOf, type DiskPort, isAbsence, nodeDisk } from "./disk-port.ts";
import { see } from "./face.ts";
import { ConflictError, reasonOf, StepError, UnwritableError } from "./failures.ts";
import { Ground } from "./ground.ts";
import { type Journal, type Kept, readJournal, writeBackDirectory, writeJournal } from "./journal.ts";
import { KeptFiles } from "./kept-files.ts";
import { ownOwner } from "./owner.ts";
import { parentsOf, planOf } from "./plan.ts";
import { recoverWriteBack, takeBack } from "./recover.ts";
import { checkTargets, type Target } from "./targets.ts";

type Work = Parameters<WriteBack["write"]>[0];
type Failure = Extract<WriteBackResult, { ok: false }>;

/**
 * Writes to `root`, with the journal in `runDirectory` (which is made where it is missing). `forms` are those of the workspace that the baseline was
 * opened as; without them a file is its blob.
 *
 * - `disk_changed`: a target is no longer what the baseline has there (bytes, type and executable bit), or changed while it was
 *   written. Nothing is written. Where the disk holds the final tree already, the answer is `ok`.
 * - `write_failed`: the disk refused. Everything is as it was; only where even that failed, the message says so, and
 *   `recoverWriteBack` undoes it later.
 *
 * New contents are on the disk before the first name changes, so a full disk is found before. Names change by `rename` and
 * `link`, never through a link in any part of a path, and on Linux never in another directory than the one that was looked at.
 * Permission bits, times of untouched files, links to files and line endings are kept.
 */
export function diskWriteBack(options: {
  readonly root: string;
  readonly runDirectory: string;
  readonly forms?: DiskForms;
  readonly disk?: DiskPort;
}): WriteBack {
  const { root, runDirectory, forms = plainForms, disk = nodeDisk() } = options;
  const ground = new Ground(disk, root);
  const kept = new KeptFiles(ground, runDirectory);

  return { write };

  async function write(work: Work): Promise<WriteBackResult> {
    const written = work.changes.map(({ path }) => path);
    try {
      await makeDirectories(disk, runDirectory);
      const recovery = await recoverWriteBack(runDirectory, root, { disk });
      if (!recovery.ok) return { ok: false, code: "write_failed", message: recovery.message, paths: recovery.paths };
      const check = await checkTargets(ground, forms, work);
      if (check.isWritten) return { ok: true, written, to: root };
      if (check.changed.length > 0) return diskChanged(check.changed);
      const failure = await attempt(work, check.targets);
      return failure ?? { ok: true, written, to: root };
    } catch (error) {
      return failureOf(error, written);
    }
  }

  async function attempt(work: Work, targets: readonly Target[]): Promise<Failure | null> {
    const byPath = new Map(targets.map((target) => [target.path, target]));
    const token = randomBytes(4).toString("hex");
    for (const isBeside of [false, true]) {
      const places = isBeside ? await placesBeside(ground, targets, work.final) : new Map<string, string>();
      let count = 0;
      const keep = (path: string, suffix: "new" | "old"): Kept => {
        count += 1;
        const directory = places.get(path) ?? null;
        return { directory, name: directory === null ? `${count}.${suffix}` : `.yada-${token}-${count}.${suffix}` };
      };
      const plan = await planOf(ground, targets, work, forms, keep);
      const journal: Journal = { version: 1, run: work.run, root, state: "preparing", owner: ownOwner(), ...plan };
      const error = await perform(journal, byPath);
      if (error === null) return null;
      // The run's directory is on another file system: keep the files beside their targets.
      if (!isBeside && error.cause instanceof StepError && error.cause.code === "EXDEV" && error.isUndone) continue;
      return error.failure;
    }
    return null;
  }

  async function perform(journal: Journal, targets: ReadonlyMap<string, Target>): Promise<Undone | null> {
    let current = journal;
    try {
      await disk.mkdir(writeBackDirectory(runDirectory));
      await writeJournal(disk, runDirectory, journal);
      await disk.syncDirectory(runDirectory);
      const prepared: Prepared = await prepare(ground, kept, journal, targets);
      current = { ...journal, state: "committing" };
      await writeJournal(disk, runDirectory, current);
      await commit(ground, kept, current, targets, prepared);
      await writeJournal(disk, runDirectory, { ...current, state: "done" });
    } catch (error) {
      return giveUp(error, current);
    }
    // The new state stands. What is kept beside it is removed now or by the next recovery.
    await kept.removeAll(journal).catch(() => {});
    return null;
  }

  async function giveUp(cause: unknown, journal: Journal): Promise<Undone | null> {
    const failure = failureOf(
      cause,
      journal.operations.map(({ path }) => path),
    );
    try {
      // Where the very last note reached the disk, all is in place, and nothing may be taken back any more.
      if ((await readJournal(runDirectory))?.state === "done") return null;
      const { leftAlone, keptIn = "" } = await takeBack(ground, kept, journal);
      if (leftAlone.length === 0) return { cause, isUndone: true, failure };
      const message = `${failure.message} Meanwhile someone changed ${leftAlone.join(", ")}: left as it is. What stood there before is in ${keptIn}.`;
      return { cause, isUndone: false, failure: { ...failure, message, paths: leftAlone } };
    } catch (error) {
      const message = `Writing stopped: ${failure.message} What was written could not be undone now: ${reasonOf(error)}. The next Yada command undoes it; until then what stood before is in ${writeBackDirectory(runDirectory)}.`;
      return { cause, isUndone: false, failure: { ...failure, code: "write_failed", message } };
    }
  }
}

interface Undone {
  readonly cause: unknown;
  readonly isUndone: boolean;
  readonly failure: Failure;
}

/** For each path the innermost directory that is there and stays, in which files can be kept that are renamed to it. */

async function placesBeside(ground: Ground, targets: readonly Target[], final: Tree): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (const { path } of targets) {
    let place = "";
    for (const parent of parentsOf(path)) {
      // A directory that the change takes away is no place to keep anything in.
      if (!final.hasDirectory(parent) || (await see(ground, parent)).type !== "directory") continue;
      place = parent;
      break;
    }
    places.set(path, place);
  }
  return places;
}

async function makeDirectories(disk: DiskPort, path: string): Promise<void> {
  try {
    await disk.mkdir(path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    const slash = path.lastIndexOf("/");
    if (!isAbsence(error) || slash <= 0) throw error;
    await makeDirectories(disk, path.slice(0, slash));
    await makeDirectories(disk, path);
  }
}

function diskChanged(paths: readonly string[]): Failure {
  const shown = paths.slice(0, 10).join(", ") + (paths.length > 10 ? `, and ${paths.length - 10} more` : "");
  return {
    ok: false,
    code: "disk_changed",
    message: `Nothing was written: ${shown} changed on disk since the run began. Put back what was there, or take the change as a patch.`,
    paths,
  };
}

function failureOf(error: unknown, paths: readonly string[]): Failure {
  if (error instanceof ConflictError) return diskChanged([error.path]);
  if (error instanceof UnwritableError) {
    return { ok: false, code: "write_failed", message: `Nothing was written: ${error.message}.`, paths: [error.path] };
  }
  const at = error instanceof StepError ? error.path : undefined;
  const reason = reasonOf(error);
  return {
    ok: false,
    code: "write_failed",
    message: `Nothing was written${at === undefined ? "" : `: ${at}`}: ${reason}.`,
    paths: at === undefined ? paths : [at],
  };
}

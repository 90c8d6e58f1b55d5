/** Ending what a killed process left of a write-back. */

import type { DiskPort } from "./disk-port.ts";
import { nodeDisk } from "./disk-port.ts";
import { reasonOf } from "./failures.ts";
import { Ground } from "./ground.ts";
import { type Journal, readJournal } from "./journal.ts";
import { KeptFiles } from "./kept-files.ts";
import { isAlive, type Owner } from "./owner.ts";
import { undo } from "./undo.ts";

export type Recovery =
  | {
      readonly ok: true;
      /** `finished`: the disk holds the new state; `undone`: the old one. */
      readonly state: "nothing" | "finished" | "undone";
      readonly paths: readonly string[];
      /** Paths that someone else changed since. They were not touched; what the run had kept of them stands in `keptIn`. */
      readonly leftAlone: readonly string[];
      readonly keptIn?: string;
    }
  | {
      readonly ok: false;
      readonly code: "write_back_running" | "recovery_failed";
      readonly message: string;
      readonly paths: readonly string[];
    };

/**
 * Ends a write-back that was killed: the disk then holds the old state or the new one. To be called for each run's directory
 * before anything else looks at the working tree. Where nothing is left to do it costs one failed open.
 *
 * Codes: `write_back_running` (the process that writes is still alive), `recovery_failed` (the disk does not let it; the journal
 * stays, so that it can be tried again).
 */
export async function recoverWriteBack(
  runDirectory: string,
  root: string,
  options: { readonly disk?: DiskPort; readonly isAlive?: (owner: Owner) => boolean } = {},
): Promise<Recovery> {
  const disk = options.disk ?? nodeDisk();
  const ground = new Ground(disk, root);
  const kept = new KeptFiles(ground, runDirectory);
  let paths: string[] = [];
  try {
    const journal = await readJournal(runDirectory);
    if (journal === null) {
      // Killed before the journal was written, or after it was removed: nothing of the repository was touched.
      await kept.removeAll(null);
      return { ok: true, state: "nothing", paths, leftAlone: [] };
    }
    paths = journal.operations.map(({ path }) => path);
    if ((options.isAlive ?? isAlive)(journal.owner)) {
      return {
        ok: false,
        code: "write_back_running",
        message: `The process ${journal.owner.pid} is writing the result of run ${journal.run}. Wait for it to end.`,
        paths,
      };
    }
    return await settle(ground, kept, journal);
  } catch (error) {
    const reason = reasonOf(error);
    return {
      ok: false,
      code: "recovery_failed",
      message:
        paths.length === 0
          ? `Whether a write-back in ${runDirectory} was interrupted could not be found out: ${reason}.`
          : `A write-back in ${runDirectory} was interrupted and could not be undone: ${reason}. Its journal stays; remove the obstacle and run any Yada command again.`,
      paths,
    };
  }
}

/** Brings a journal to its end. Throws where the disk does not let it. */
async function settle(ground: Ground, kept: KeptFiles, journal: Journal): Promise<Extract<Recovery, { ok: true }>> {
  if (journal.state !== "done") return takeBack(ground, kept, journal);
  await kept.removeAll(journal);
  return { ok: true, state: "finished", paths: journal.operations.map(({ path }) => path), leftAlone: [] };
}

/** Undoes a journal that is not done, and removes what was kept for it, except for what someone may still want. */
export async function takeBack(
  ground: Ground,
  kept: KeptFiles,
  journal: Journal,
): Promise<Extract<Recovery, { ok: true }>> {
  const paths = journal.operations.map(({ path }) => path);
  const leftAlone = journal.state === "preparing" ? [] : await undo(ground, kept, journal);
  if (leftAlone.length === 0) {
    await kept.removeAll(journal);
    return { ok: true, state: "undone", paths, leftAlone };
  }
  for (const { path, staged, saved } of journal.operations) {
    if (staged !== null) await kept.remove(staged);
    if (saved !== null && !leftAlone.includes(path)) await kept.remove(saved);
  }
  return { ok: true, state: "undone", paths, leftAlone, keptIn: await kept.putAside() };
}

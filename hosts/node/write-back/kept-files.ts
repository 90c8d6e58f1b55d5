/** The files that a write-back keeps while it works: new contents before they are in place, old ones until it is done. */
import type { DiskPath } from "../repository/mod.ts";
import { codeOf, isAbsence } from "./disk-port.ts";
import type { Ground } from "./ground.ts";
import { backOf, type Journal, type Kept, writeBackDirectory } from "./journal.ts";

export class KeptFiles {
  readonly #ground: Ground;
  readonly #directory: string;

  constructor(ground: Ground, runDirectory: string) {
    this.#ground = ground;
    this.#directory = writeBackDirectory(runDirectory);
  }

  /** Does a task with the place of a kept file. */
  at<T>(kept: Kept, task: (place: DiskPath) => Promise<T>): Promise<T> {
    if (kept.directory === null) return task(`${this.#directory}/${kept.name}`);
    return this.#ground.at(kept.directory === "" ? kept.name : `${kept.directory}/${kept.name}`, task);
  }

  async exists(kept: Kept): Promise<boolean> {
    return this.at(kept, async (place) => {
      await this.#ground.disk.lstat(place);
      return true;
    }).catch((error: unknown) => {
      if (isAbsence(error)) return false;
      throw error;
    });
  }

  async remove(kept: Kept): Promise<void> {
    await this.at(kept, (place) => this.#ground.disk.unlink(place)).catch((error: unknown) => {
      if (!isAbsence(error)) throw error;
    });
  }

  /**
   * Removes what a journal names beside its targets, then the journal, then what else stands in the write-back's directory.
   * An end in between leaves a journal whose paths need nothing any more, or files without a journal, which mean nothing.
   */
  async removeAll(journal: Journal | null): Promise<void> {
    const { disk } = this.#ground;
    for (const operation of journal?.operations ?? []) {
      for (const kept of [operation.staged, operation.saved, backOf(operation)])
        if (kept !== null && kept.directory !== null) await this.remove(kept);
    }
    const names = await disk.readdir(this.#directory).catch((error: unknown) => {
      if (isAbsence(error)) return null;
      throw error;
    });
    if (names === null) return;
    const first = names.filter((name) => name === "journal.json");
    for (const name of [...first, ...names.filter((other) => other !== "journal.json")]) {
      await disk.unlink(`${this.#directory}/${name}`);
    }
    await disk.rmdir(this.#directory);
  }

  /** Puts the write-back's directory aside under a name of its own, where something in it may still be of use. */
  async putAside(): Promise<string> {
    const { disk } = this.#ground;
    for (let number = 1; ; number += 1) {
      const aside = `${this.#directory}-kept-${number}`;
      const isTaken = await disk.lstat(aside).then(
        () => true,
        (error: unknown) => {
          if (codeOf(error) === "ENOENT") return false;
          throw error;
        },
      );
      if (isTaken) continue;
      await disk.rename(this.#directory, aside);
      return aside;
    }
  }
}

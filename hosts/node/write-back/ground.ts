/** The directory that is written to. Every path is walked from its root, part by part, and never through a link. */
import type { DiskPath } from "../repository/mod.ts";
import { codeOf, type DiskPort, type HeldDirectory, inDirectory } from "./disk-port.ts";

/** A part of the path is a link or no directory. */
export class ObstacleError extends Error {
  override readonly name = "ObstacleError";
  readonly path: string;

  constructor(path: string) {
    super(`${path} is a link, or no directory`);
    this.path = path;
  }
}

export class Ground {
  readonly disk: DiskPort;
  readonly #root: string;

  constructor(disk: DiskPort, root: string) {
    this.disk = disk;
    this.#root = root;
  }

  /**
   * Does a task with the place of `path`, while the directory that holds it is held open. Throws `ObstacleError` where the way
   * there leads through a link or a file, and the system's `ENOENT` where a directory is missing.
   */
  async at<T>(path: string, task: (place: DiskPath) => Promise<T>): Promise<T> {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    const held = await this.#hold(parts);
    try {
      return await task(inDirectory(held, name));
    } finally {
      await held.close();
    }
  }

  /** Does a task with the place of a directory itself. */
  async within<T>(directory: string, task: (place: string) => Promise<T>): Promise<T> {
    const held = await this.#hold(directory === "" ? [] : directory.split("/"));
    try {
      return await task(held.path);
    } finally {
      await held.close();
    }
  }

  async #hold(parts: readonly string[]): Promise<HeldDirectory> {
    let held = await this.disk.openDirectory(this.#root);
    let walked = "";
    for (const part of parts) {
      walked = walked === "" ? part : `${walked}/${part}`;
      try {
        const next = await this.disk.openDirectory(inDirectory(held, part));
        await held.close();
        held = next;
      } catch (error) {
        await held.close();
        if (codeOf(error) === "ELOOP" || codeOf(error) === "ENOTDIR") throw new ObstacleError(walked);
        throw error;
      }
    }
    return held;
  }
}

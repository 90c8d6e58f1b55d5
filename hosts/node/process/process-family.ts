/**
 * Ending a process with all that it started.
 *
 * A command is the leader of a process group of its own. A descendant that left the group still carries the environment
 * variable `YADA_COMMAND` with the command's marker, unless it cleared its environment; on Linux it is found by that under
 * `/proc`. Whoever leaves the group and clears the environment as well escapes, except in a pid namespace (bubblewrap).
 */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

export const markerVariable = "YADA_COMMAND";

/** Sends SIGKILL to a process group. Says whether there was one. */
export function killGroup(leader: number): boolean {
  return signal(-leader);
}

function signal(target: number): boolean {
  try {
    process.kill(target, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

/** Whether a process exists that can still do anything: a zombie cannot. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return stateOf(pid) !== "Z";
}

/** Waits until a process is gone or a zombie; at most `patienceMs`. */
export async function untilGone(pid: number, patienceMs: number): Promise<boolean> {
  const end = Date.now() + patienceMs;
  for (let pause = 1; isAlive(pid); pause = Math.min(pause * 2, 20)) {
    if (Date.now() > end) return false;
    await wait(pause);
  }
  return true;
}

/** Kills every process that carries the marker, until none is left; at most `patienceMs`. Says how many were found. */
export async function killMarked(marker: string, patienceMs: number): Promise<number> {
  const found = new Set<number>();
  const end = Date.now() + patienceMs;
  for (let pause = 1; ; pause = Math.min(pause * 2, 20)) {
    const pids = markedBy(marker);
    if (pids.length === 0 || Date.now() > end) return found.size;
    for (const pid of pids) {
      found.add(pid);
      signal(pid);
    }
    await wait(pause);
  }
}

/** The same without waiting, for the moment in which the host itself ends. */
export function killMarkedNow(marker: string): void {
  for (const pid of markedBy(marker)) signal(pid);
}

function markedBy(marker: string): number[] {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isMarked(pid, marker));
}

function isMarked(pid: number, marker: string): boolean {
  try {
    // A zombie's environment reads as empty.
    return readFileSync(`/proc/${pid}/environ`, "latin1")
      .split("\0")
      .some((variable) => variable.startsWith(`${markerVariable}=`) && variable.includes(marker));
  } catch {
    return false;
  }
}

function stateOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2, text.lastIndexOf(")") + 3);
  } catch {
    return undefined;
  }
}

/** Which process writes, so that nobody undoes the work of one that is still at it. */
import { readFileSync } from "node:fs";
import { codeOf } from "./disk-port.ts";
import type { Journal } from "./journal.ts";

export type Owner = Journal["owner"];

/** This process. */
export function ownOwner(): Owner {
  return { pid: process.pid, started: startOf(process.pid) };
}

/** Whether another process is still there, and is the one that is meant. Where the system does not tell when it started, its number alone decides. */
export function isAlive(owner: Owner): boolean {
  // What this very process left unfinished it may take up again.
  if (owner.pid === process.pid) return false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (codeOf(error) !== "EPERM") return false;
  }
  return owner.started === null || owner.started === startOf(owner.pid);
}

/** The start of a process in ticks since the machine started, with the machine's own start. Source: proc(5). */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    // The second field is the command's name in parentheses and may hold anything; the start is the 22nd.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return `${boot} ${fields[19] ?? ""}`;
  } catch {
    return null;
  }
}

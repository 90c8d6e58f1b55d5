/** Removing folders that a command may have closed. Links are removed, never followed. */
import { chmodSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";

export async function removeTree(directory: string | Buffer): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true });
  } catch {
    openUp(Buffer.from(directory));
    await rm(directory, { recursive: true, force: true });
  }
}

export function removeTreeNow(directory: string | Buffer): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    openUp(Buffer.from(directory));
    rmSync(directory, { recursive: true, force: true });
  }
}

function openUp(directory: Buffer): void {
  if (lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  chmodSync(directory, 0o700);
  for (const item of readdirSync(directory, { withFileTypes: true, encoding: "buffer" })) {
    if (item.isDirectory()) openUp(Buffer.concat([directory, Buffer.from("/"), item.name]));
  }
}

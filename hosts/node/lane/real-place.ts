import { readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Where a link leads in the end; of one that leads nowhere, what it says. */
export function realPlace(link: string): string {
  try {
    return realpathSync.native(link);
  } catch {
    return resolve(dirname(link), readlinkSync(link));
  }
}

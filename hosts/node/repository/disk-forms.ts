/** How the bytes of a file on disk and of its blob relate. */
import { attributesOf } from "./attributes.ts";
import type { GitConfig } from "./git-config.ts";
import { type LineEndings, lineEndings, toBlob, toDisk } from "./text-conversion.ts";

/** The relation for one path. Where nothing is converted both functions give back what they got. */
export interface DiskForm {
  /** The blob of bytes that stand on disk. `before` is the blob that stood in the tree before. */
  toBlob(disk: Uint8Array, before?: Uint8Array): Uint8Array;
  /** The bytes on disk of a file that is new there. */
  toDisk(blob: Uint8Array): Uint8Array;
}

/** Port: the relation for each of some paths. What converts bytes in a way that cannot be undone is held by its disk bytes. */
export interface DiskForms {
  /** Whether the executable bit on disk counts (`core.fileMode`). */
  readonly hasExecutableBit: boolean;
  /** Whether links are links on disk (`core.symlinks`), or files that hold the target. */
  readonly hasSymlinks: boolean;
  of(paths: readonly string[]): Promise<ReadonlyMap<string, DiskForm>>;
}

const same: DiskForm = { toBlob: (disk) => disk, toDisk: (blob) => blob };

/** Disk and blob are the same bytes. */
export const plainForms: DiskForms = {
  hasExecutableBit: true,
  hasSymlinks: true,
  of: async (paths) => new Map(paths.map((path) => [path, same])),
};

/** The forms of a repository. `keepsDiskBytes` names paths whose blob in the tree is what stands on disk. */
export function repositoryForms(root: string, config: GitConfig, keepsDiskBytes: (path: string) => boolean): DiskForms {
  return {
    hasExecutableBit: config.fileMode,
    hasSymlinks: config.symlinks,
    async of(paths) {
      const attributes = await attributesOf(root, paths);
      return new Map(
        paths.map((path) => {
          const found = attributes.get(path);
          if (found === undefined || keepsDiskBytes(path)) return [path, same];
          return [path, formOf(lineEndings(found, config))];
        }),
      );
    },
  };
}

function formOf(endings: LineEndings): DiskForm {
  if (endings.clean === "none") return same;
  return {
    toBlob: (disk, before) => toBlob(disk, endings, before),
    toDisk: (blob) => toDisk(blob, endings),
  };
}

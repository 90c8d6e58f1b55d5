/** What a run writes is kept in its directory: blobs, so that it can be resumed, and artifacts, so that it can be read. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256Hex } from "../../../core/hash/mod.ts";
import type { Artifacts } from "../../../core/run/mod.ts";
import type { Objects } from "../../../core/workspace/mod.ts";
import { isMissing } from "./run-directory.ts";

/** The repository's blobs, and those that the run writes, which are kept under `directory/objects`. */
export function keptObjects(base: Objects, directory: string): Objects {
  const folder = join(directory, "objects");
  return {
    async read(oid) {
      return (await bytesAt(join(folder, oid))) ?? base.read(oid);
    },
    async write(bytes) {
      const oid = await base.write(bytes);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, oid), bytes);
      return oid;
    },
  };
}

/** Long texts by the SHA-256 of what they say, under `directory/artifacts`. */
export function fileArtifacts(directory: string): Artifacts {
  const folder = join(directory, "artifacts");
  return {
    async put(text) {
      const name = sha256Hex(text);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), text);
      return name;
    },
    async get(sha256) {
      const bytes = await bytesAt(join(folder, sha256));
      return bytes === null ? null : new TextDecoder().decode(bytes);
    },
  };
}

async function bytesAt(path: string): Promise<Uint8Array | null> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

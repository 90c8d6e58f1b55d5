/** Why a write-back stops. Inside it these are thrown, so that one place takes back what was done. */
import { codeOf } from "./disk-port.ts";

/** The change cannot be written, whatever stands on the disk. */
export class UnwritableError extends Error {
  override readonly name = "UnwritableError";
  readonly path: string;

  constructor(path: string, message: string) {
    super(`${path}: ${message}`);
    this.path = path;
  }
}

/** Someone changed a path between the look at it and the write. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
  readonly path: string;

  constructor(path: string) {
    super(`${path} changed while it was written`);
    this.path = path;
  }
}

/** A failure of the system, with the path that it met. */
export class StepError extends Error {
  override readonly name = "StepError";
  readonly path: string;
  readonly code: string | undefined;

  constructor(path: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.path = path;
    this.code = codeOf(cause);
  }
}

/** File systems without hard links, links to a file of another user, and too many of them. */
export function isWithoutLinks(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EACCES"].includes(codeOf(error) ?? "");
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "the operation is not permitted",
  ENAMETOOLONG: "the name is too long for this file system",
  EIO: "the disk failed",
  EMFILE: "too many files are open",
};

/** An error of the system in words, with its code. */
export function reasonOf(error: unknown): string {
  const code = error instanceof StepError ? error.code : codeOf(error);
  const detail = error instanceof Error ? error.message : String(error);
  return code === undefined || reasons[code] === undefined ? detail : `${reasons[code]} (${code})`;
}

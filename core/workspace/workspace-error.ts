/**
 * What a workspace cannot do. This module is browser compatible.
 *
 * | code | meaning |
 * | --- | --- |
 * | `not_found` | nothing stands at the path |
 * | `not_a_file` | a directory or a submodule stands at the path |
 * | `not_text` | the bytes are not UTF-8 |
 * | `unsupported_target` | the path can stand in no git tree |
 * | `path_conflict` | a file and a directory would stand at the same path |
 * | `object_missing` | a blob is in no store |
 * | `unsupported_repository` | a repository of a form that Yada does not read |
 * | `changed_while_reading` | a file kept changing while it was read |
 */
export type WorkspaceCode =
  | "not_found"
  | "not_a_file"
  | "not_text"
  | "unsupported_target"
  | "path_conflict"
  | "object_missing"
  | "unsupported_repository"
  | "changed_while_reading";

/** Thrown by a workspace. `code` is stable; `path` (or an object id) says what it is about. */
export class WorkspaceError extends Error {
  override readonly name = "WorkspaceError";
  readonly code: WorkspaceCode;
  readonly path: string;

  constructor(code: WorkspaceCode, path: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.path = path;
  }
}

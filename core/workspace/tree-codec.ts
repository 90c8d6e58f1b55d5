/** The body of a git tree object. This module is browser compatible. Source: gitformat-pack(5), tree.c of git. */
import { decodePath, encodePath } from "./path-bytes.ts";
import type { FileMode, Oid } from "./types.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** One line of a tree object, as git stores it. */
export interface TreeLine {
  readonly mode: FileMode | "40000";
  readonly name: string;
  readonly oid: Oid;
}

const oidBytes = 20;

/** The body of the tree object with these lines, which are already in git's order. */
export function encodeTree(lines: readonly TreeLine[]): Uint8Array {
  const names = lines.map((line) => encodePath(line.name));
  let length = 0;
  for (const [index, line] of lines.entries()) length += line.mode.length + (names[index]?.length ?? 0) + 2 + oidBytes;
  const body = new Uint8Array(length);
  let at = 0;
  for (const [index, line] of lines.entries()) {
    for (let i = 0; i < line.mode.length; i += 1) body[at++] = line.mode.charCodeAt(i);
    body[at++] = 0x20;
    const name = names[index] ?? new Uint8Array();
    body.set(name, at);
    at += name.length;
    body[at++] = 0;
    for (let i = 0; i < oidBytes; i += 1) body[at++] = Number.parseInt(line.oid.slice(i * 2, i * 2 + 2), 16);
  }
  return body;
}

/** The lines of a tree object. Old modes (`100664`) are read as git reads them. */
export function decodeTree(body: Uint8Array): TreeLine[] {
  const lines: TreeLine[] = [];
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const end = body.indexOf(0, space);
    if (space < 0 || end < 0 || end + oidBytes >= body.length) {
      throw new WorkspaceError("unsupported_repository", "", "A tree object of this repository is damaged.");
    }
    let oid = "";
    for (let i = end + 1; i <= end + oidBytes; i += 1) oid += (body[i] ?? 0).toString(16).padStart(2, "0");
    lines.push({
      mode: modeOf(String.fromCharCode(...body.subarray(at, space))),
      name: decodePath(body.subarray(space + 1, end)),
      oid,
    });
    at = end + 1 + oidBytes;
  }
  return lines;
}

function modeOf(text: string): TreeLine["mode"] {
  const bits = Number.parseInt(text, 8);
  const type = bits & 0o170000;
  if (type === 0o040000) return "40000";
  if (type === 0o120000) return "120000";
  if (type === 0o160000) return "160000";
  return (bits & 0o100) !== 0 ? "100755" : "100644";
}

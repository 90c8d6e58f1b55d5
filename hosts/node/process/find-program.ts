/** Finding the file that an argument list would start, so that a failure to start has a sentence of its own. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

export type FoundProgram = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: string };

/** Looks a program up as `execvp` does: a word with a slash is a path, any other is looked for in the folders of `path`. */
export function findProgram(name: string, cwd: string, path: string): FoundProgram {
  if (name === "") return { ok: false, why: "The command is empty." };
  if (name.includes("\0")) return { ok: false, why: "The command's name holds a NUL byte." };
  if (name.includes("/")) {
    const found = kindOf(resolve(cwd, name));
    if (found === "program") return { ok: true, path: resolve(cwd, name) };
    return { ok: false, why: found === "absent" ? `${name}: there is no such file.` : notExecutable(name) };
  }
  let blocked: string | undefined;
  for (const folder of path.split(delimiter)) {
    const place = join(isAbsolute(folder) ? folder : resolve(cwd, folder), name);
    const found = kindOf(place);
    if (found === "program") return { ok: true, path: place };
    if (found === "not executable") blocked ??= place;
  }
  return { ok: false, why: blocked === undefined ? `${name}: no such program on the PATH.` : notExecutable(blocked) };
}

function notExecutable(place: string): string {
  return `${place}: not an executable file.`;
}

function kindOf(place: string): "program" | "not executable" | "absent" {
  try {
    if (!statSync(place).isFile()) return "not executable";
  } catch {
    return "absent";
  }
  try {
    accessSync(place, constants.X_OK);
    return "program";
  } catch {
    return "not executable";
  }
}

/** The name of a program, whatever way it is written. This module is browser compatible. */
import { foldPath } from "./glob.ts";

const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["nodejs", "node"],
  ["gmake", "make"],
  ["gsed", "sed"],
  ["gfind", "find"],
  ["pip3", "pip"],
  ["egrep", "grep"],
  ["fgrep", "grep"],
  ["py", "python"],
  ["py.test", "pytest"],
]);

/** `/usr/bin/GIT.exe` and `git` are one program: directories, case and Windows' endings do not count. */
export function canonicalProgram(word: string): string {
  const name = foldPath(word.replace(/^.*[/\\]/, "")).replace(/\.(exe|cmd|bat|com|ps1)$/, "");
  if (/^python\d(\.\d+)?$/.test(name)) return "python";
  return SYNONYMS.get(name) ?? name;
}

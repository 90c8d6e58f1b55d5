/** The settings of a repository that decide how its working tree is read. */
import { runGit } from "./git.ts";

export interface GitConfig {
  readonly ignoreCase: boolean;
  /** Whether the executable bit on disk counts (`core.fileMode`). */
  readonly fileMode: boolean;
  /** Whether links are links on disk (`core.symlinks`). */
  readonly symlinks: boolean;
  readonly autocrlf: "true" | "input" | "false";
  /** Whether text is checked out with CRLF where nothing else says so (`core.eol`). */
  readonly eolIsCrlf: boolean;
  readonly attributesFile: string | undefined;
  /** The names of the filter drivers that run a program. */
  readonly filters: readonly string[];
}

export async function readGitConfig(root: string): Promise<GitConfig> {
  const values = new Map<string, string | null>();
  for (const item of (await runGit(root, ["config", "-z", "--list"])).toString().split("\0")) {
    if (item === "") continue;
    const end = item.indexOf("\n");
    values.set(end < 0 ? item : item.slice(0, end), end < 0 ? null : item.slice(end + 1));
  }
  const isOn = (name: string, otherwise: boolean): boolean => {
    const value = values.get(name);
    if (value === undefined) return otherwise;
    return value === null || /^(true|yes|on|[1-9][0-9]*)$/i.test(value);
  };
  const filters = new Set<string>();
  for (const [key, value] of values) {
    const name = /^filter\.(.+)\.(clean|smudge|process)$/s.exec(key)?.[1];
    if (name !== undefined && value) filters.add(name);
  }
  const isInput = values.get("core.autocrlf")?.toLowerCase() === "input";
  return {
    ignoreCase: isOn("core.ignorecase", false),
    fileMode: isOn("core.filemode", true),
    symlinks: isOn("core.symlinks", true),
    autocrlf: isInput ? "input" : isOn("core.autocrlf", false) ? "true" : "false",
    eolIsCrlf: values.get("core.eol")?.toLowerCase() === "crlf",
    attributesFile: values.get("core.attributesfile") ?? undefined,
    filters: [...filters],
  };
}

/** The attributes of paths, asked of git itself. */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { decodePath, encodePath } from "../../../core/workspace/mod.ts";
import { runGit } from "./git.ts";
import type { GitConfig } from "./git-config.ts";
import type { TextAttributes } from "./text-conversion.ts";

export interface PathAttributes extends TextAttributes {
  readonly ident: string;
  readonly filter: string;
  readonly "working-tree-encoding": string;
}

const names = ["text", "crlf", "eol", "ident", "filter", "working-tree-encoding"] as const;

/** What `git check-attr` says of each path. */
export async function attributesOf(root: string, paths: readonly string[]): Promise<Map<string, PathAttributes>> {
  const found = new Map<string, PathAttributes>();
  if (paths.length === 0) return found;
  const input = Buffer.concat(paths.flatMap((path) => [encodePath(path), Buffer.from("\0")]));
  const output = await runGit(root, ["check-attr", "-z", "--stdin", ...names], { input });
  const fields = decodePath(output).split("\0");
  for (let at = 0; at + names.length * 3 <= fields.length; at += names.length * 3) {
    const value = (index: number) => fields[at + index * 3 + 2] ?? "unspecified";
    found.set(fields[at] ?? "", {
      text: value(0),
      crlf: value(1),
      eol: value(2),
      ident: value(3),
      filter: value(4),
      "working-tree-encoding": value(5),
    });
  }
  return found;
}

/**
 * The text of every file that can give attributes to paths of this tree. Empty where there is none: then only `core.autocrlf`
 * converts.
 */
export async function attributeSources(
  root: string,
  gitDirectory: string,
  config: GitConfig,
  paths: Iterable<string>,
): Promise<string> {
  const files = [
    join(gitDirectory, "info/attributes"),
    (config.attributesFile ?? join(process.env["XDG_CONFIG_HOME"] || "~/.config", "git/attributes")).replace(
      /^~/,
      homedir(),
    ),
    "/etc/gitattributes",
  ];
  for (const path of paths) if (/(^|\/)\.gitattributes$/.test(path)) files.push(join(root, path));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  return texts.join("\n");
}

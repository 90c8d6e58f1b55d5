/**
 * From Node 21 on, the operands of `node --test` are globs: `[id].test.js` means `i.test.js` or `d.test.js`. Earlier they are paths, and a shell
 * has to expand globs. This script, loaded into the judging process, makes both mean the same: a word that is the path of a file means that file,
 * any other is a glob. For Node 21 and later a path is written with `?`, any one character, in the place of what a glob would read otherwise
 * (a brace, for one, cannot be quoted).
 */
export const source = `"use strict";
const { existsSync, readdirSync } = require("node:fs");
const { posix } = require("node:path");

const magic = /[*?{}()[\\]]/;
const readsGlobs = Number.parseInt(process.versions.node, 10) >= 21;
if (process.env.NODE_TEST_CONTEXT === undefined) {
  process.argv.push(...process.argv.splice(1).flatMap(operand));
}

function operand(word) {
  if (existsSync(word)) return readsGlobs ? word.replace(new RegExp(magic, "g"), "?") : word;
  if (readsGlobs || !magic.test(word)) return word;
  const found = expand(word);
  return found.length === 0 ? word : found;
}

function expand(glob) {
  let found = [glob.startsWith("/") ? "/" : "."];
  for (const part of glob.split("/").filter((each) => each !== "" && each !== ".")) {
    if (part === "**") found = found.flatMap(folders);
    else if (!magic.test(part)) found = found.map((folder) => posix.join(folder, part));
    else {
      const pattern = toRegExp(part);
      found = found.flatMap((folder) =>
        list(folder).filter(({ name }) => pattern.test(name)).map(({ name }) => posix.join(folder, name)),
      );
    }
  }
  return [...new Set(found)].filter((path) => existsSync(path));
}

function folders(folder) {
  const inner = list(folder).filter((entry) => entry.isDirectory() && !/^(\\.|node_modules$)/.test(entry.name));
  return [folder, ...inner.flatMap(({ name }) => folders(posix.join(folder, name)))];
}

function list(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function toRegExp(part) {
  const text = part
    .replace(/[.+^$()|\\\\]/g, "\\\\$&")
    .replace(/\\*/g, "[^/]*")
    .replace(/\\?/g, "[^/]")
    .replace(/\\[!/g, "[^")
    .replace(/\\{([^{}]*)\\}/g, (_, inner) => "(?:" + inner.replace(/,/g, "|") + ")");
  return new RegExp((/^[*?[]/.test(part) ? "^(?!\\\\.)" : "^") + text + "$");
}
`;

/** Whether a word may mean something else as a glob than as a path. */
export function isMagic(word: string): boolean {
  return /[*?{}()[\]]/.test(word);
}

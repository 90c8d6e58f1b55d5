// Replays a bug-fix commit of a real repository: its tests in red, the rest of it in fix.
//
//   node scripts/replay-commit.mjs --dir CHECKOUT --commit SHA --file test/a.test.js --name "group > test" [--variant honest|no_fix|fix_first]
//
// CHECKOUT is a clean working tree at the commit's parent, with its dependencies installed. The script that was played is written beside the runs.
// Prints { variant, status, outcome, transitions, exit }. `npm run build` first.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    dir: { type: "string" },
    commit: { type: "string" },
    file: { type: "string" },
    name: { type: "string" },
    policy: { type: "string" },
    command: { type: "string" },
    variant: { type: "string", default: "honest" },
    tests: { type: "string", default: "(^|/)(test|tests|__tests__)/|[.-](test|spec)\\.[cm]?[jt]sx?$" },
  },
});
const { dir, commit, file, name, variant } = values;
if (!dir || !commit || !file || !name) throw new Error("--dir, --commit, --file and --name are needed");

const git = (...args) => execFileSync("git", args, { cwd: dir, encoding: "utf8", maxBuffer: 1 << 28 });
const isTest = new RegExp(values.tests);
const changed = git("diff", "--name-only", "-z", `${commit}^`, commit).split("\0").filter(Boolean);
const tests = changed.filter((path) => isTest.test(path));
const others = changed.filter((path) => !isTest.test(path));
if (tests.length === 0 || others.length === 0)
  throw new Error(`The commit changes ${tests.length} test files and ${others.length} others; it needs both.`);

const hashAt = (path) => {
  try {
    return createHash("sha256")
      .update(execFileSync("git", ["show", `${commit}^:${path}`], { cwd: dir, stdio: ["ignore", "pipe", "ignore"] }))
      .digest("hex");
  } catch {
    return null;
  }
};
const patchOf = (paths) => ({
  tool: "apply_patch",
  input: {
    patch: git("diff", "--no-renames", "--no-ext-diff", `${commit}^`, commit, "--", ...paths),
    expected_files: Object.fromEntries(paths.map((path) => [path, hashAt(path)])),
  },
});
const choose = {
  tool: "select_strategy",
  input: { strategy: "red_green", reason: "the commit fixes a bug that its test shows" },
  expect: { ok: true },
};
const submit = {
  tool: "submit_red_test",
  input: { file, name, ...(values.command ? { command: values.command } : {}) },
};
const red = [choose, patchOf(tests), submit];
const finish = [
  { tool: "run_tests", input: {} },
  { tool: "finish_task", input: { summary: "done" } },
];
const sessions = {
  honest: [red, [patchOf(others), ...finish]],
  no_fix: [red, finish],
  fix_first: [[choose, patchOf(others), ...red.slice(1)], finish],
}[variant];
if (sessions === undefined) throw new Error(`there is no variant ${variant}`);

const place = join(mkdtempSync(join(tmpdir(), "yada-replay-")), `${variant}.json`);
writeFileSync(
  place,
  JSON.stringify({
    task: git("log", "-1", "--format=%s", commit).trim(),
    sessions,
    approvals: ["accept", "accept", "accept"],
  }),
);
const cli = new URL("../dist/cli.mjs", import.meta.url).pathname;
const played = spawnSync(
  "node",
  [cli, "run", "--script", place, "--dir", dir, "--json", ...(values.policy ? ["--policy", values.policy] : [])],
  { encoding: "utf8", maxBuffer: 1 << 28 },
);
process.stderr.write(played.stderr);
const { status, outcome, transitions, run } = JSON.parse(played.stdout);
console.log(
  JSON.stringify({ variant, commit, status, outcome: outcome?.classification, transitions, run, exit: played.status }),
);

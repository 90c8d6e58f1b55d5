/**
 * What Yada adds to a run over the sum of its test commands. The peer is the same commands, in the same order, run by hand in a plain checkout in the same
 * process: the target twice, the whole suite, the target, the whole suite, the target, the target.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { main } from "../hosts/cli/main.ts";

const cheats = join(import.meta.dirname, "../test/cheats");
const ROUNDS = 5;
/** A suite that takes as long as small real ones do, so that the figure is not only the start of processes. */
const SLOW = `import { test } from "node:test";\n\ntest("takes its time", async () => {\n  await new Promise((done) => setTimeout(done, 3_000));\n});\n`;

function repository(): string {
  const dir = mkdtempSync(join(tmpdir(), "yada-bench-"));
  cpSync(join(cheats, "repository"), dir, { recursive: true });
  writeFileSync(join(dir, "test/slow.test.js"), SLOW);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.invalid", ...args], { cwd: dir });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "base");
  return dir;
}

it("what Yada adds to a run", async () => {
  const ratios: number[] = [];
  const added: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const dir = repository();
    const began = performance.now();
    const code = await main(["run", "--script", join(cheats, "honest/honest.yaml"), "--json"], {
      cwd: dir,
      isTerminal: false,
      colour: false,
      out: () => {},
      err: () => {},
    });
    const whole = performance.now() - began;
    expect(code).toBe(0);
    const target = ["--test", "test/negative.test.js"];
    const suite = ["--test"];
    const again = performance.now();
    for (const argv of [target, target, suite, target, suite, target, target])
      spawnSync(process.execPath, argv, {
        cwd: dir,
        stdio: "ignore",
        env: { PATH: process.env["PATH"], HOME: process.env["HOME"], CI: "1" },
      });
    const peer = performance.now() - again;
    ratios.push(whole / peer);
    added.push(whole - peer);
    rmSync(dir, { recursive: true, force: true });
  }
  const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  console.log(
    `overhead: a run takes ${middle(ratios).toFixed(3)} times its test commands by hand (median of ${ROUNDS}); it adds ${Math.round(middle(added))} ms, reports, lanes, isolation and canary included`,
  );
});

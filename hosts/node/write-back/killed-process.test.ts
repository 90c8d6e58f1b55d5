import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { diskWriteBack, recoverWriteBack } from "./mod.ts";
import { after, before, exactStateOf, fixture, stateOf } from "./write-back-fixture.ts";

let directory = "";
/** A process that writes the fixture's change and sends itself SIGKILL before the change of the disk with the given number. */
let program = "";

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "yada-killed-"));
  const here = import.meta.dirname;
  const entry = join(directory, "writer.ts");
  writeFileSync(
    entry,
    `import { writeSync } from "node:fs";
     import { diskWriteBack, nodeDisk } from ${JSON.stringify(join(here, "mod.ts"))};
     import { exactStateOf, fixture, watchedDisk } from ${JSON.stringify(join(here, "write-back-fixture.ts"))};
     const made = await fixture();
     writeSync(1, JSON.stringify({ root: made.root, exact: exactStateOf(made.root) }) + "\\n");
     const disk = watchedDisk(nodeDisk(), ({ changes }) => {
       if (changes >= Number(process.argv[2])) process.kill(process.pid, "SIGKILL");
     });
     const result = await diskWriteBack({ ...made, disk }).write(made.work);
     writeSync(1, JSON.stringify(result));`,
  );
  await build({
    configFile: false,
    logLevel: "silent",
    root: directory,
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir: join(directory, "out"),
      target: "node20",
      rollupOptions: { output: { entryFileNames: "writer.mjs" } },
    },
  });
  program = join(directory, "out/writer.mjs");
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("a process that is killed while it writes leaves what the recovery makes whole", async () => {
  const { work, remove } = await fixture();
  remove();
  const states: string[] = [];
  for (let at = 1; ; at += 5) {
    const child = spawnSync(process.execPath, [program, String(at)], { encoding: "utf8" });
    const [first = "", last = ""] = child.stdout.split("\n");
    const { root, exact }: { root: string; exact: string[] } = JSON.parse(first);
    const runDirectory = join(root, ".yada/runs/1");
    try {
      if (child.signal !== "SIGKILL") {
        expect(last, child.stderr).toContain('"ok":true');
        expect(stateOf(root)).toEqual(after);
        break;
      }
      expect(await recoverWriteBack(runDirectory, root)).toMatchObject({ ok: true, leftAlone: [] });
      const isNew = existsSync(join(root, "fresh"));
      states.push(isNew ? "new" : "old");
      expect(stateOf(root)).toEqual(isNew ? after : before);
      if (!isNew) expect(exactStateOf(root)).toEqual(exact);
      expect(existsSync(join(runDirectory, "write-back"))).toBe(false);
      expect(await diskWriteBack({ root, runDirectory }).write(work)).toMatchObject({ ok: true });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  expect(states.length).toBeGreaterThan(10);
  expect(states).toContain("old");
});

/** Kernel events per second over the simulated world: what the kernel itself costs, with commands that take no time. The peer is JSON round trips of the same events. */
import { expect, it } from "vitest";
import { evolve, INITIAL } from "../core/run/mod.ts";
import { directExecute, redGreen } from "../plugins/strategies/mod.ts";
import { scripted, world } from "../test/kernel/simulation.ts";
import { finish, RED, runTests, write } from "../test/kernel/steps.ts";

const RUNS = 200;
const FILES = { "src/value.txt": "1\n", "test/old.test.txt": "test old = 2\n", "sim.config": "strict\n" };

it("kernel events per second", async () => {
  const play = async () => {
    const made = await world({
      model: (workspace) => scripted(workspace, [RED, [write("src/value.txt", "1", "2"), runTests(), finish]]),
      plugins: [redGreen, directExecute],
      files: FILES,
    });
    await made.kernel.run("Make the value two.");
    return made.events;
  };
  const sample = await play();
  const started = performance.now();
  let events = 0;
  for (let run = 0; run < RUNS; run += 1) events += (await play()).length;
  const seconds = (performance.now() - started) / 1000;

  const again = performance.now();
  for (let run = 0; run < RUNS; run += 1) for (const event of sample) JSON.parse(JSON.stringify(event));
  const peer = (performance.now() - again) / 1000;

  const folding = performance.now();
  for (let run = 0; run < RUNS; run += 1) sample.reduce(evolve, INITIAL);
  const fold = (performance.now() - folding) / 1000;

  console.log(
    `kernel: ${Math.round(events / seconds)} events/s over ${RUNS} whole runs of ${sample.length} events (edits, guards and policy included)`,
  );
  console.log(
    `kernel: evolve alone ${Math.round((RUNS * sample.length) / fold)} events/s; ratio to a JSON round trip of the same events ${(fold / peer).toFixed(2)}`,
  );
  expect(events).toBe(RUNS * sample.length);
});

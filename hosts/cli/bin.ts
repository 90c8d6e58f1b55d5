#!/usr/bin/env node
import { main } from "./main.ts";

const stop = new AbortController();
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // The second time the person means it.
    if (interrupted) process.exit(130);
    interrupted = true;
    process.stderr.write("\nstopping: ending child processes; the disk stays as it is\n");
    stop.abort();
  });
}

const isTerminal = process.stdout.isTTY === true;
const noColour = process.env["NO_COLOR"] !== undefined && process.env["NO_COLOR"] !== "";
process.exitCode = await main(
  process.argv.slice(2),
  {
    cwd: process.cwd(),
    isTerminal,
    colour: isTerminal && !noColour,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  },
  stop.signal,
);

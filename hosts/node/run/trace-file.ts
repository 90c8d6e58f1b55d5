/** The trace on disk: one sealed line an event, and the head beside it. */
import { type FileHandle, open, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { EMPTY_HEAD, type RunEvent, sealEvent, type TraceHead, type TraceSink } from "../../../core/run/mod.ts";
import { isMissing, replaceFile } from "./run-directory.ts";

/** After these the host acts on the world, so they must be on the disk first. */
const DURABLE: ReadonlySet<RunEvent["type"]> = new Set([
  "run_started",
  "test_frozen",
  "finish_accepted",
  "written",
  "run_finished",
  "approval_answered",
]);

export interface TraceFile extends TraceSink {
  close(): Promise<void>;
}

/** Opens the trace for appending after `head`. A last line that was cut while it was written is taken away. */
export async function openTraceFile(
  directory: string,
  now: () => number,
  head: TraceHead = EMPTY_HEAD,
  seen?: (event: RunEvent, ms: number) => void,
): Promise<TraceFile> {
  const path = join(directory, "trace.jsonl");
  await cutUnfinishedLine(path);
  const file: FileHandle = await open(path, "a");
  let last = head;
  let before = now();
  return {
    async append(event) {
      const at = now();
      const sealed = sealEvent(event, { at, ms: at - before }, last);
      await file.write(`${sealed.line}\n`);
      if (DURABLE.has(event.type)) await file.sync();
      last = sealed.head;
      await replaceFile(join(directory, "head.json"), JSON.stringify(last));
      seen?.(event, at - before);
      before = at;
    },
    close: () => file.close(),
  };
}

async function cutUnfinishedLine(path: string): Promise<void> {
  try {
    const bytes = await readFile(path);
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end < bytes.length) await truncate(path, end);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

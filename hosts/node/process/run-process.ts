/** Running an argument list: never through a shell, in a process group of its own, with bounded output. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import type { Readable } from "node:stream";
import type { Exit } from "../../../core/evidence/mod.ts";
import { BoundedOutput } from "./bounded-output.ts";
import type { Bubblewrap } from "./bubblewrap.ts";
import { findProgram } from "./find-program.ts";
import { killGroup, killMarked, killMarkedNow, markerVariable, untilGone } from "./process-family.ts";

export interface ProcessRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Of `output`: half for its head and half for its tail. 200,000 where not given. */
  readonly maxBytes?: number;
  /** Keeps the whole of standard output as well, up to `maxCaptureBytes`. */
  readonly stdout?: "capture";
  /** 64 MiB where not given. */
  readonly maxCaptureBytes?: number;
  /** Ends the command. */
  readonly signal?: AbortSignal;
  /** Starts the command in a sandbox. */
  readonly bubblewrap?: Bubblewrap;
}

export interface ProcessResult {
  readonly exit: Exit;
  /** Standard output and error as they came, head and tail. */
  readonly output: string;
  /** The whole of standard output, where it was asked for and was not too long. */
  readonly stdout: string | null;
  readonly durationMs: number;
  readonly aborted: boolean;
  /** What the person should know about how the command ended: processes left behind, output too long. */
  readonly notes: readonly string[];
  /** Why the command could not be started. */
  readonly cannotRun?: string;
}

const nothing = { exit: { code: null, signal: null, timedOut: false }, output: "", stdout: null, notes: [] };
const maxTimerMs = 2 ** 31 - 1;
/** How long killed processes may take to be gone, and how long a pipe may stay open that one of them has left. */
const patienceMs = 2_000;

/**
 * Runs a command to its end, its timeout or the signal, and then ends everything that it started. Never rejects for what the
 * command does: a command that cannot be started gives `cannotRun`, one sentence.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const began = performance.now();
  const refused = whyNot(request);
  if (refused !== undefined) {
    return { ...nothing, durationMs: 0, aborted: request.signal?.aborted === true, cannotRun: refused };
  }
  const marker = randomUUID();
  const child = start(request, marker);
  if (child instanceof Error)
    return { ...nothing, durationMs: 0, aborted: false, cannotRun: notStarted(request, child) };
  const output = new BoundedOutput(request.maxBytes ?? 200_000);
  const capture = new Capture(request.maxCaptureBytes ?? 64 * 2 ** 20);
  const status: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => {
    output.push(chunk);
    if (request.stdout === "capture") capture.push(chunk);
  });
  child.stderr?.on("data", (chunk: Buffer) => output.push(chunk));
  const statusPipe = child.stdio[3];
  if (isReadable(statusPipe)) statusPipe.on("data", (chunk: Buffer) => status.push(chunk));

  let reason: "timeout" | "abort" | undefined;
  const end = (why: "timeout" | "abort") => {
    reason ??= why;
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const onAbort = () => end("abort");
  const onHostExit = () => {
    end("abort");
    killMarkedNow(marker);
  };
  const timer = setTimeout(() => end("timeout"), Math.min(request.timeoutMs, maxTimerMs));
  request.signal?.addEventListener("abort", onAbort, { once: true });
  process.once("exit", onHostExit);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const ended = await new Promise<{ code: number | null; signal: string | null } | { error: Error }>((resolve) => {
    child.once("error", (error) => resolve({ error }));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  clearTimeout(timer);
  const durationMs = performance.now() - began;
  const notes: string[] = [];
  try {
    if ("error" in ended) {
      return { ...nothing, durationMs, aborted: false, cannotRun: notStarted(request, ended.error) };
    }
    if (child.pid !== undefined) killGroup(child.pid);
    if (request.bubblewrap === undefined && (await killMarked(marker, patienceMs)) > 0) {
      notes.push("The command left processes behind in other process groups; they were ended.");
    }
    if (!(await within(patienceMs, closed))) {
      notes.push("A process that the command started, and that could not be found, kept its output open.");
    }
    const sandbox = statusOf(status);
    if (sandbox.pid !== undefined && !(await untilGone(sandbox.pid, patienceMs))) {
      notes.push("Processes of the command were still ending after it.");
    }
    const text = output.text();
    if (capture.isFull) notes.push(`Standard output was longer than ${capture.maxBytes} bytes and was not kept whole.`);
    const cannotRun =
      request.bubblewrap === undefined || reason !== undefined ? undefined : sandboxFailure(ended.code, sandbox, text);
    return {
      exit: { code: ended.code, signal: ended.signal, timedOut: reason === "timeout" && ended.code === null },
      output: text,
      stdout: request.stdout === "capture" && !capture.isFull ? capture.text() : null,
      durationMs,
      aborted: reason === "abort",
      notes,
      ...(cannotRun === undefined ? {} : { cannotRun }),
    };
  } finally {
    request.signal?.removeEventListener("abort", onAbort);
    process.removeListener("exit", onHostExit);
    child.stdout?.destroy();
    child.stderr?.destroy();
    if (isReadable(statusPipe)) statusPipe.destroy();
  }
}

/** Some failures to start are thrown, others come as an event. */
function start(request: ProcessRequest, marker: string): ChildProcess | Error {
  const [program = "", ...args] = [...(request.bubblewrap?.argv ?? []), ...request.argv];
  try {
    return spawn(program, args, {
      cwd: request.cwd,
      env: { ...request.env, [markerVariable]: [process.env[markerVariable], marker].filter(Boolean).join(":") },
      detached: true,
      stdio: ["ignore", "pipe", "pipe", request.bubblewrap === undefined ? "ignore" : "pipe"],
    });
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return error;
    throw error;
  }
}

function whyNot(request: ProcessRequest): string | undefined {
  const [program = ""] = request.argv;
  if (request.signal?.aborted === true) return `${program}: stopped before it started.`;
  const bad = [...request.argv, ...Object.entries(request.env).flat()].find((word) => word.includes("\0"));
  if (bad !== undefined) return `${program}: an argument or a variable holds a NUL byte.`;
  try {
    if (!statSync(request.cwd).isDirectory()) return `${request.cwd}: the working directory is no directory.`;
  } catch {
    return `${request.cwd}: the working directory is gone.`;
  }
  // In a sandbox a path may mean another file than here; there the sandbox itself says what is missing.
  if (request.bubblewrap !== undefined && program.includes("/")) return undefined;
  const found = findProgram(program, request.cwd, request.env["PATH"] ?? "");
  return found.ok ? undefined : found.why;
}

function notStarted(request: ProcessRequest, error: Error): string {
  const [program = ""] = request.argv;
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT")
    return `${program}: could not be started. The interpreter that its first line names is missing.`;
  if (code === "E2BIG") return `${program}: could not be started. Its arguments and environment are too long.`;
  return `${program}: could not be started (${error.message}).`;
}

/** What bubblewrap writes to its status descriptor: one JSON object a line. */
function statusOf(chunks: readonly Buffer[]): { readonly pid?: number; readonly hasExited: boolean } {
  const text = Buffer.concat(chunks).toString();
  const pid = /"child-pid":\s*(\d+)/.exec(text)?.[1];
  return { hasExited: text.includes('"exit-code"'), ...(pid === undefined ? {} : { pid: Number(pid) }) };
}

function sandboxFailure(code: number | null, status: { hasExited: boolean }, output: string): string | undefined {
  if (code === 1 && /^bwrap: execvp /m.test(output)) {
    return `The command could not be started in the sandbox: ${/^bwrap: execvp (.*)$/m.exec(output)?.[1] ?? ""}.`;
  }
  if (!status.hasExited) return `The sandbox could not be made: ${output.trim().slice(0, 500)}`;
  return undefined;
}

class Capture {
  readonly maxBytes: number;
  isFull = false;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#length += chunk.length;
    this.isFull ||= this.#length > this.maxBytes;
    if (this.isFull) this.#chunks.length = 0;
    else this.#chunks.push(chunk);
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === "object" && stream !== null && "read" in stream;
}

async function within(ms: number, promise: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const done = await Promise.race([promise.then(() => true as const), late]);
  clearTimeout(timer);
  return done;
}

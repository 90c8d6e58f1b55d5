/** V8 stack traces, as Node, Deno and Chromium write them (https://v8.dev/docs/stack-trace-api). */
import type { Failure, Frame } from "../../../core/evidence/mod.ts";
import { isAbsolute, normalisePath, relativeTo } from "./paths.ts";

export const MAX_FRAMES = 20;

/** Where the frames lie, and which of them tell where the error was raised. */
export interface ParsedStack {
  /** Without the engine's own frames, the innermost first, at most `MAX_FRAMES`. */
  readonly frames: readonly Frame[];
  /** The innermost frame that belongs to the project: below the root, and no dependency. */
  readonly innermost: Frame | undefined;
}

/**
 * Reads the frames of a stack. `message` is cut off first, so that a message with lines that look like frames cannot name a place.
 * With no `root`, every frame that is neither engine nor dependency counts as the project's.
 */
export function parseStack(stack: string, options: { root?: string | undefined; message?: string } = {}): ParsedStack {
  const frames: Frame[] = [];
  let innermost: Frame | undefined;
  for (const line of frameLines(stack, options.message ?? "")) {
    const place = placeOf(line);
    if (place === null || isEngine(place.file)) continue;
    const frame: Frame = { ...place, file: relativeTo(place.file, options.root) };
    if (innermost === undefined && isProject(frame.file, options.root)) innermost = frame;
    if (frames.length < MAX_FRAMES) frames.push(frame);
  }
  return { frames, innermost };
}

/** Who raised the error, by the innermost frame of the project. */
export function originOf(stack: ParsedStack, isTest: (path: string) => boolean): Failure["origin"] {
  if (stack.innermost === undefined) return "runner";
  return isTest(stack.innermost.file) ? "test" : "production";
}

/** Whether a normalised path lies in a folder of installed packages. */
export function isDependency(file: string): boolean {
  return /(^|\/)node_modules\//.test(file);
}

function isProject(file: string, root: string | undefined): boolean {
  if (isDependency(file)) return false;
  return root === undefined || root === "" || !isAbsolute(file);
}

/** The lines that are frames. Where the message does not open the stack, only the last unbroken block of frames is taken. */
function frameLines(stack: string, message: string): string[] {
  const at = message === "" ? -1 : stack.indexOf(message);
  // "Name [CODE]: message": a name is one line, so the message starts on the first.
  if (at >= 0 && !stack.slice(0, at).includes("\n")) {
    return stack
      .slice(at + message.length)
      .split(/\r?\n/)
      .filter(isFrameLine);
  }
  const lines = stack.split(/\r?\n/);
  while (lines.length > 0 && !isFrameLine(lines.at(-1) ?? "")) lines.pop();
  let first = lines.length;
  while (first > 0 && isFrameLine(lines[first - 1] ?? "")) first--;
  return lines.slice(first);
}

function isFrameLine(line: string): boolean {
  return /^\s*at \S/.test(line);
}

/** `at fn (file:1:2)`, `at async file:1:2`, `at new A (eval at f (file:1:2), <anonymous>:1:1)`. */
function placeOf(line: string): Frame | null {
  const text = line.trim().slice("at ".length);
  const evaluated = /\(eval at .*?\((.+?:\d+:\d+)\)/.exec(text)?.[1];
  const inside = evaluated ?? /\s\((.+)\)$/.exec(text)?.[1] ?? text.replace(/^async /, "");
  const match = /^(.+?)(?::(\d+))?(?::(\d+))?$/.exec(inside);
  const file = match?.[1];
  if (file === undefined || match?.[2] === undefined) return null;
  const column = match[3] === undefined ? {} : { column: Number(match[3]) };
  return { file: normalisePath(file), line: Number(match[2]), ...column };
}

/** The engine, evaluated text without a file, and other places that no file of the project can have. */
function isEngine(file: string): boolean {
  return /^(node:|internal\/|native$|<anonymous>|evalmachine\.|wasm:|data:|ext:|\[)/.test(file);
}

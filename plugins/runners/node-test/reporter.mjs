/**
 * Yada's reporter for `node --test`: writes the JSON lines of javascript/report-lines.ts into the file named by YADA_REPORT.
 *
 * It runs in the process of `node --test` itself, which starts one process for each test file and reads its events from that process's standard
 * output. preload.mjs, in those processes, seals what the test runner reports; events without a seal are not believed. The last line is
 * written only when the runner's stream ended.
 */
import { createHmac, randomBytes } from "node:crypto";
import { openSync, readFileSync, writeSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const { YADA_REPORT: target, YADA_NONCE: nonce, YADA_TESTS: forTests } = process.env;
/** What is meant for the processes of the test files, and not for this one. */
const { require: modules = [], flags = [] } = JSON.parse(forTests ?? "{}");
const key = randomBytes(32).toString("hex");
// The processes of the test files start later and inherit the environment: they are not told where the report goes.
delete process.env.YADA_REPORT;
delete process.env.YADA_NONCE;
delete process.env.YADA_TESTS;
process.env.YADA_TEST_PROCESS = JSON.stringify({ key, folder: dirname(fileURLToPath(import.meta.url)), modules });
// The runner starts each of them with the options of this process.
process.execArgv.push(...flags);

/** With these options, a file may rightly leave no test. */
const filtered = process.execArgv.some((word) =>
  /^--(experimental-)?test-(name-pattern|skip-pattern|only|tag-filter)\b/.test(word),
);

// biome-ignore lint/correctness/useYield: what a reporter yields goes to a stream; the report goes to a file of its own.
export default async function* yadaReporter(source) {
  const report = new Report();
  for await (const { type, data } of source) report.take(type, data ?? {});
  report.end();
}

class Report {
  #descriptor;
  #written = "";
  #files = new Map();
  #failed = false;
  #forgeries = new Set();

  constructor() {
    if (!target) throw new Error("YADA_REPORT names no file for the report.");
    this.#descriptor = openSync(target, "a");
    this.#write({ yada: "report/1", nonce, runner: "node-test", version: process.versions.node });
  }

  take(type, data) {
    if (data.yada !== undefined) this.#takeSealed(type, data);
    else this.#takeOwn(type, data);
  }

  end() {
    for (const file of this.#files.values()) {
      if (!file.ended) this.#problem("runner", { message: "This test file never ended." }, file);
    }
    if (readFileSync(target, "utf8") !== this.#written) {
      this.#problem("runner", { message: "Something else wrote into the report." });
    }
    this.#write({ end: { reason: this.#failed ? "failed" : "passed" } });
  }

  /** What the process of a test file reported. */
  #takeSealed(type, data) {
    const { n, entry, mac } = data.yada;
    const expected = createHmac("sha256", key)
      .update(sealedText(n, entry, type, data))
      .digest("hex");
    if (mac !== expected) {
      this.#forged(this.#files.get(data.file));
      return;
    }
    const file = this.#file(entry);
    if (n < file.next) {
      this.#forged(file);
      return;
    }
    file.lost += n - file.next;
    file.next = n + 1;
    switch (type) {
      case "yada:start":
        file.started = true;
        break;
      case "yada:error":
        file.error = data.error;
        break;
      case "yada:exit":
        file.exit = data;
        break;
      case "test:start":
        file.titles.length = data.nesting;
        file.titles[data.nesting] = data.name;
        break;
      case "test:pass":
      case "test:fail":
        this.#result(type === "test:pass", data, file);
        break;
      case "test:diagnostic":
        if (/^Error: .*generated asynchronous activity after the test ended/s.test(data.message)) {
          this.#problem("unhandled", { message: data.message.replace(/^Error: /, "") }, file);
        }
        break;
    }
  }

  /** What `node --test` itself says: mostly about a file as a whole, which it treats as a test whose name is the file. */
  #takeOwn(type, data) {
    const aboutFile = data.nesting === 0 && typeof data.file === "string" && resolve(String(data.name)) === data.file;
    switch (type) {
      case "test:enqueue":
        if (aboutFile) this.#file(data.file);
        break;
      case "test:complete":
        if (aboutFile) this.#endFile(this.#file(data.file), data.details?.error);
        break;
      case "test:pass":
      case "test:fail":
        if (!aboutFile) this.#forged(this.#files.get(data.file));
        break;
      case "test:stderr": {
        const file = this.#file(resolve(String(data.file)));
        file.stderr = (file.stderr + data.message).slice(-16_384);
        break;
      }
      case "test:interrupted":
        this.#problem("runner", { message: "The run was interrupted before all tests had run." });
        break;
    }
  }

  #file(path) {
    const known = this.#files.get(path);
    if (known) return known;
    const file = {
      path,
      next: 0,
      lost: 0,
      started: false,
      exit: undefined,
      /** The last error that nobody caught. The runner may have given it to a test. */
      error: undefined,
      ended: false,
      titles: [],
      /** By nesting: the first failure among the subtests that ended since their parent began. */
      failures: [],
      tests: 0,
      failed: false,
      problems: 0,
      stderr: "",
    };
    this.#files.set(path, file);
    return file;
  }

  #result(passed, data, file) {
    const { nesting, name } = data;
    const error = data.details?.error;
    const inner = file.failures[nesting + 1];
    file.failures.length = Math.min(file.failures.length, nesting + 1);
    const isTodo = data.todo !== undefined && data.todo !== false;
    const isSkipped = data.skip !== undefined && data.skip !== false;

    // A hook of the file itself bears the file's name.
    if (nesting === 0 && error?.failureType === "hookFailed" && name === file.path) {
      this.#problem("setup", hookError(error), file);
      return;
    }
    const titles = [...file.titles.slice(0, nesting), name].map(String);
    if (data.details?.type === "suite") {
      if (isSkipped) {
        file.tests++;
        this.#write({ test: { file: file.path, titles, status: "skipped" } });
      } else if (!passed && !isTodo) {
        if (inner !== undefined) file.failures[nesting] ??= inner;
        this.#suite(error, titles, file);
      }
      return;
    }
    file.tests++;
    // Node 20 reports what a name filter or --test-only leaves out. It was never asked for.
    if (data.skip === "test name does not match pattern" || data.skip === "'only' option not set") return;
    const status = statusOf(passed, { isTodo, isSkipped, isInverted: isInverted(data), error });
    const failing = status !== "passed" && status !== "skipped" && status !== "todo" && status !== "expected_failure";
    const failure = failing ? failureOf(error, inner) : undefined;
    if (failing) {
      file.failed = true;
      this.#failed = true;
      file.failures[nesting] ??= failure;
    }
    this.#write({ test: { file: file.path, titles, status, failure } });
  }

  /** A group that failed by itself, and not because of a test in it. */
  #suite(error, titles, file) {
    const where = `The group "${titles.join(" > ")}" failed`;
    switch (error?.failureType) {
      case "subtestsFailed":
      case "cancelledByParent":
        break;
      case "hookFailed":
        this.#problem("setup", prefixed(`${where}: ${error.message}`, error.cause), file);
        break;
      case "testTimeoutFailure":
        this.#problem("setup", { message: `${where}: ${error.message}` }, file);
        break;
      default:
        this.#problem("collection", prefixed(where, error?.cause ?? error), file);
    }
  }

  /** Node counts a file as passed when its process ended with code 0. That is not enough. */
  #endFile(file, error) {
    if (file.ended) {
      this.#problem("runner", { message: "The runner said twice that this file ended." }, file);
      return;
    }
    file.ended = true;
    const { exit } = file;
    const said = file.stderr.trim().slice(-2048);
    if (error?.signal) {
      this.#problem("exit", { message: `The process of this test file was ended by ${error.signal}.` }, file);
    } else if (error?.failureType === "testTimeoutFailure" || error?.failureType === "testAborted") {
      this.#problem("exit", { message: `The process of this test file was ended: ${error.message}.` }, file);
    } else if (/^(uncaughtException|unhandledRejection)$/.test(error?.failureType)) {
      const where = "The runner could not read what the process of this test file wrote";
      this.#problem("runner", prefixed(where, error.cause ?? error), file);
    } else if (!file.started) {
      this.#problem("runner", { message: `The process of this test file did not start. ${said}` }, file);
    } else if (exit?.how === "fatal" || (exit === undefined && file.error !== undefined)) {
      const thrown = file.error ?? { message: said || "The process ended because of an error that it did not name." };
      this.#problem(file.tests === 0 ? loadCode(thrown) : "unhandled", thrown, file, shownPlace(file.stderr));
    } else if (exit === undefined) {
      const message = `The process of this test file left without the end that a process has (code ${error?.exitCode ?? 0}). ${said}`;
      this.#problem("exit", { message }, file);
    } else if (exit.how === "called") {
      const place = projectFrame(exit.stack);
      const message = `process.exit(${exit.code}) was called before the tests of this file had ended${place}.`;
      this.#problem("exit", { message, stack: exit.stack }, file);
    } else if (file.tests === 0 && !filtered && file.problems === 0) {
      this.#problem("collection", { message: "This file left no test." }, file);
    } else if (error?.exitCode && !file.failed && file.problems === 0) {
      const thrown = /^Node\.js v\d/m.test(file.stderr);
      const message = `The process of this test file ended with code ${error.exitCode}, though no test failed. ${said}`;
      this.#problem(thrown ? "unhandled" : "exit", { message }, file);
    }
    if (file.lost > 0) {
      const message = `${file.lost} events of this test file never reached the runner: something replaced or closed its standard output.`;
      this.#problem("runner", { message }, file);
    }
    file.stderr = "";
  }

  /** `file`: the one that the event speaks of, where it is one of this run. */
  #forged(file) {
    if (this.#forgeries.has(file)) return;
    this.#forgeries.add(file);
    const message =
      "Test results came through the standard output of a test file's process and not from its test runner. They are left out.";
    this.#problem("runner", { message }, file);
  }

  #problem(code, error, file, place) {
    const { name, message, stack, code: errorCode } = error;
    const label = name && errorCode && !name.includes("[") ? `${name} [${errorCode}]` : name;
    const head = label && !message.startsWith(name) ? `${label}: ` : "";
    if (file) {
      file.problems++;
      file.failed = true;
    }
    this.#failed = true;
    this.#write({ problem: { code, message: `${head}${message}${place ?? ""}`.trim(), file: file?.path, stack } });
  }

  #write(entry) {
    const line = `${JSON.stringify(entry)}\n`;
    this.#written += line;
    writeSync(this.#descriptor, line);
  }
}

/** The text under the seal. preload.mjs has the same function. */
function sealedText(n, entry, type, data) {
  const { nesting, name, message, skip, todo, expectFailure, file, line, how, code } = data;
  const { type: kind, error } = data.details ?? {};
  return JSON.stringify([
    n,
    entry,
    type,
    nesting,
    name,
    message,
    skip,
    todo,
    expectFailure,
    file,
    line,
    how,
    code,
    kind,
    Boolean(error),
  ]);
}

function statusOf(passed, { isTodo, isSkipped, isInverted, error }) {
  if (isSkipped) return "skipped";
  if (isTodo) return "todo";
  if (passed) return isInverted ? "expected_failure" : "passed";
  switch (error?.failureType) {
    case "expectedFailure":
      return "unexpected_pass";
    case "testTimeoutFailure":
      return "timed_out";
    case "cancelledByParent":
      // A promise that nothing will ever settle: the test ran and did not end.
      return /still pending/.test(error.message) ? "timed_out" : "not_run";
    default:
      return "failed";
  }
}

/** `expectFailure`, new in Node 24. */
function isInverted({ expectFailure }) {
  return expectFailure !== undefined && expectFailure !== false;
}

/** `inner`: the first failure among the subtests. A test that failed because of them failed for that reason. */
function failureOf(error, inner) {
  switch (error?.failureType) {
    case "subtestsFailed":
      return inner ?? serialise(error);
    case "hookFailed":
      return { ...hookError(error), kind: "setup" };
    default: {
      const failure = serialise(error?.cause ?? error);
      return /^plan (timed out|expected \d+ assertions?)/.test(failure.message)
        ? { ...failure, kind: "assertion" }
        : failure;
    }
  }
}

function hookError(error) {
  const failed = serialise(error?.cause ?? error);
  const message = text(error?.message) ?? "a hook failed";
  return message === failed.message ? { ...failed, message } : prefixed(message, failed);
}

function prefixed(head, error) {
  const { name, message, stack } = serialise(error);
  return { message: name && name !== "Error" ? `${head}: ${name}: ${message}` : `${head}: ${message}`, stack };
}

/** Errors crossed a process: what could not be cloned arrives as text. */
function serialise(error) {
  if (typeof error !== "object" || error === null) return { message: text(error) ?? String(error) };
  const { name, message, stack, code, failureType } = error;
  return {
    name: text(name),
    message: text(message) || (failureType ? `The runner says: ${failureType}.` : describe(error)),
    stack: text(stack),
    code: text(code),
  };
}

function describe(value) {
  try {
    return text(JSON.stringify(value)) ?? String(value);
  } catch {
    return "A value that is no error was thrown.";
  }
}

/** Bounded, and without the colours that a diff may carry. */
function text(value) {
  if (value === undefined || value === null) return undefined;
  return String(value)
    .replace(/\u001b\[[0-9;]*m/g, "")
    .slice(0, 65_536);
}

/** Why a file could not be loaded. A missing export is a SyntaxError to Node, so imports are asked for first. */
function loadCode({ name, message, code }) {
  if (
    /Cannot find (module|package)|does not provide an export named|^Named export .* not found|is not (defined by "exports"|exported) |Directory import/s.test(
      message,
    ) ||
    /MODULE_NOT_FOUND|ERR_PACKAGE_(PATH_NOT_EXPORTED|IMPORT_NOT_DEFINED)|ERR_UNSUPPORTED_DIR_IMPORT/.test(code ?? "")
  ) {
    return "import";
  }
  return name === "SyntaxError" || /^ERR_(INVALID|UNSUPPORTED)_TYPESCRIPT_SYNTAX$/.test(code ?? "")
    ? "syntax"
    : "collection";
}

/** The first line that Node prints for an error that ended a process is the place in the source, which the stack of a SyntaxError lacks. */
function shownPlace(stderr) {
  const match = /^(?:file:\/\/)?(\/[^\n]*?):(\d+)\n/m.exec(stderr);
  return match ? ` (${relative(process.cwd(), decode(match[1]))}:${match[2]})` : "";
}

function projectFrame(stack) {
  const match = /\(?(?:file:\/\/)?(\/[^\n()]*?):(\d+):\d+\)?$/m.exec(stack ?? "");
  return match ? `, at ${relative(process.cwd(), decode(match[1]))}:${match[2]}` : "";
}

function decode(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Yada's reporter for vitest: writes the JSON lines of javascript/report-lines.ts into the file named by YADA_REPORT.
 *
 * It runs in vitest's main process, apart from the processes that run the tests. It reads vitest's own task tree (`Task` of
 * @vitest/runner), which has kept its shape since vitest 1, so one reporter serves `onFinished(files, errors)` of vitest 1 and 2 and
 * `onTestRunEnd(modules, errors, reason)` of vitest 3 and 4. The last line is written only when vitest says that the run ended.
 */
import { openSync, readFileSync, writeSync } from "node:fs";

const target = process.env.YADA_REPORT;
const nonce = process.env.YADA_NONCE;
// The processes that run the tests start later and inherit the environment: they are not told where the report goes.
delete process.env.YADA_REPORT;
delete process.env.YADA_NONCE;

export default class YadaReporter {
  #file;
  #written = "";
  #ended = false;
  #namePattern;
  #sharded = false;
  #tasks = new Set();
  #expected = new Set();

  constructor() {
    if (!target) throw new Error("YADA_REPORT names no file for the report.");
    this.#file = openSync(target, "a");
  }

  onInit(vitest) {
    this.#namePattern = vitest?.config?.testNamePattern;
    this.#sharded = Boolean(vitest?.config?.shard);
    this.#write({ yada: "report/1", nonce, runner: "vitest", version: vitest?.version });
  }

  /** vitest 3 and later: the files that are to run. Where a global set-up fails, vitest says that the run ended, and nothing else. */
  onTestRunStart(specifications) {
    if (this.#sharded) return;
    for (const { moduleId } of specifications) this.#expected.add(moduleId);
  }

  /** The same, in vitest 1 and 2. */
  onPathsCollected(paths) {
    if (this.#sharded) return;
    for (const path of paths ?? []) this.#expected.add(path);
  }

  /** vitest 3 and later: as each test ends, so that a run that is killed still shows what ran. */
  onTestCaseResult(testCase) {
    if (testCase?.task) this.#writeTest(testCase.task);
  }

  onTestRunEnd(modules, errors, reason) {
    const files = modules.map((module) => module.task);
    if (files.some((file) => !file?.tasks)) {
      this.#problem("runner", { message: "This version of vitest gives a test module without its tasks." });
    }
    this.#end(
      files.filter((file) => file?.tasks),
      errors,
      reason,
    );
  }

  /** vitest 1 and 2. Vitest 3 calls it as well as `onTestRunEnd`. */
  onFinished(files, errors) {
    this.#end(files ?? [], errors ?? [], undefined);
  }

  #end(files, errors, reason) {
    if (this.#ended) return;
    this.#ended = true;
    for (const file of files) this.#writeSuite(file, file.filepath);
    for (const { filepath } of files) this.#expected.delete(filepath);
    const code = files.length === 0 && errors.length === 0 ? "setup" : "runner";
    for (const filepath of this.#expected) {
      this.#problem(
        code,
        { message: "This test file was to run and never started: the runner or its global set-up failed." },
        filepath,
      );
    }
    for (const error of errors) this.#problem(unhandledCode(error), error, error?.VITEST_TEST_PATH);
    if (reason === "interrupted")
      this.#problem("runner", { message: "The run was interrupted before all tests had run." });
    if (readFileSync(target, "utf8") !== this.#written) {
      this.#problem("runner", { message: "Something else wrote into the report." });
    }
    this.#write({
      end: { reason: reason ?? (files.some((file) => file.result?.state === "fail") ? "failed" : "passed") },
    });
  }

  /** What failed around the tests of a file or a group, then the tests that were not written yet. */
  #writeSuite(suite, filepath) {
    const hooked = unfinishedHooks(suite).length > 0;
    for (const error of suite.result?.errors ?? []) {
      this.#problem(hooked ? "setup" : collectionCode(error), error, filepath);
    }
    for (const task of suite.tasks) {
      if (task.type === "suite") this.#writeSuite(task, filepath);
      else this.#writeTest(task);
    }
  }

  #writeTest(task) {
    if (this.#tasks.has(task.id) || this.#isLeftOut(task)) return;
    this.#tasks.add(task.id);
    const file = task.file.filepath;
    const errors = task.result?.errors ?? [];
    const status = statusOf(task);
    const failing = status === "failed" || status === "timed_out" || status === "unexpected_pass";
    const hooks = unfinishedHooks(task);
    // beforeEach fails before the test body. A failed afterEach adds its error after the body's own, if that has one.
    const setup = hooks.includes("beforeEach") || (hooks.length > 0 && errors.length < 2);
    const project = task.file.projectName || undefined;
    this.#write({
      test: {
        file,
        titles: titlesOf(task),
        status,
        project,
        failure: failing ? failureOf(task, errors[0], setup) : undefined,
      },
    });
    if (hooks.length > 0 && !setup) this.#problem("setup", errors.at(-1), file);
    for (const error of errors) {
      if (calledExit(error)) this.#problem("exit", error, file);
    }
    if (status === "not_run" && !inFailedSuite(task)) {
      this.#problem(
        "exit",
        { message: `The test "${titlesOf(task).join(" > ")}" was started or queued, and never ended.` },
        file,
      );
    }
  }

  /** `-t`: tests that the name filter leaves out are in the task tree as skipped. They were never asked for. */
  #isLeftOut(task) {
    const pattern = this.#namePattern;
    if (!pattern || task.mode !== "skip") return false;
    pattern.lastIndex = 0;
    return !pattern.test(titlesOf(task).join(" "));
  }

  #problem(code, error, file) {
    const { message, stack, name } = serialise(error);
    const cause = error?.cause?.message ? ` (${error.cause.message})` : "";
    const text =
      name && name !== "Error" && !message.startsWith(name) ? `${name}: ${message}${cause}` : message + cause;
    this.#write({ problem: { code, message: text || "The runner gave no message.", file, stack } });
  }

  #write(entry) {
    const line = `${JSON.stringify(entry)}\n`;
    this.#written += line;
    writeSync(this.#file, line);
  }
}

function statusOf(task) {
  const state = task.result?.state;
  if (task.mode === "todo" || state === "todo") return "todo";
  if (task.mode === "skip" || state === "skip") return inFailedSuite(task) ? "not_run" : "skipped";
  if (state === "pass") {
    if (task.fails) return "expected_failure";
    // Passed only after a retry: it failed on this very revision, and a retry must not turn that into green.
    return isFlaky(task) ? "failed" : "passed";
  }
  if (state === "fail") {
    if (task.fails) return "unexpected_pass";
    return isTimeout(task.result.errors?.[0]) && unfinishedHooks(task).length === 0 ? "timed_out" : "failed";
  }
  return "not_run";
}

function isFlaky(task) {
  return (task.result.retryCount ?? 0) > 0 || (task.result.errors?.length ?? 0) > 0;
}

function isTimeout(error) {
  return /^Test timed out in \d+ms/.test(String(error?.message));
}

/** Hooks that started and did not pass: vitest leaves the state of a failed hook at `run`. */
function unfinishedHooks(task) {
  return Object.entries(task.result?.hooks ?? {})
    .filter(([, state]) => state === "run")
    .map(([name]) => name);
}

/** A failed beforeAll marks all tests below it as skipped, though nobody asked for that. */
function inFailedSuite(task) {
  for (
    let suite = task.suite ?? task.file;
    suite;
    suite = suite.suite ?? (suite === suite.file ? undefined : suite.file)
  ) {
    if (suite.result?.errors?.length && suite.result.hooks?.beforeAll === "run") return true;
  }
  return false;
}

/** From the outermost group inwards, without the file. */
function titlesOf(task) {
  const titles = [];
  for (let at = task; at && at !== at.file && !at.filepath; at = at.suite) {
    // vitest 1 wraps all tests of a file into a group without a name.
    if (at === task || at.name !== "") titles.unshift(at.name);
  }
  return titles;
}

function failureOf(task, error, setup) {
  const failure = serialise(error);
  if (task.result.state === "pass") {
    failure.message = `Passed only after a retry. It failed first with: ${failure.message}`;
  }
  return { ...failure, kind: setup ? "setup" : undefined };
}

function serialise(error) {
  const { name, message, stack, stackStr, code } =
    typeof error === "object" && error !== null ? error : { message: error };
  return {
    name: text(name),
    message: text(message) ?? "",
    stack: text(stack) ?? text(stackStr),
    code: text(code),
  };
}

/** Bounded, and without the colours that a diff may carry. */
function text(value) {
  if (value === undefined || value === null) return undefined;
  return String(value)
    .replace(/\u001b\[[0-9;]*m/g, "")
    .slice(0, 65_536);
}

/** vitest replaces `process.exit` in the processes that run tests, and throws this instead. */
function calledExit(error) {
  return String(error?.message).startsWith("process.exit unexpectedly called");
}

/** An error of a file or a group that no hook raised: the file could not be loaded or its tests not be collected. */
function collectionCode(error) {
  if (calledExit(error)) return "exit";
  const message = String(error?.message);
  if (
    /Failed to resolve import|Cannot find (module|package)|Failed to load url|does not provide an export|Missing "[^"]*" specifier|Failed to resolve entry for package/.test(
      message,
    ) ||
    /^ERR_(MODULE_NOT_FOUND|PACKAGE_PATH_NOT_EXPORTED)$/.test(String(error?.code))
  ) {
    return "import";
  }
  if (
    error?.name === "SyntaxError" ||
    /PARSE_ERROR|Parse failure|Transform failed|Failed to parse|SyntaxError|Unexpected token/.test(message)
  ) {
    return "syntax";
  }
  return "collection";
}

function unhandledCode(error) {
  const message = String(error?.message);
  if (calledExit(error) || /Worker exited unexpectedly|Worker \S+ emitted error|Terminating worker/.test(message)) {
    return "exit";
  }
  return /Failed to start \S+ worker|^Failed to load/.test(message) ? "runner" : "unhandled";
}

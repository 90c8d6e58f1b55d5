/**
 * Loaded first, with `--require`, into each process that `node --test` starts for a test file. (With an `--import`, Node would load the test
 * files themselves in another way than without. So this text has to be CommonJS; it uses neither `import` nor `require`, and is both.) It does two
 * things that Node's own events leave open:
 *
 * - It seals each event of the test runner: a number, the test file, and a MAC over what the event says. The runner reads events from the
 *   process's standard output, where any code of the process, and any process that it starts, can write one. What bears no seal did not
 *   come from the test runner.
 * - It says how the process ended: `drained` (nothing was left to do), `called` (somebody called process.exit) or `fatal` (an error that
 *   nobody caught). To Node, a file that calls `process.exit(0)` has passed.
 *
 * It shares the process with the code under test, so it is no wall: whoever reads the key from /proc/self/environ, or makes the runner's own
 * serializer write a false event, can still lie. That has to be done on purpose; nothing that a program prints does it.
 */
const { createHmac, Hmac } = process.getBuiltinModule("node:crypto");
const { realpathSync, writeSync } = process.getBuiltinModule("node:fs");
const { createRequire } = process.getBuiltinModule("node:module");
const { dirname } = process.getBuiltinModule("node:path");
const { types } = process.getBuiltinModule("node:util");
const v8 = process.getBuiltinModule("node:v8");
const { isMainThread } = process.getBuiltinModule("node:worker_threads");

// Taken now: what production replaces later is not used here.
const { apply, getOwnPropertyDescriptor } = Reflect;
const { stringify, parse } = JSON;
const { update, digest } = Hmac.prototype;
const { DefaultSerializer, Serializer } = v8;
const { writeHeader, writeRawBytes, writeValue, releaseBuffer } = Serializer.prototype;
const { isProxy } = types;
const NativeError = Error;
const wait = Atomics.wait.bind(null, new Int32Array(new SharedArrayBuffer(4)), 0, 0);

const settings = process.env.YADA_TEST_PROCESS;
delete process.env.YADA_TEST_PROCESS;
// Neither the judging process nor threads and processes that a test starts: those may inherit the option, but not the variable.
if (isMainThread && settings !== undefined && process.env.NODE_TEST_CONTEXT === "child-v8") start(parse(settings));

/** @param {{ key: string, folder: string, modules: string[] }} settings `folder`: where this file lies. `modules`: what the command requires. */
function start({ key, folder, modules }) {
  const entry = process.argv[1];
  let number = 0;
  let drained = false;

  const seal = ({ type, data }) => {
    const n = number++;
    const hmac = createHmac("sha256", key);
    apply(update, hmac, [sealedText(stringify, n, entry, type, data)]);
    return { type, data: { ...data, yada: { n, entry, mac: apply(digest, hmac, ["hex"]) } } };
  };

  Object.defineProperty(Serializer.prototype, "writeValue", {
    ...getOwnPropertyDescriptor(Serializer.prototype, "writeValue"),
    value: function (value) {
      return apply(writeValue, this, [isEvent(value) && calledByReporter() ? seal(value) : value]);
    },
  });

  process.on("beforeExit", () => {
    drained = true;
  });
  // At once: an error while a module is evaluated ends the process without the event `exit`.
  process.on("uncaughtExceptionMonitor", (error) => {
    send(seal({ type: "yada:error", data: { error: describe(error) } }));
  });
  process.on("exit", (code) => {
    const caller = exitCaller();
    const how = drained || caller?.byRunner ? "drained" : caller ? "called" : "fatal";
    send(seal({ type: "yada:exit", data: { how, code, stack: how === "called" ? caller.stack : undefined } }));
  });
  send(seal({ type: "yada:start", data: {} }));

  hideOptions(folder, modules);
  const load = createRequire(`${process.cwd()}/`);
  for (const name of modules) load(name);
}

/** The text under the seal. reporter.mjs has the same function. */
function sealedText(stringify, n, entry, type, data) {
  const { nesting, name, message, skip, todo, expectFailure, file, line, how, code } = data;
  const { type: kind, error } = data.details ?? {};
  return stringify([
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

/**
 * An event that has to arrive, looked at without running a getter or a proxy of the program's. Of diagnostics, only those that tell of an error:
 * the runner keeps the counters of a file to itself.
 */
function isEvent(value) {
  if (typeof value !== "object" || value === null || isProxy(value)) return false;
  const type = getOwnPropertyDescriptor(value, "type")?.value;
  const data = getOwnPropertyDescriptor(value, "data")?.value;
  if (typeof data !== "object" || data === null || isProxy(data)) return false;
  if (type === "test:diagnostic") return /^Error: /.test(getOwnPropertyDescriptor(data, "message")?.value);
  return type === "test:start" || type === "test:pass" || type === "test:fail";
}

/** Whether `writeValue` was called by the reporter that Node gives to the processes of test files. */
function calledByReporter() {
  const frames = stackOf(3);
  return /^\s+at v8Reporter \(node:internal\/test_runner\/reporter\/v8-serializer:\d+:\d+\)$/m.test(frames.join("\n"));
}

/** Who called process.exit, where the process is leaving because of that. `--test-force-exit` makes the runner itself call it. */
function exitCaller() {
  const frames = stackOf(30);
  const at = frames.findIndex((frame) => /^\s+at (process\.)?(exit|reallyExit) \(node:internal\/process\//.test(frame));
  if (at < 0) return null;
  const callers = frames.slice(at + 1);
  return { byRunner: /node:internal\/(test_runner|main)\//.test(callers[0] ?? ""), stack: callers.join("\n") };
}

function stackOf(limit) {
  const { stackTraceLimit, prepareStackTrace } = NativeError;
  try {
    NativeError.stackTraceLimit = limit + 2;
    NativeError.prepareStackTrace = undefined;
    return String(new NativeError().stack).split("\n").slice(2);
  } catch {
    return [];
  } finally {
    try {
      NativeError.stackTraceLimit = stackTraceLimit;
      NativeError.prepareStackTrace = prepareStackTrace;
    } catch {}
  }
}

function describe(error) {
  try {
    const { name, message, stack, code } = typeof error === "object" && error !== null ? error : { message: error };
    return { name: text(name), message: text(message) ?? "", stack: text(stack), code: text(code) };
  } catch {
    return { message: "An error that cannot be read." };
  }
}

function text(value) {
  return value === undefined || value === null ? undefined : String(value).slice(0, 65_536);
}

/** Writes one event in the form in which the runner reads them: header, length, header, value. Synchronous: the process is leaving. */
function send(event) {
  const serializer = new DefaultSerializer();
  apply(writeHeader, serializer, []);
  const headerLength = apply(releaseBuffer, serializer, []).length;
  apply(writeHeader, serializer, []);
  apply(writeRawBytes, serializer, [Buffer.alloc(4)]);
  apply(writeHeader, serializer, []);
  apply(writeValue, serializer, [event]);
  const bytes = apply(releaseBuffer, serializer, []);
  bytes.writeUInt32BE(bytes.length - headerLength - 4, headerLength);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      if (error?.code !== "EAGAIN") return;
      wait(1);
    }
  }
}

/** Processes and threads that a test starts get `process.execArgv`: as it would be without Yada. */
function hideOptions(folder, modules) {
  const isOurs = (word) => {
    const path = /^--require=(.*)$/s.exec(word)?.[1];
    try {
      return path !== undefined && realpathSync(dirname(path)) === realpathSync(folder);
    } catch {
      return false;
    }
  };
  const kept = process.execArgv.filter((word) => !isOurs(word));
  process.execArgv.splice(0, Infinity, ...modules.map((name) => `--require=${name}`), ...kept);
}

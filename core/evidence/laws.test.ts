/** What holds for every observation: `classify` answers all of them, and nothing but evidence makes it answer with a pass. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { classify } from "./classify.ts";
import type { Observation } from "./observation.ts";
import { OUTCOMES } from "./outcomes.ts";
import type { Exit, Failure, ReportedTest, ReportProblem, TestReport } from "./report.ts";
import { classifyCanary, classifyCounterfactual, combineRepeats } from "./special.ts";

// Few names and few words, so that they meet.
const file = fc.constantFrom("a.test.js", "b.test.js");
const name = fc.constantFrom("t", "g > t");
const id = fc.tuple(file, name).map(([f, n]) => `${f} > ${n}`);
const words = fc.oneof(
  fc.constantFrom(
    "-1 !== -2",
    "m.x is not a function",
    "assert.x is not a function",
    "x is not defined",
    "Cannot find module './x.js' imported from a.test.js",
    "Cannot find package 'x' imported from a.test.js",
    "does not provide an export named 'x'",
    "This file left no test.",
    "",
  ),
  fc.string(),
);

const failure: fc.Arbitrary<Failure> = fc.record(
  {
    message: words,
    kind: fc.constantFrom("assertion", "error", "setup", "timeout"),
    origin: fc.constantFrom("test", "production", "runner"),
    frames: fc.array(fc.record({ file: fc.oneof(file, fc.string()), line: fc.nat() }), { maxLength: 3 }),
    name: fc.constantFrom("TypeError", "ReferenceError", "AssertionError", ""),
  },
  { requiredKeys: ["message", "kind", "origin", "frames"] },
);

const tested: fc.Arbitrary<ReportedTest> = fc
  .record({
    file,
    name,
    status: fc.constantFrom(
      ...(["passed", "passed", "failed", "failed", "error", "skipped", "todo"] as const),
      ...(["expected_failure", "unexpected_pass", "timed_out", "not_run"] as const),
    ),
    failure: fc.option(failure, { nil: undefined, freq: 8 }),
  })
  .map(({ failure: why, ...rest }) => ({
    ...rest,
    id: `${rest.file} > ${rest.name}`,
    ...(why === undefined ? {} : { failure: why }),
  }));

const problem: fc.Arbitrary<ReportProblem> = fc.record(
  {
    code: fc.constantFrom("syntax", "import", "collection", "setup", "unhandled", "exit", "runner"),
    message: words,
    file,
  },
  { requiredKeys: ["code", "message"] },
);

const report: fc.Arbitrary<TestReport> = fc.record({
  whole: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
  tests: fc.array(tested, { maxLength: 4 }),
  problems: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(problem, { maxLength: 2 }) },
  ),
});

const exit: fc.Arbitrary<Exit> = fc.constantFrom(
  ...Array.from({ length: 4 }, () => ({ code: 0, signal: null, timedOut: false })),
  ...Array.from({ length: 4 }, () => ({ code: 1, signal: null, timedOut: false })),
  { code: 13, signal: null, timedOut: false },
  { code: null, signal: "SIGKILL", timedOut: false },
  { code: null, signal: "SIGTERM", timedOut: true },
  { code: null, signal: null, timedOut: false },
);

const observation: fc.Arbitrary<Observation> = fc.record(
  {
    expect: fc.constantFrom("red", "green"),
    target: fc.oneof(
      { weight: 3, arbitrary: id.map((one) => [one]) },
      { weight: 1, arbitrary: fc.array(id, { maxLength: 2 }) },
    ),
    report: fc.option(report, { nil: null, freq: 9 }),
    exit,
    baseline: report,
    scope: fc.constantFrom("target", "regression"),
    allowedChanges: fc.array(id, { maxLength: 2 }),
    cannotRun: fc.string(),
  },
  { requiredKeys: ["expect", "target", "report", "exit"] },
);
/** Without what keeps most observations from being a pass, so that passes are reached often: the target is mostly the first test of the report. */
const plain = fc.tuple(observation, fc.nat(3)).map(([{ cannotRun: _, ...seen }, aim]) => {
  const first = seen.report?.tests[0]?.id;
  return first === undefined || aim === 0 ? seen : { ...seen, target: [first] };
});
const expecting = (expected: "red" | "green", scope: "target" | "regression") =>
  plain.map((seen): Observation => ({ ...seen, expect: expected, scope }));
const RUNS = { numRuns: 5_000 };

it("classify is total: it never throws, and gives the verdict of the table with bounded reasons", () => {
  fc.assert(
    fc.property(observation, (seen) => {
      const { verdict, classification, reasons } = classify(seen);
      expect(verdict).toBe(OUTCOMES[classification].verdict);
      expect(OUTCOMES[classification].expect).toContain(seen.expect);
      expect(reasons.length).toBeGreaterThan(0);
      expect(reasons.length).toBeLessThanOrEqual(20);
      expect(reasons.every((reason) => reason.length <= 500)).toBe(true);
    }),
    RUNS,
  );
});

it("classify is pure: it answers the same twice, and changes nothing that it was given", () => {
  fc.assert(
    fc.property(observation, (seen) => {
      const before = JSON.stringify(seen);
      expect(classify(seen)).toEqual(classify(seen));
      expect(JSON.stringify(seen)).toBe(before);
    }),
  );
});

it("red_observed: each target is reported once, failed or in error, for a reason that counts, in a whole report, with a status other than 0", () => {
  let reached = 0;
  fc.assert(
    fc.property(expecting("red", "target"), (seen) => {
      if (classify(seen).classification !== "red_observed") return;
      reached += 1;
      const { target, report: seenReport } = seen;
      expect(seenReport?.whole).toBe(true);
      expect(seen.exit.timedOut).toBe(false);
      expect(seen.exit.code).toBeGreaterThan(0);
      expect(target.length).toBeGreaterThan(0);
      for (const wanted of target) {
        const found = seenReport?.tests.filter((test) => test.id === wanted) ?? [];
        expect(found).toHaveLength(1);
        expect(["failed", "error"]).toContain(found[0]?.status);
        const why = found[0]?.failure;
        expect(why?.kind === "assertion" || (why?.kind === "error" && why.origin === "production")).toBe(true);
        const around = seenReport?.problems.filter((one) => one.file === undefined || one.file === found[0]?.file);
        expect(around?.every(({ code }) => code === "unhandled")).toBe(true);
      }
      expect(seenReport?.problems.some(({ code }) => code === "runner")).toBe(false);
    }),
    RUNS,
  );
  console.log("R", reached);
  expect(reached).toBeGreaterThan(20);
});

it("green_observed of the target: each target passed once, status 0, no error outside a test, and no test fails", () => {
  let reached = 0;
  fc.assert(
    fc.property(expecting("green", "target"), (seen) => {
      if (classify(seen).classification !== "green_observed") return;
      reached += 1;
      const tests = seen.report?.tests ?? [];
      expect(seen.report?.whole).toBe(true);
      expect(seen.exit).toEqual({ code: 0, signal: null, timedOut: false });
      expect(seen.report?.problems).toEqual([]);
      expect(tests.some(({ status }) => ["failed", "error", "timed_out", "unexpected_pass"].includes(status))).toBe(
        false,
      );
      for (const wanted of seen.target) {
        expect(tests.filter((test) => test.id === wanted).map(({ status }) => status)).toEqual(["passed"]);
      }
    }),
    RUNS,
  );
  console.log("R", reached);
  expect(reached).toBeGreaterThan(20);
});

it("green_observed of the whole suite: what passed on the baseline passes, what ran runs, and nothing is amiss that was not", () => {
  let reached = 0;
  fc.assert(
    fc.property(expecting("green", "regression"), (seen) => {
      if (classify(seen).classification !== "green_observed") return;
      reached += 1;
      const { baseline, report: now } = seen;
      const allowed = new Set(seen.allowedChanges ?? []);
      const times = (of: TestReport | null | undefined, wanted: string, statuses: readonly string[]) =>
        of?.tests.filter((test) => test.id === wanted && statuses.includes(test.status)).length ?? 0;
      const bad = ["failed", "error", "timed_out", "unexpected_pass"];
      const idle = ["skipped", "todo", "not_run"];
      expect(now?.whole).toBe(true);
      expect(seen.exit.code).not.toBeNull();
      expect(seen.exit.timedOut).toBe(false);
      for (const { id: wanted } of baseline?.tests ?? []) {
        if (allowed.has(wanted)) continue;
        expect(times(now, wanted, ["passed"])).toBeGreaterThanOrEqual(times(baseline, wanted, ["passed"]));
        const ran = (of: TestReport | null | undefined) =>
          of?.tests.filter((test) => test.id === wanted && !idle.includes(test.status)).length ?? 0;
        expect(ran(now)).toBeGreaterThanOrEqual(ran(baseline));
      }
      for (const { id: wanted, status } of now?.tests ?? []) {
        if (bad.includes(status)) expect(times(baseline, wanted, bad)).toBeGreaterThan(0);
      }
      for (const { code, file: place } of now?.problems ?? []) {
        expect(baseline?.problems.some((old) => old.code === code && old.file === place)).toBe(true);
      }
      if (seen.exit.code !== 0)
        expect(now?.problems.length || now?.tests.some(({ status }) => bad.includes(status))).toBeTruthy();
    }),
    RUNS,
  );
  console.log("R", reached);
  expect(reached).toBeGreaterThan(20);
});

it("taking something away from what was seen never makes a pass: report, wholeness, end", () => {
  fc.assert(
    fc.property(plain, (seen) => {
      expect(classify({ ...seen, report: null }).verdict).not.toBe("pass");
      if (seen.report !== null)
        expect(classify({ ...seen, report: { ...seen.report, whole: false } }).verdict).not.toBe("pass");
      expect(classify({ ...seen, exit: { ...seen.exit, timedOut: true } }).classification).toBe("timeout");
      expect(classify({ ...seen, cannotRun: "x" }).classification).toBe("cannot_run");
    }),
  );
});

it("the outcomes made of others are total, and pass only where all that they are made of does", () => {
  fc.assert(
    fc.property(fc.array(plain, { maxLength: 3 }), (several) => {
      const outcomes = several.map(classify);
      const combined = combineRepeats(outcomes);
      if (combined.verdict === "pass") {
        expect(outcomes.length).toBeGreaterThan(0);
        expect(new Set(outcomes.map(({ classification }) => classification))).toEqual(
          new Set([combined.classification]),
        );
      }
      for (const outcome of outcomes) {
        if (classifyCounterfactual(outcome).verdict === "pass") expect(outcome.classification).toBe("red_observed");
      }
    }),
  );
});

it("canary_reported: each name is reported once, as failed, in a whole report that nobody doubts, with a status other than 0", () => {
  fc.assert(
    fc.property(fc.option(report, { nil: null }), fc.array(id, { maxLength: 2 }), exit, (seen, names, end) => {
      if (classifyCanary({ report: seen, names, exit: end }).classification !== "canary_reported") return;
      expect(seen?.whole).toBe(true);
      expect(names.length).toBeGreaterThan(0);
      for (const wanted of names)
        expect(seen?.tests.filter((test) => test.id === wanted).map(({ status }) => status)).toEqual(["failed"]);
      expect(seen?.problems.some(({ code }) => code === "runner")).toBe(false);
      expect(end.code).toBeGreaterThan(0);
    }),
    RUNS,
  );
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprint } from "./fingerprint.ts";

const ESC = "\u001b";

describe("the same failure has the same fingerprint", () => {
  it.each<readonly [string, string, string]>([
    ["seconds", "1 failed in 0.31s", "1 failed in 12.02s"],
    ["milliseconds", "✓ adds (3 ms)", "✓ adds (1234ms)"],
    ["microseconds", "took 12µs", "took 7 μs"],
    ["minutes", "Finished in 1 minute", "Finished in 2 minutes"],
    ["TAP durations", "  duration_ms: 1.234", "  duration_ms: 98.7"],
    ["TAP summaries", "# duration_ms 51.2", "# duration_ms 87"],
    ["a time of day", "Start at 17:01:09", "Start at 09:12:44.123"],
    ["a date with a time", "[2026-12-01T10:15:00.123Z] boom", "[2027-01-02 03:04:05,678 +0200] boom"],
    ["milliseconds since 1970", "seed 1796119200000", "seed 1796119212345"],
    [
      "JSON logs",
      '{"level":30,"time":1796119200000,"pid":77,"msg":"x"}',
      '{"level":30,"time":1796119212345,"pid":8,"msg":"x"}',
    ],
    [
      "JSON times as text",
      '{"timestamp": "2026-12-01T10:15:00Z", "m": 1}',
      '{"timestamp": "2026-12-01T10:15:07Z", "m": 1}',
    ],
    ["addresses", "panic at 0xc000012345", "panic at 0xC0000ABCDE"],
    ["ports", "connect ECONNREFUSED 127.0.0.1:41233", "connect ECONNREFUSED 127.0.0.1:5099"],
    ["ports of ::1", "listen EADDRINUSE ::1:41233", "listen EADDRINUSE ::1:5099"],
    ["process ids", "pid 4711 died", "pid 12 died"],
    ["warnings of node", "(node:4711) Warning: x", "(node:12) Warning: x"],
    ["UUIDs", "job 0b2f1c9e-7d1a-4a53-9a55-0123456789ab", "job FFFFFFFF-7d1a-4a53-9a55-0123456789ab"],
    ["colours", `${ESC}[31m✗${ESC}[39m ${ESC}[1;38;5;200madds${ESC}[0m`, "✗ adds"],
    ["hyperlinks", `${ESC}]8;;file:///a.js${ESC}\\a.js${ESC}]8;;${ESC}\\`, "a.js"],
    ["line ends", "a\r\nb\r\n", "a\nb"],
    ["blank lines and indents", "  a\n\n\n\tb", "a\nb"],
    ["order", "✗ b\n✗ a", "✗ a\n✗ b"],
    ["lanes", "at /tmp/yada-1000/lane-aB3dE9/shop/src/a.js:3:5", "at /tmp/yada-1000/lane-Zz9Yx8/shop/src/a.js:3:5"],
    ["lanes of another user", "/tmp/yada-1000/lane-aB3dE9/shop/a.js", "/var/tmp/yada-7/lane-Zz9Yx8/shop/a.js"],
    [
      "lanes in a cache",
      "/home/ann/.cache/yada/lanes/lane-aB3dE9/shop/a.js",
      "/home/ann/.cache/yada/lanes/lane-Zz9Yx8/shop/a.js",
    ],
    ["lanes in a place of their own", "/srv/lanes/lane-aB3dE9/shop/a.js", "/data/x/lane-Zz9Yx8/shop/a.js"],
    ["lanes as URLs", "file:///tmp/yada-1000/lane-aB3dE9/shop/a.js", "file:///tmp/yada-1000/lane-Zz9Yx8/shop/a.js"],
    [
      "temporary folders of a test",
      "ENOENT: open '/tmp/case-x7f3Kq/out.json'",
      "ENOENT: open '/tmp/case-0Lm2Pa/out.json'",
    ],
  ])("whatever its %s", (_, one, another) => {
    expect(fingerprint(another)).toBe(fingerprint(one));
  });
});

describe("different failures have different fingerprints", () => {
  it.each<readonly [string, string, string]>([
    ["another value", "expected 1 to be 2", "expected 1 to be 3"],
    ["another test", "✗ adds", "✗ subtracts"],
    ["another line", "src/a.js:3:5", "src/a.js:4:5"],
    ["another file in a lane", "/tmp/yada-1000/lane-aB3dE9/shop/src/a.js", "/tmp/yada-1000/lane-aB3dE9/shop/src/b.js"],
    [
      "another folder in a lane",
      "/tmp/yada-1000/lane-aB3dE9/shop/src/a.js",
      "/tmp/yada-1000/lane-aB3dE9/shop/lib/a.js",
    ],
    ["another path of the system", "/usr/lib/a.so", "/usr/lib/b.so"],
    ["a duration that is the value", "expected '5s' to be '6s'", "expected '7s' to be '6s'"],
    ["a date that is the value", 'expected "2026-12-01T10:15:00Z"', 'expected "2026-12-02T10:15:00Z"'],
    ["a small hexadecimal value", "expected 0xff", "expected 0xfe"],
    ["an exit code", "ended with 1", "ended with 2"],
    ["how often", "✗ a", "✗ a\n✗ a"],
    ["a version", "needs 1.2.3", "needs 1.2.4"],
    ["a word that begins like a unit", "3 suites failed", "4 suites failed"],
    ["a column of digits", "line 1234567890123", "line 2234567890123"],
  ])("%s", (_, one, another) => {
    expect(fingerprint(another)).not.toBe(fingerprint(one));
  });
});

describe("laws", () => {
  const line = fc.stringMatching(/^[a-z ]{1,20}$/).filter((text) => text.trim() !== "");

  it("the order of lines does not matter", () => {
    const shuffled = fc
      .array(line, { minLength: 1, maxLength: 8 })
      .chain((lines) => fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })));
    fc.assert(
      fc.property(shuffled, ([lines, other]) => fingerprint(lines.join("\n")) === fingerprint(other.join("\n"))),
    );
  });

  it("it is 64 hexadecimal digits, whatever the text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => /^[0-9a-f]{64}$/.test(fingerprint(text))));
  });

  it("nested texts of a megabyte are no trap for its patterns", () => {
    for (const unit of ["/a", "/tmp/a1B2c3", "1", "0x", `${ESC}]`, '"time":', "1:", "a-0", "2026-", "localhost:"])
      expect(fingerprint(unit.repeat(1_000_000 / unit.length))).toHaveLength(64);
  });
});

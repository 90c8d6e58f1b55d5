import fc from "fast-check";
import picomatch from "picomatch/posix.js";
import { describe, expect, test } from "vitest";
import { compileGlob, expandSlashes, foldPath, pathProblem, subjectOf } from "./glob.ts";
import { patternProblem } from "./pattern.ts";

const globName = fc.oneof(
  fc.constantFrom(
    "**",
    "*",
    "a",
    "b",
    "ab",
    ".a",
    "*.ts",
    "a*",
    "*b*",
    "?",
    "??",
    "a?",
    "{a,b}",
    "{a,b}*",
    "*.{ts,js}",
  ),
  fc.constantFrom(
    "[ab]",
    "[!a]*",
    "@(a|b)",
    "!(a)",
    "a+(b)",
    "[[:alpha:]]",
    "{a,b/**}",
    "{a/b,b}",
    "a.{ts,d.ts}",
    "\\[a\\]",
  ),
);
const glob = fc.array(globName, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const name = fc.constantFrom(
  "a",
  "b",
  "ab",
  "ba",
  ".a",
  "a.ts",
  "b.js",
  "a.d.ts",
  "aab",
  "x",
  "[a]",
  ".ts",
  "B",
  "abb",
);
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"));

describe("globs", () => {
  test("a glob names exactly the paths that picomatch says", () => {
    fc.assert(
      fc.property(glob, path, (pattern, given) => {
        fc.pre(patternProblem(pattern, {}) === null);
        // picomatch reads `{a,b/**}` in another way than the two globs that it stands for.
        const options = { dot: true, nonegate: true };
        const expected = expandSlashes(pattern).some((one) => picomatch(one, options)(given));
        expect([pattern, given, compileGlob(pattern).literal(subjectOf(given))]).toEqual([pattern, given, expected]);
      }),
      { numRuns: 20_000 },
    );
  });

  test("a folded match is never narrower than the literal one", () => {
    fc.assert(
      fc.property(glob, path, (pattern, given) => {
        fc.pre(patternProblem(pattern, {}) === null);
        const matcher = compileGlob(pattern);
        const subject = subjectOf(given);
        if (matcher.literal(subject)) expect(matcher.folded(subject)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ["src/A.ts", "SRC/a.TS"],
    ["src/caf\u00e9.ts", "src/cafe\u0301.ts"],
    ["src/stra\u00dfe.ts", "src/STRASSE.ts"],
    ["src/k.ts", "src/\u212a.ts"],
    ["src/a.ts", "src/a.ts."],
    ["src/a.ts", "src /a.ts "],
    ["src/a.ts", "src/a\u200d.ts"],
  ])("%s and %s fold to one form", (one, other) => {
    expect(foldPath(one)).toBe(foldPath(other));
  });

  test("a path of the greatest length is matched in a time that does not explode", () => {
    const matcher = compileGlob("**/*a*a*/**/*a*a*/**/*a*a*b");
    const long = Array.from({ length: 16 }, () => "a".repeat(255)).join("/");
    expect(pathProblem(long)).toBeNull();
    expect(matcher.literal(subjectOf(long))).toBe(false);
    expect(matcher.folded(subjectOf(`${"aa/".repeat(1300)}x`))).toBe(false);
  });

  test.each([
    ["", "is empty"],
    ["/etc/passwd", "is absolute: give it from the repository's root"],
    ["src/../.git/config", "holds an empty, . or .. segment: give it as it is named from the repository's root"],
    ["./src/a.ts", "holds an empty, . or .. segment: give it as it is named from the repository's root"],
    ["src//a.ts", "holds an empty, . or .. segment: give it as it is named from the repository's root"],
    ["src/", "holds an empty, . or .. segment: give it as it is named from the repository's root"],
    ["src\\a.ts", "holds a backslash: separate names by /"],
    ["src/a\nb.ts", "holds a control character"],
    ["src/a\u2028b.ts", "holds a control character"],
    ["src/a\0.ts", "holds a control character"],
  ])("the path %s cannot be judged: it %s", (given, problem) => {
    expect(pathProblem(given)).toBe(problem);
  });

  test("a path or a name that no file system takes cannot be judged", () => {
    expect(pathProblem(`src/${"a".repeat(256)}`)).toBe("holds a name of more than 255 characters");
    expect(pathProblem(`${"a/".repeat(2100)}a`)).toBe("is longer than 4096 characters");
  });
});

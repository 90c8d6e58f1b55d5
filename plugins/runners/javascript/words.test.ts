import { expect, test } from "vitest";
import { splitWords } from "./words.ts";

test.each([
  ["vitest run", ["vitest", "run"]],
  ["  vitest\t run  ", ["vitest", "run"]],
  ['vitest -t "two words"', ["vitest", "-t", "two words"]],
  ["vitest -t 'a $b | c'", ["vitest", "-t", "a $b | c"]],
  ['vitest --dir="a b"/c', ["vitest", "--dir=a b/c"]],
  ["vitest ''", ["vitest", ""]],
  ["", []],
])("%j is %j", (line, words) => {
  expect(splitWords(line)).toEqual({ words });
});

test.each([
  "tsc && vitest",
  "vitest | tee log",
  "vitest > log",
  "vitest; true",
  "vitest $ARGS",
  'vitest "$ARGS"',
  "vitest `pwd`",
  "vitest test/*.js",
  "vitest {a,b}",
  "(vitest)",
  "vitest ~/a",
  "vitest\\ run",
  "vitest # all",
  "vitest\nrm",
  "vitest 'open",
])("%j needs a shell", (line) => {
  expect(splitWords(line)).toEqual({ why: expect.any(String) });
});

/** What an edit does to the tests of a file: by syntax tree where there is a grammar, else by lines. This module is browser compatible. */
import type { Grammars } from "./grammars.ts";
import { onlyAdds } from "./javascript/additions.ts";
import { namedTests } from "./javascript/named-tests.ts";

/**
 * Whether an edit of a test file only adds tests. By syntax tree: every statement that stood there still stands, byte for byte and in order (groups may grow),
 * and what is new is new tests, groups of such, imports and declarations that take no name from what was there. Where no grammar can tell: only insertions of lines.
 */
export async function onlyAddsTests(
  path: string,
  before: string,
  after: string,
  grammars: Grammars | null,
): Promise<boolean> {
  const old = (await grammars?.parse(path, before)) ?? null;
  const now = (await grammars?.parse(path, after)) ?? null;
  return old === null || now === null ? onlyInsertsLines(before, after) : onlyAdds(old, now);
}

export interface TestChanges {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Tests that ran before and would be skipped now. */
  readonly disabled: readonly string[];
}

/** The tests that an edit changes, by their titles joined by " > ". Empty where no grammar can tell. */
export async function changedTests(
  path: string,
  before: string,
  after: string,
  grammars: Grammars | null,
): Promise<TestChanges> {
  const old = (await grammars?.parse(path, before)) ?? null;
  const now = (await grammars?.parse(path, after)) ?? null;
  if (old === null) return { changed: [], removed: [], disabled: [] };
  const left = new Map((now === null ? [] : namedTests(now)).map((test) => [test.name, test]));
  const was = namedTests(old);
  return {
    changed: was.filter(({ name, text }) => left.has(name) && left.get(name)?.text !== text).map(({ name }) => name),
    removed: was.filter(({ name }) => !left.has(name)).map(({ name }) => name),
    disabled: was.filter(({ name, disabled }) => !disabled && left.get(name)?.disabled).map(({ name }) => name),
  };
}

/** Every line of `before` stands in `after`, in order. */
function onlyInsertsLines(before: string, after: string): boolean {
  const wanted = before.split("\n");
  let next = 0;
  for (const line of after.split("\n")) if (line === wanted[next]) next += 1;
  return next === wanted.length;
}

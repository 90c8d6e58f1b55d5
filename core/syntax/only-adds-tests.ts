/** Whether an edit of a test file only adds tests. Where no grammar can tell, by lines: only insertions. */
import type { Grammars } from "./grammars.ts";

export async function onlyAddsTests(
  _path: string,
  before: string,
  after: string,
  _grammars: Grammars | null,
): Promise<boolean> {
  return onlyInsertsLines(before, after);
}

/** Every line of `before` stands in `after`, in order. */
export function onlyInsertsLines(before: string, after: string): boolean {
  const wanted = before.split("\n");
  let next = 0;
  for (const line of after.split("\n")) if (line === wanted[next]) next += 1;
  return next === wanted.length;
}

export async function changedTests(
  _path: string,
  _before: string,
  _after: string,
  _grammars: Grammars | null,
): Promise<{ changed: string[]; removed: string[]; disabled: string[] }> {
  return { changed: [], removed: [], disabled: [] };
}

import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memfsObjects, memoryObjects, type Objects, objectsOver } from "./mod.ts";

const stores: readonly [string, () => Promise<Objects>][] = [
  ["memoryObjects", async () => memoryObjects()],
  ["memfsObjects", memfsObjects],
  ["objectsOver", async () => objectsOver(memoryObjects())],
];

describe.each(stores)("%s", (_, open) => {
  test("gives git's ids and the bytes back", async () => {
    const store = await open();
    const text = new TextEncoder().encode("what is up, doc?");
    const expected = execFileSync("git", ["hash-object", "--stdin"], { input: text, encoding: "utf8" }).trim();
    expect(await store.write(text)).toBe(expected);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const oid = await store.write(bytes);
        expect(oid).toBe(await memoryObjects().write(bytes));
        expect(await store.read(oid)).toEqual(bytes);
        expect(await store.write(bytes)).toBe(oid);
      }),
      { numRuns: 30 },
    );
  });

  test("a blob does not change with the array that it came from or went to", async () => {
    const store = await open();
    for (const bytes of [Uint8Array.of(1, 2, 3), Buffer.from([1, 2, 4])]) {
      const expected = Uint8Array.from(bytes);
      const oid = await store.write(bytes);
      bytes[0] = 9;
      (await store.read(oid))[1] = 9;
      expect(await store.read(oid)).toEqual(expected);
    }
  });

  test("an unknown id is an error that names it", async () => {
    const store = await open();
    const oid = "d".repeat(40);
    await expect(store.read(oid)).rejects.toMatchObject({
      code: "object_missing",
      message: expect.stringContaining(oid),
    });
  });
});

test("a store over another reads from it and writes nothing to it", async () => {
  const base = memoryObjects();
  const below = await base.write(Uint8Array.of(1));
  const store = objectsOver(base);
  const above = await store.write(Uint8Array.of(2));
  expect(await store.read(below)).toEqual(Uint8Array.of(1));
  await expect(base.read(above)).rejects.toMatchObject({ code: "object_missing" });
});

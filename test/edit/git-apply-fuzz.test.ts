/**
 * `apply_patch` against git itself. Random files and changes; git writes the patch; it is damaged in a known way. What is accepted
 * has exactly the known result, and plain `git apply` of the canonical patch makes the same tree. What is refused changes nothing.
 *
 * `YADA_FUZZ_CASES` sets the number of cases, `YADA_FUZZ_SEED` where the sequence starts.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalPatch, proposeApplyPatch, proposeReplaceText } from "../../core/edit/mod.ts";
import { memoryObjects, type Tree } from "../../core/workspace/mod.ts";
import { type Damaged, damages, partsOf } from "./damage.ts";
import { bytesOf, type FileSpec, type Files, GitOracle, hashOf, modeOf, treeOf } from "./fixtures.ts";
import { Random, type RandomChange, randomChange } from "./random.ts";

const cases = Number(process.env["YADA_FUZZ_CASES"] ?? 300);
const seed = Number(process.env["YADA_FUZZ_SEED"] ?? 1);
const batchSize = 100;

let git: GitOracle;
beforeAll(() => {
  git = new GitOracle();
});
afterAll(() => git.remove());

interface Case extends RandomChange {
  readonly seed: number;
  readonly folder: string;
  readonly random: Random;
}

/** The patches that git writes for the cases, by folder. */
function gitPatches(batch: readonly Case[], random: Random): Map<string, string> {
  git.checkout(Object.assign({}, ...batch.map(({ before }) => before)));
  const before = git.tree();
  git.checkout(Object.assign({}, ...batch.map(({ after }) => after)));
  const after = git.tree();
  const options = [
    `-U${random.pick([1, 2, 3, 3, 3, 6])}`,
    random.pick(["--no-renames", "-M", "-C", "--find-copies-harder"]),
    ...(random.chance(0.5) ? ["--full-index"] : []),
  ];
  const patches = new Map<string, string>();
  for (const { folder } of batch) patches.set(folder, "");
  const all = git.git([
    "-c",
    `core.quotePath=${random.chance(0.7)}`,
    "diff-tree",
    "-p",
    "-r",
    "--binary",
    ...options,
    before,
    after,
  ]);
  for (const part of all.toString("latin1").split(/^(?=diff --git "?a\/case)/m)) {
    // Renames between cases have two folders; neither case can be used then.
    const folders = new Set(
      [...(part.split("\n--- ", 1)[0] ?? "").matchAll(/\bcase\d+(?=\/)/g)].map(([folder]) => folder),
    );
    for (const folder of folders) {
      const old = patches.get(folder);
      const text = Buffer.from(part, "latin1").toString("utf8");
      if (folders.size > 1 || text.includes("\ufffd") || text.includes("GIT binary patch")) patches.delete(folder);
      else if (old !== undefined) patches.set(folder, old + text);
    }
  }
  return patches;
}

/** Every path that differs, and sources of copies that the patch names. */
function expectedFiles({ before, after }: RandomChange, patch: string): Record<string, string | null> {
  const paths = new Set<string>();
  for (const path of [...Object.keys(before), ...Object.keys(after)]) {
    const old = before[path];
    const now = after[path];
    if (old === undefined || now === undefined || JSON.stringify(old) !== JSON.stringify(now)) paths.add(path);
    if (patch.includes(`copy from ${path}\n`) || patch.includes(`copy from ${quotedByGit(path)}\n`)) paths.add(path);
  }
  return Object.fromEntries([...paths].map((path) => [path, hashOf(before[path])]));
}

function quotedByGit(path: string): string {
  return `"${path.replaceAll('"', '\\"').replaceAll("ü", "\\303\\274")}"`;
}

const tally = new Map<string, { accepted: number; refused: number }>();
function count(name: string, isAccepted: boolean): void {
  const row = tally.get(name) ?? { accepted: 0, refused: 0 };
  if (isAccepted) row.accepted += 1;
  else row.refused += 1;
  tally.set(name, row);
}

async function judge(item: Case, name: string, { patch, verdict }: Damaged): Promise<string> {
  const { before, after } = item;
  const label = `seed ${item.seed}, damage "${name}"\n${patch}\nbefore: ${JSON.stringify(before)}`;
  const objects = memoryObjects();
  const source = { tree: await treeOf(before, objects), objects, ignoreCase: false };
  const input = { patch, expected_files: expectedFiles(item, patch) };
  const oid = source.tree.oid;
  const result = await proposeApplyPatch(source, input);
  expect(source.tree.oid, label).toBe(oid);
  count(name, result.ok);
  if (!result.ok) {
    expect(Buffer.byteLength(JSON.stringify(result.details)), label).toBeLessThanOrEqual(2048);
    if (verdict === "exact") expect.fail(`refused: ${JSON.stringify(result)}\n${label}`);
    return "";
  }
  if (verdict === "never") expect.fail(`accepted: ${result.patch}\n${label}`);
  const known = await treeOf(after, objects);
  expect(result.tree.oid, `a wrong result\n${result.patch}\n${label}`).toBe(known.oid);
  await checkLaws(source.tree, result.tree, result.patch, before, after, label);
  return result.patch;
}

/** The canonical patch is its own canonical form, and the patch of the way back leads back. */
async function checkLaws(
  base: Tree,
  tree: Tree,
  patch: string,
  before: Files,
  after: Files,
  label: string,
): Promise<void> {
  if (patch.includes("\nGIT binary patch\n")) return;
  const objects = memoryObjects();
  await treeOf(before, objects);
  await treeOf(after, objects);
  const again = await proposeApplyPatch(
    { tree: base, objects, ignoreCase: false },
    {
      patch,
      expected_files: expectedFiles(
        { before, after, taste: { lines: "tricky", ending: "\n", isLatin1: false } },
        patch,
      ),
    },
  );
  if (!again.ok) expect.fail(`the canonical patch is refused: ${JSON.stringify(again)}\n${patch}\n${label}`);
  expect(again.patch, label).toBe(patch);
  expect(again.tree.oid, label).toBe(tree.oid);
  const side = (spec: FileSpec | undefined) =>
    spec === undefined ? null : { bytes: bytesOf(spec), mode: modeOf(spec) };
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = paths.map((path) => ({ path, before: side(after[path]), after: side(before[path]) }));
  const back = canonicalPatch(changes);
  if (back.includes("\nGIT binary patch\n")) return;
  const touched = paths.filter(
    (path) => hashOf(before[path]) !== hashOf(after[path]) || side(before[path])?.mode !== side(after[path])?.mode,
  );
  const reversed = await proposeApplyPatch(
    { tree, objects, ignoreCase: false },
    { patch: back, expected_files: Object.fromEntries(touched.map((path) => [path, hashOf(after[path])])) },
  );
  if (!reversed.ok) expect.fail(`the way back is refused: ${JSON.stringify(reversed)}\n${back}\n${label}`);
  expect(reversed.tree.oid, label).toBe(base.oid);
}

describe("apply_patch against git", () => {
  it(`agrees in ${cases} cases from seed ${seed}`, { timeout: 3_600_000 }, async () => {
    for (let from = 0; from < cases; from += batchSize) {
      const random = new Random(seed * 7919 + from);
      const batch: Case[] = Array.from({ length: Math.min(batchSize, cases - from) }, (_, index) => {
        const own = seed * 1_000_003 + from + index;
        const generator = new Random(own);
        const folder = `case${index}`;
        return { seed: own, folder, random: generator, ...randomChange(generator, folder) };
      });
      const patches = gitPatches(batch, random);
      const accepted: string[] = [];
      const before: Record<string, FileSpec> = {};
      const after: Record<string, FileSpec> = {};
      for (const item of batch) {
        const patch = patches.get(item.folder);
        if (patch === undefined || patch === "") continue;
        let canonical = await judge(item, "none", { patch, verdict: "exact" });
        const damage = item.random.pick(damages);
        const damaged = damage.apply(partsOf(patch), item.random, item.taste);
        if (damaged !== null) canonical = (await judge(item, damage.name, damaged)) || canonical;
        accepted.push(canonical);
        Object.assign(before, item.before);
        Object.assign(after, item.after);
      }
      git.checkout(before);
      git.apply(accepted.join(""));
      const found = git.tree();
      const known = await treeOf(after, memoryObjects());
      if (found !== known.oid) {
        const list = git.git(["ls-files", "-s", "-z"]).toString().split("\0");
        const differing = [...known.entries()].filter(
          ([path, { mode, oid }]) => !list.includes(`${mode} ${oid} 0\t${path}`),
        );
        expect.fail(`git apply of the canonical patches differs in ${JSON.stringify(differing)}`);
      }
    }
    const rows = [...tally].sort(([a], [b]) => a.localeCompare(b));
    if (cases > 300)
      for (const [name, row] of rows) console.log(`${name}: ${row.accepted} accepted, ${row.refused} refused`);
    expect(tally.get("none")?.refused).toBe(0);
  });
});

describe("replace_text against splicing by hand", () => {
  it(`agrees in ${cases} cases from seed ${seed}`, { timeout: 3_600_000 }, async () => {
    for (let from = 0; from < cases; from += batchSize) {
      const before: Record<string, FileSpec> = {};
      const after: Record<string, FileSpec> = {};
      const accepted: string[] = [];
      for (let index = 0; index < Math.min(batchSize, cases - from); index += 1) {
        const own = seed * 1_000_003 + from + index;
        const random = new Random(own);
        const change = randomChange(random, `case${index}`);
        const [path, spec] = Object.entries(change.before)[0] ?? [];
        if (path === undefined || spec === undefined) continue;
        const bytes = Buffer.from(bytesOf(spec));
        const edits = randomEdits(random, bytes);
        if (edits.length === 0) continue;
        const known = splicedByHand(bytes, edits);
        const objects = memoryObjects();
        const source = { tree: await treeOf(change.before, objects), objects, ignoreCase: false };
        const oid = source.tree.oid;
        const result = await proposeReplaceText(source, { files: [{ path, sha256: hashOf(spec) ?? "", edits }] });
        const label = `seed ${own}: ${JSON.stringify(edits)} in ${JSON.stringify(bytes.toString("latin1"))}`;
        expect(source.tree.oid).toBe(oid);
        expect(result.ok, `${JSON.stringify(result)}\n${label}`).toBe(known !== null);
        if (!result.ok || known === null) continue;
        expect(result.tree.oid, label).toBe((await treeOf({ ...change.before, [path]: known }, objects)).oid);
        before[path] = spec;
        after[path] = known;
        accepted.push(result.patch);
        await checkLaws(
          source.tree,
          result.tree,
          result.patch,
          change.before,
          { ...change.before, [path]: known },
          label,
        );
      }
      git.checkout(before);
      git.apply(accepted.join(""));
      expect(git.tree()).toBe((await treeOf(after, memoryObjects())).oid);
    }
  });
});

interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly count?: number;
}

function randomEdits(random: Random, bytes: Buffer): Replacement[] {
  const edits: Replacement[] = [];
  for (let count = random.between(1, 3); count > 0; count -= 1) {
    const at = random.between(0, bytes.length);
    const old = bytes.subarray(at, at + random.between(1, random.chance(0.5) ? 6 : 60)).toString();
    const replacement = random.pick([
      "",
      "x",
      "\n",
      "x\n",
      "$&",
      old.toUpperCase(),
      `${old}\n`,
      `\n${old}`,
      old.split("\n").reverse().join("\n"),
    ]);
    if (old === "" || old.includes("\ufffd") || old === replacement) continue;
    const places = placesOf(bytes, Buffer.from(old)).length;
    edits.push({ old, new: replacement, ...(places > 1 && random.chance(0.8) ? { count: places } : {}) });
  }
  return edits;
}

function placesOf(bytes: Buffer, old: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(old); at >= 0; at = bytes.indexOf(old, at + 1)) places.push(at);
  return places;
}

/** The result on bytes, without any of the code under test; null where the edits must be refused. */
function splicedByHand(bytes: Buffer, edits: readonly Replacement[]): Uint8Array | null {
  const splices: { from: number; to: number; text: Buffer }[] = [];
  for (const { old, new: replacement, count } of edits) {
    const places = placesOf(bytes, Buffer.from(old));
    if (places.length !== (count ?? 1)) return null;
    for (const from of places)
      splices.push({ from, to: from + Buffer.byteLength(old), text: Buffer.from(replacement) });
  }
  splices.sort((a, b) => a.from - b.from);
  let at = 0;
  const pieces: Buffer[] = [];
  for (const { from, to, text } of splices) {
    if (from < at) return null;
    pieces.push(bytes.subarray(at, from), text);
    at = to;
  }
  const result = Buffer.concat([...pieces, bytes.subarray(at)]);
  return result.equals(bytes) ? null : new Uint8Array(result);
}

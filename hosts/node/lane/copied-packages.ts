/** Which installed packages have to stand in a lane as copies. */
import { type Dirent, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { realPlace } from "./real-place.ts";

/** An installed package. `unit` is the folder that is copied where the package has to be. */
interface Installed {
  readonly name: string;
  readonly directory: string;
  readonly unit: string;
}

/**
 * A package that is only linked resolves its own imports from the checkout. Where it depends on a package of the repository (a
 * plug-in that is tested with the library it extends), it would load the checkout's copy of that. Such packages, and those
 * that depend on them, are copied.
 *
 * `folders` are `node_modules` folders by their path in the lane; the answer has the folders to copy, with their paths in the lane.
 * Dependencies are compared by name, which may copy more than has to be.
 */
export function packagesToCopy(
  folders: ReadonlyMap<string, string>,
  isOfRepository: (place: string) => boolean,
): ReadonlyMap<string, string> {
  const tainted = new Set<string>();
  for (const source of folders.values()) {
    for (const { name, item, place } of packagesIn(source)) {
      if (item.isSymbolicLink() && isOfRepository(realPlace(place))) tainted.add(name);
    }
  }
  const units = new Map<string, string>();
  if (tainted.size === 0) return units;
  const open = [...folders].flatMap(([path, source]) =>
    installedIn(source).map((found) => ({ ...found, needs: needsOf(found.directory), path, source })),
  );
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const { name, unit, needs, path, source } of open) {
      if (units.has(unit) || !needs.some((need) => tainted.has(need))) continue;
      units.set(unit, path + unit.slice(source.length));
      tainted.add(name);
      hasGrown = true;
    }
  }
  return units;
}

/** Packages that stand in a `node_modules` folder: real ones, those nested in them, and those in pnpm's store. */
function installedIn(source: string, unitAbove?: string): Installed[] {
  const found: Installed[] = [];
  for (const { name, item, place } of packagesIn(source)) {
    if (!item.isDirectory()) continue;
    const unit = unitAbove ?? place;
    found.push({ name, directory: place, unit });
    const nested = join(place, "node_modules");
    if (existsSync(nested)) found.push(...installedIn(nested, unit));
  }
  const store = join(source, ".pnpm");
  if (!existsSync(store)) return found;
  for (const item of readdirSync(store, { withFileTypes: true })) {
    const inner = join(store, item.name, "node_modules");
    if (item.isDirectory() && existsSync(inner)) found.push(...installedIn(inner, join(store, item.name)));
  }
  return found;
}

function packagesIn(source: string): { name: string; item: Dirent; place: string }[] {
  return readdirSync(source, { withFileTypes: true }).flatMap((item) => {
    const place = join(source, item.name);
    if (item.name.startsWith(".")) return [];
    if (!item.name.startsWith("@") || !item.isDirectory()) return [{ name: item.name, item, place }];
    return readdirSync(place, { withFileTypes: true }).map((inner) => ({
      name: `${item.name}/${inner.name}`,
      item: inner,
      place: join(place, inner.name),
    }));
  });
}

function needsOf(directory: string): string[] {
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  } catch {
    return [];
  }
  if (typeof manifest !== "object" || manifest === null) return [];
  const kinds: unknown[] = ["dependencies", "peerDependencies", "optionalDependencies"].map((kind) =>
    Reflect.get(manifest, kind),
  );
  return kinds.flatMap((kind) => (typeof kind === "object" && kind !== null ? Object.keys(kind) : []));
}

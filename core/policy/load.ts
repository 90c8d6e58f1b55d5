/** From the text of a policy to a policy: parsed, checked, merged with what it extends. This module is browser compatible. */
import { sha256Hex } from "../hash/mod.ts";
import { checkShape } from "./check-shape.ts";
import { parseDocument } from "./document.ts";
import { type Layer, readLayer } from "./layer.ts";
import { mergeLayers } from "./merge.ts";
import { presets } from "./presets.generated.ts";
import { policySchema } from "./schema.generated.ts";
import { nearest } from "./suggest.ts";
import type { LoadedPolicy, PolicyProblem } from "./types.ts";

/**
 * Port: the text of a policy file that `extends` names by a relative path. `from` is the file that names it; `file` in the answer
 * is how problems and decisions name it. Null where there is no such file.
 */
export type ResolvePolicy = (
  reference: string,
  from: string,
) => Promise<{ readonly file: string; readonly text: string } | null>;

export interface LoadPolicyInput {
  readonly text: string;
  /** How problems and decisions name the file. Default `.yada/policy.yaml`. */
  readonly file?: string;
  /** Without it, `extends` can only name presets. */
  readonly resolve?: ResolvePolicy;
}

/** Problems that are reported at once. */
const MAX_PROBLEMS = 50;
const MAX_LAYERS = 32;

/**
 * Loads a policy. Every problem is reported, up to 50, with file, line, column, the place in the document and what would be right.
 *
 * @example
 * ```ts
 * import { loadPolicy } from "yada-runtime";
 * const loaded = await loadPolicy({ text: "version: 1\ntests: { pahts: [] }\n" });
 * if (!loaded.ok) loaded.problems[0]?.suggestion; // "paths"
 * ```
 */
export async function loadPolicy({
  text,
  file = ".yada/policy.yaml",
  resolve,
}: LoadPolicyInput): Promise<LoadedPolicy> {
  const loading: Loading = {
    layers: [],
    names: new Set(),
    problems: [],
    ...(resolve === undefined ? {} : { resolve }),
  };
  await addLayer({ file, text }, [], loading);
  const errors = loading.problems.filter(({ severity }) => severity !== "warning");
  if (errors.length > 0) return { ok: false, problems: loading.problems.slice(0, MAX_PROBLEMS) };
  const policy = mergeLayers(loading.layers, file);
  const warnings = [...loading.problems, ...emptyPolicyWarning(policy.phases, file)];
  return { ok: true, policy, warnings: warnings.slice(0, MAX_PROBLEMS) };
}

interface Loading {
  readonly layers: Layer[];
  readonly names: Set<string>;
  readonly problems: PolicyProblem[];
  readonly resolve?: ResolvePolicy;
}

interface ReadFile {
  readonly layer?: Layer;
  readonly problems: readonly PolicyProblem[];
}

const presetLayers = new Map<string, ReadFile>();

/** Presets are constants, so each one is read once. */
function readPreset(name: string, text: string): ReadFile {
  const known = presetLayers.get(name);
  if (known !== undefined) return known;
  const read = readFile(name, text);
  presetLayers.set(name, read);
  return read;
}

function presetAt(file: string): string | undefined {
  return file.startsWith("yada:") ? presets.get(file.slice("yada:".length)) : undefined;
}

/** One file: parsed, and checked for shape and meaning. */
function readFile(file: string, text: string): ReadFile {
  const parsed = parseDocument(text, file);
  const refused = parsed.ok ? [] : parsed.problems;
  const { root } = parsed;
  if (root === undefined) return { problems: inOrder(refused) };
  const { layer, problems } = readLayer(root, { name: file, sha256: sha256Hex(text) });
  // What was refused as YAML stands in the tree as null: one problem for one place.
  const isNew = ({ path, line }: PolicyProblem) => !refused.some((other) => other.path === path && other.line === line);
  const further = [...checkShape(root, policySchema, file), ...problems].filter(isNew);
  return { layer, problems: inOrder([...refused, ...further]) };
}

/** Adds what the file extends, then the file: the lowest layer comes first, and each one once. */
async function addLayer(
  source: { file: string; text: string },
  parents: readonly string[],
  loading: Loading,
): Promise<void> {
  const { file, text } = source;
  if (loading.names.has(file)) return;
  loading.names.add(file);
  const { layer, problems } = text === presetAt(file) ? readPreset(file, text) : readFile(file, text);
  loading.problems.push(...problems);
  if (layer === undefined) return;

  const chain = [...parents, file];
  for (const { name, place, path } of layer.extends) {
    const refuse = (message: string, suggestion?: string) => {
      const { line, column, text } = place;
      loading.problems.push({
        file,
        line,
        column,
        path,
        message,
        text,
        ...(suggestion === undefined ? {} : { suggestion }),
      });
    };
    const found = await findLayer(name, file, loading, refuse);
    if (found === null) continue;
    if (chain.includes(found.file))
      refuse(`"${name}" comes back to ${found.file}: ${[...chain, found.file].join(" extends ")}`);
    else if (loading.names.size >= MAX_LAYERS) refuse(`more than ${MAX_LAYERS} files stand under this policy`);
    else await addLayer(found, chain, loading);
  }
  loading.layers.push(layer);
}

async function findLayer(
  name: string,
  from: string,
  loading: Loading,
  refuse: (message: string, suggestion?: string) => void,
): Promise<{ file: string; text: string } | null> {
  if (name.startsWith("yada:")) {
    const text = presetAt(name);
    if (text !== undefined) return { file: name, text };
    const names = [...presets.keys()].map((preset) => `yada:${preset}`);
    const near = nearest(name, names);
    refuse(
      `"${name}" is no preset.${near === undefined ? "" : ` Did you mean "${near}"?`} The presets: ${names.join(", ")}`,
      near,
    );
    return null;
  }
  // The shape of anything else is reported by the schema.
  if (!/^\.\.?\//.test(name)) return null;
  if (from.startsWith("yada:")) {
    refuse("a preset extends presets only");
    return null;
  }
  if (loading.resolve === undefined) {
    refuse(`"${name}" is a file, and files cannot be read here: only presets can be named`);
    return null;
  }
  const found = await loading.resolve(name, from);
  if (found === null) refuse(`"${name}" cannot be found from ${from}`);
  return found;
}

function inOrder(problems: readonly PolicyProblem[]): PolicyProblem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
}

function emptyPolicyWarning(phases: object, file: string): PolicyProblem[] {
  if (Object.keys(phases).length > 0) return [];
  const message = "no phase may write anything: add `extends: [yada:base]`, or write `phases`";
  return [{ file, line: 1, column: 1, path: "phases", message, severity: "warning" }];
}

/** The policy of a run: the operator's file, else the repository's, else what `yada init` would write. */
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { defaultPolicy, type LoadedPolicy, loadPolicy } from "../../../core/policy/mod.ts";
import { isMissing } from "./run-directory.ts";

export type RepositoryPolicy = LoadedPolicy & { readonly notices: readonly string[] };

/** Loads it. A file that the operator names must exist; the repository's may be missing, with a notice. */
export async function loadRepositoryPolicy(root: string, policyFile?: string): Promise<RepositoryPolicy> {
  const file = policyFile === undefined ? join(root, ".yada", "policy.yaml") : resolve(policyFile);
  const name = policyFile ?? ".yada/policy.yaml";
  try {
    const text = await readFile(file, "utf8");
    const loaded = await loadPolicy({ text, file: name, resolve: (reference) => besideIt(file, reference) });
    return { ...loaded, notices: [] };
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (policyFile !== undefined) {
      return {
        ok: false,
        problems: [{ file: name, line: 1, column: 1, path: "", message: `There is no file ${name}.` }],
        notices: [],
      };
    }
    const loaded = await loadPolicy({ text: defaultPolicy("node"), file: "yada:default" });
    return { ...loaded, notices: ["There is no .yada/policy.yaml: the preset yada:node is used."] };
  }
}

async function besideIt(file: string, reference: string): Promise<{ file: string; text: string } | null> {
  const path = resolve(dirname(file), reference);
  try {
    return { file: path, text: await readFile(path, "utf8") };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

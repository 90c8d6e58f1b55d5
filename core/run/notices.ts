/** What a policy asks for and this version lacks. It stands in the first event of a run, so that nobody believes it was done. */
import type { Registry } from "../plugin/mod.ts";
import type { Policy } from "../policy/mod.ts";

/** One sentence for each thing. */
export function notInThisVersion(policy: Policy, registry: Registry): string[] {
  const known = new Set(registry.all("guard").map(({ name }) => name));
  const guards = policy.guards
    .filter((name) => !known.has(name))
    .map((name) => `The guard ${name} is not in this version: it checks nothing.`);
  const presenters = Object.keys(policy.presenters).map(
    (outcome) => `The presenter for ${outcome} is not loaded in this version: the built-in text is used.`,
  );
  const propose =
    policy.commands.propose.length > 0
      ? ["commands.propose is not in this version: what commands change is thrown away."]
      : [];
  return [...guards, ...presenters, ...propose];
}

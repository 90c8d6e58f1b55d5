/** What `decide` may know besides the state: the tools by effect and the strategies as data. Gates and presenters stay outside; they are asked by instruction. */
import type { ArtifactName, Obtainable, Strategy } from "../plugin/mod.ts";
import type { ToolDefinition, ToolEffect } from "../tools/mod.ts";

export interface CatalogGate {
  readonly name: string;
  readonly needs?: { readonly evidence: Obtainable; readonly byHost: boolean };
}

export interface CatalogPhase {
  readonly name: string;
  readonly session: "same" | "fresh";
  readonly brief: readonly ArtifactName[];
  readonly refuses: Readonly<Record<string, string>>;
  readonly submit: "red" | null;
  readonly attempts: number;
  readonly leave: readonly CatalogGate[];
  readonly freezes: boolean;
}

export interface Catalog {
  readonly tools: Readonly<Record<string, ToolEffect>>;
  readonly strategies: Readonly<Record<string, readonly CatalogPhase[]>>;
  /** Replies of the model in one session; then the run is unfinished. */
  readonly maxTurns: number;
  /** The policy names verification steps. Without them the regression run stands for the verification. */
  readonly verifies: boolean;
}

const DEFAULT_ATTEMPTS = 3;

/** The catalog of these tools and strategies. */
export function catalogOf(
  tools: readonly ToolDefinition[],
  strategies: readonly Strategy[],
  maxTurns: number,
): Omit<Catalog, "verifies"> {
  return {
    tools: Object.fromEntries(tools.map((tool) => [tool.name, tool.effect])),
    strategies: Object.fromEntries(strategies.map((strategy) => [strategy.name, strategy.phases.map(phaseData)])),
    maxTurns,
  };
}

function phaseData(phase: Strategy["phases"][number]): CatalogPhase {
  return {
    name: phase.name,
    session: phase.session,
    brief: phase.brief ?? [],
    refuses: phase.refuses ?? {},
    submit: phase.submit ?? null,
    attempts: phase.attempts ?? DEFAULT_ATTEMPTS,
    leave: phase.leave.map(({ name, needs }) => (needs === undefined ? { name } : { name, needs })),
    freezes: phase.onLeave?.includes("freeze_tests") ?? false,
  };
}

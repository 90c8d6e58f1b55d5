/** One file of a policy as rules with their places, before layers are merged. This module is browser compatible. */
import { commandPatternProblem } from "./command-pattern.ts";
import { type DocumentNode, join, type Place, toValue } from "./document.ts";
import { KNOWN_GUARDS, KNOWN_PHASES, KNOWN_RUNNERS, KNOWN_STRATEGIES } from "./known.ts";
import { parseCommand } from "./parse-command.ts";
import { type PatternPlace, patternProblem } from "./pattern.ts";
import { nearest } from "./suggest.ts";
import type { Policy, PolicyProblem, Rule, VerifyStep } from "./types.ts";

/** Rules as far as this layer gives them. What is left out is absent. */
export interface LayerRules {
  readonly allow?: readonly Rule[];
  readonly ask?: readonly Rule[];
  readonly deny?: readonly Rule[];
}

export interface Layer {
  readonly name: string;
  readonly sha256: string;
  readonly extends: readonly { readonly name: string; readonly place: Place; readonly path: string }[];
  readonly tests: {
    readonly paths?: readonly Rule[];
    readonly config?: readonly Rule[];
    readonly runner?: string;
    readonly command?: string;
    readonly setup?: string;
    readonly build?: string;
    readonly timeoutMs?: number;
  };
  readonly spec: { readonly paths?: readonly Rule[]; readonly sections?: readonly string[] };
  readonly protect?: readonly Rule[];
  readonly readDeny?: readonly Rule[];
  readonly phases?: ReadonlyMap<string, LayerRules>;
  readonly roles?: ReadonlyMap<string, LayerRules>;
  readonly commands: LayerRules & { readonly propose?: readonly Rule[]; readonly network?: readonly Rule[] };
  readonly offer?: readonly string[];
  readonly editMode?: Policy["edit"]["mode"];
  readonly guards?: readonly string[];
  readonly verify?: readonly VerifyStep[];
  readonly maxRounds?: number;
  readonly presenters?: Readonly<Record<string, string>>;
  readonly plugins?: Policy["plugins"];
  readonly isolation?: Policy["isolation"];
  readonly policyTests: readonly Readonly<Record<string, unknown>>[];
}

export const DEFAULT_TIMEOUT_MS = 600_000;

/**
 * Reads a document that has the right shape, and reports what has no meaning: patterns that cannot be read, unknown names, durations
 * out of bounds. Where the shape is wrong as well, what can be read is read, so that all problems come at once.
 */
export function readLayer(
  root: DocumentNode,
  origin: { readonly name: string; readonly sha256: string },
): { readonly layer: Layer; readonly problems: readonly PolicyProblem[] } {
  const problems: PolicyProblem[] = [];
  const hasPlugins = itemsOf(child(root, "plugins")).length > 0;

  function report(
    place: Place,
    path: string,
    message: string,
    more: { suggestion?: string; severity?: "warning" } = {},
  ): void {
    const { line, column, text } = place;
    problems.push({ file: origin.name, line, column, path, message, text, ...more });
  }

  function rule(node: DocumentNode, pattern: string): Rule {
    const { line, column } = node.place;
    return { pattern, source: { file: origin.name, line, column, text: pattern } };
  }

  function globs(node: DocumentNode | undefined, path: string, place: PatternPlace = {}): readonly Rule[] | undefined {
    if (node?.kind !== "list") return undefined;
    return node.items.flatMap((item, index) => {
      const pattern = textOf(item);
      if (pattern === undefined || pattern === "") return [];
      const problem = patternProblem(pattern, place);
      if (problem === null) return [rule(item, pattern)];
      const { message, suggestion } = problem;
      report(item.place, `${path}[${index}]`, message, suggestion === undefined ? {} : { suggestion });
      return [];
    });
  }

  function commands(
    node: DocumentNode | undefined,
    path: string,
    list: "grant" | "restrict",
  ): readonly Rule[] | undefined {
    if (node?.kind !== "list") return undefined;
    return node.items.flatMap((item, index) => {
      const pattern = textOf(item);
      if (pattern === undefined || pattern === "") return [];
      const message = commandPatternProblem(pattern, list);
      if (message === null) return [rule(item, pattern)];
      report(item.place, `${path}[${index}]`, message);
      return [];
    });
  }

  function writeRules(node: DocumentNode | undefined, path: string): LayerRules {
    const write = child(node, "write");
    const where = `${path}.write`;
    return definite({
      allow: globs(child(write, "allow"), `${where}.allow`, { sets: true, keys: true, allows: true }),
      ask: globs(child(write, "ask"), `${where}.ask`, { sets: true, keys: true }),
      deny: globs(child(write, "deny"), `${where}.deny`, { sets: true, keys: true }),
    });
  }

  function named(node: DocumentNode | undefined, path: string): ReadonlyMap<string, LayerRules> | undefined {
    if (node?.kind !== "map") return undefined;
    return new Map([...node.entries].map(([name, { value }]) => [name, writeRules(value, join(path, name))]));
  }

  function command(node: DocumentNode | undefined, path: string): string | undefined {
    const line = textOf(node);
    if (node === undefined || line === undefined || line === "") return undefined;
    const parsed = parseCommand(line);
    if (!parsed.ok)
      report(
        node.place,
        path,
        `this command cannot be run: ${parsed.message} (column ${parsed.column} of the command)`,
      );
    return line;
  }

  function duration(node: DocumentNode | undefined, path: string): number | undefined {
    const text = textOf(node);
    const found = text === undefined ? null : /^([1-9]\d{0,7})(ms|s|m|h)$/.exec(text);
    if (node === undefined || found === null) return undefined;
    const ms = Number(found[1]) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[found[2] as "ms" | "s" | "m" | "h"];
    if (ms > 24 * 3_600_000) report(node.place, path, `"${text}" is longer than a day: the limit is "24h"`);
    return ms;
  }

  /** A name that nothing built in has: a plugin may bring it, so it is only a warning where there are plugins. */
  function known(
    node: DocumentNode | Place | undefined,
    name: string,
    path: string,
    what: string,
    words: readonly string[],
  ): void {
    if (node === undefined || words.includes(name) || /^\.{0,2}\//.test(name)) return;
    const place = "place" in node ? node.place : node;
    const near = nearest(name, words);
    const message = `"${name}" is no ${what} of this version.${near === undefined ? "" : ` Did you mean "${near}"?`} There are: ${words.join(", ")}`;
    report(place, path, message, {
      ...(near === undefined ? {} : { suggestion: near }),
      ...(hasPlugins ? { severity: "warning" as const } : {}),
    });
  }

  function names(
    node: DocumentNode | undefined,
    path: string,
    what: string,
    words: readonly string[],
  ): readonly string[] | undefined {
    if (node?.kind !== "list") return undefined;
    return node.items.flatMap((item, index) => {
      const name = textOf(item);
      if (name === undefined || name === "") return [];
      known(item, name, `${path}[${index}]`, what, words);
      return [name];
    });
  }

  function verifySteps(node: DocumentNode | undefined): readonly VerifyStep[] | undefined {
    if (node?.kind !== "list") return undefined;
    const first = new Map<string, number>();
    return node.items.flatMap((item, index) => {
      const path = `verify[${index}]`;
      const nameNode = child(item, "name");
      const name = textOf(nameNode);
      const run = child(item, "run");
      const lines =
        run?.kind === "list"
          ? run.items.map((one, at) => command(one, `${path}.run[${at}]`))
          : [command(run, `${path}.run`)];
      const timeoutMs = duration(child(item, "timeout"), `${path}.timeout`) ?? DEFAULT_TIMEOUT_MS;
      const scope = globs(child(item, "scope"), `${path}.scope`);
      const maxRounds = numberOf(child(item, "max_rounds"));
      if (name === undefined || nameNode === undefined) return [];
      const before = first.get(name);
      if (before !== undefined)
        report(nameNode.place, `${path}.name`, `a step named "${name}" stands in line ${before} already`);
      else first.set(name, nameNode.place.line);
      const step: VerifyStep = { name, run: lines.filter((line) => line !== undefined), timeoutMs };
      return [{ ...step, ...definite({ scope: scope?.map(({ pattern }) => pattern), maxRounds }) }];
    });
  }

  function plugins(node: DocumentNode | undefined): Policy["plugins"] | undefined {
    if (node?.kind !== "list") return undefined;
    return node.items.flatMap((item, index) => {
      const use = textOf(child(item, "use"));
      const permissions = child(item, "permissions");
      const path = `plugins[${index}].permissions`;
      globs(child(permissions, "read"), `${path}.read`);
      commands(child(permissions, "run"), `${path}.run`, "grant");
      const trust = textOf(child(item, "trust"));
      if (use === undefined) return [];
      return [
        { use, permissions: permissions === undefined ? {} : asRecord(toValue(permissions)), ...definite({ trust }) },
      ];
    });
  }

  function policyTests(node: DocumentNode | undefined): Readonly<Record<string, unknown>>[] {
    return itemsOf(node).flatMap((item, index) => {
      if (item.kind !== "map") return [];
      const asked = ["write", "read", "run"].filter((key) => item.entries.has(key));
      if (asked.length !== 1) {
        report(item.place, `policy_tests[${index}]`, "a policy test asks one thing: give one of write, read and run");
      }
      if (asked[0] === "write" && !item.entries.has("phase")) {
        report(item.place, `policy_tests[${index}]`, "a write happens in a phase: give `phase` as well");
      }
      const { line, column } = item.place;
      return [{ ...asRecord(toValue(item)), source: { file: origin.name, line, column, text: item.place.text } }];
    });
  }

  const tests = child(root, "tests");
  const spec = child(root, "spec");
  const commandRules = child(root, "commands");
  const phases = named(child(root, "phases"), "phases");
  const phaseNodes = child(root, "phases");
  if (phaseNodes?.kind === "map") {
    for (const [name, { key }] of phaseNodes.entries) known(key, name, join("phases", name), "phase", KNOWN_PHASES);
  }
  const runner = child(tests, "runner");
  const runnerName = textOf(runner);
  if (runnerName !== undefined && runnerName !== "")
    known(runner, runnerName, "tests.runner", "test runner", KNOWN_RUNNERS);
  const presenters = child(root, "presenters");

  const layer: Layer = {
    ...origin,
    extends: itemsOf(child(root, "extends")).flatMap((item, index) => {
      const name = textOf(item);
      return name === undefined ? [] : [{ name, place: item.place, path: `extends[${index}]` }];
    }),
    tests: definite({
      paths: globs(child(tests, "paths"), "tests.paths"),
      config: globs(child(tests, "config"), "tests.config", { keys: true }),
      runner: runnerName,
      command: command(child(tests, "command"), "tests.command"),
      setup: command(child(tests, "setup"), "tests.setup"),
      build: command(child(tests, "build"), "tests.build"),
      timeoutMs: duration(child(tests, "timeout"), "tests.timeout"),
    }),
    spec: definite({
      paths: globs(child(spec, "paths"), "spec.paths"),
      sections: texts(child(spec, "sections")),
    }),
    commands: definite({
      allow: commands(child(commandRules, "allow"), "commands.allow", "grant"),
      ask: commands(child(commandRules, "ask"), "commands.ask", "restrict"),
      deny: commands(child(commandRules, "deny"), "commands.deny", "restrict"),
      propose: commands(child(commandRules, "propose"), "commands.propose", "grant"),
      network: commands(child(commandRules, "network"), "commands.network", "grant"),
    }),
    policyTests: policyTests(child(root, "policy_tests")),
    ...definite({
      protect: globs(child(root, "protect"), "protect", { keys: true }),
      readDeny: globs(child(child(root, "read"), "deny"), "read.deny"),
      phases,
      roles: named(child(root, "roles"), "roles"),
      offer: names(child(child(root, "strategies"), "offer"), "strategies.offer", "strategy", KNOWN_STRATEGIES),
      editMode: oneOf(textOf(child(child(root, "edit"), "mode")), ["replace_first", "patch_only"]),
      guards: names(child(root, "guards"), "guards", "guard", KNOWN_GUARDS),
      verify: verifySteps(child(root, "verify")),
      maxRounds: numberOf(child(root, "max_rounds")),
      presenters:
        presenters?.kind === "map"
          ? Object.fromEntries([...presenters.entries].map(([key, { value }]) => [key, textOf(value) ?? ""]))
          : undefined,
      plugins: plugins(child(root, "plugins")),
      isolation: oneOf(textOf(child(root, "isolation")), ["auto", "none", "bwrap"]),
    }),
  };
  return { layer, problems };
}

type Definite<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without the members that are undefined. */
function definite<T extends object>(record: T): Definite<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Definite<T>;
}

function child(node: DocumentNode | undefined, key: string): DocumentNode | undefined {
  return node?.kind === "map" ? node.entries.get(key)?.value : undefined;
}

function itemsOf(node: DocumentNode | undefined): readonly DocumentNode[] {
  return node?.kind === "list" ? node.items : [];
}

function textOf(node: DocumentNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

function numberOf(node: DocumentNode | undefined): number | undefined {
  return node?.kind === "scalar" && typeof node.value === "number" ? node.value : undefined;
}

function texts(node: DocumentNode | undefined): readonly string[] | undefined {
  return node?.kind === "list" ? node.items.map(textOf).filter((text) => text !== undefined) : undefined;
}

function oneOf<const Word extends string>(text: string | undefined, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === text);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** `definePlugin`: the one way in for all six kinds. */
import type { Plugin, PluginKind } from "./contracts.ts";

/** The functions and data that each kind must bring. */
const MEMBERS: { readonly [K in PluginKind]: Readonly<Record<string, "function" | "string" | "object" | "array">> } = {
  strategy: { summary: "string", phases: "array" },
  presenter: { for: "object", present: "function" },
  guard: { cost: "string", inspect: "function" },
  verifier: { verify: "function" },
  runner: {
    detect: "function",
    defaultCommand: "array",
    recognises: "function",
    resolve: "function",
    prepare: "function",
    select: "function",
    parse: "function",
    surface: "array",
    canary: "function",
  },
  model: { respond: "function" },
};

/** What is wrong with a value that should be a plugin, one sentence each; empty where nothing is. */
export function pluginProblems(value: unknown): string[] {
  if (value === null || typeof value !== "object")
    return [`a plugin is an object, not ${value === null ? "null" : typeof value}`];
  const plugin = value as Record<string, unknown>;
  const kind = plugin["kind"];
  if (typeof kind !== "string" || !Object.hasOwn(MEMBERS, kind)) {
    return [`kind is ${JSON.stringify(kind)}; it must be one of ${Object.keys(MEMBERS).join(", ")}`];
  }
  const wanted: Readonly<Record<string, string>> = {
    name: "string",
    version: "string",
    ...MEMBERS[kind as PluginKind],
  };
  const problems: string[] = [];
  for (const [member, type] of Object.entries(wanted)) {
    const is = Array.isArray(plugin[member]) ? "array" : plugin[member] === null ? "null" : typeof plugin[member];
    if (is !== type) problems.push(`${member} must be ${type === "array" ? "an array" : `a ${type}`}, and is ${is}`);
  }
  if (plugin["name"] === "") problems.push("name must not be empty");
  return problems;
}

/**
 * Checks the shape of a plugin and returns it unchanged.
 *
 * @throws {TypeError} where the value is no plugin; the message names the plugin and every member that is wrong.
 *
 * @example
 * ```ts
 * import { definePlugin } from "yada-runtime";
 * const plugin = definePlugin({
 *   kind: "presenter",
 *   name: "team-voice",
 *   version: "1.0.0",
 *   for: { audience: "agent", verdict: "escalate", classification: "unexpected_pass" },
 *   present: ({ step }) => `${step}: the test passed too early. Ask in the channel.`,
 * });
 * plugin.name; // 'team-voice'
 * ```
 */
export function definePlugin<P extends Plugin>(plugin: P): P {
  const problems = pluginProblems(plugin);
  if (problems.length > 0) {
    const name = typeof plugin?.name === "string" ? ` ${plugin.name}` : "";
    throw new TypeError(`definePlugin${name}: ${problems.join("; ")}.`);
  }
  return plugin;
}

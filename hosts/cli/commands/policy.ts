/** `yada policy check | explain | test`: thin over the policy engine. */
import { resolve } from "node:path";
import { explain, type PolicyProblem, runPolicyTests } from "../../../core/policy/mod.ts";
import { loadRepositoryPolicy } from "../../node/run/mod.ts";
import type { ExitCode, Io } from "../io.ts";
import { printJson, say } from "../print.ts";

export interface PolicyOptions {
  readonly dir?: string;
  readonly policy?: string;
  readonly json?: boolean;
  readonly phase?: string;
  readonly write?: boolean;
  readonly read?: boolean;
  readonly run?: string;
}

const load = (options: PolicyOptions, io: Io) =>
  loadRepositoryPolicy(
    resolve(io.cwd, options.dir ?? "."),
    options.policy === undefined ? undefined : resolve(io.cwd, options.policy),
  );

export async function policyCheck(options: PolicyOptions, io: Io): Promise<ExitCode> {
  const loaded = await load(options, io);
  const problems: readonly PolicyProblem[] = loaded.ok ? loaded.warnings : loaded.problems;
  if (options.json) printJson(io, { ok: loaded.ok, problems, notices: loaded.notices });
  for (const { file, line, column, message } of problems) io.err(`${file}:${line}:${column}: ${message}\n`);
  for (const notice of loaded.notices) io.err(`${notice}\n`);
  if (loaded.ok && !options.json) io.out("The policy is valid.\n");
  return loaded.ok ? 0 : 2;
}

export async function policyExplain(path: string | undefined, options: PolicyOptions, io: Io): Promise<ExitCode> {
  const loaded = await load(options, io);
  if (!loaded.ok)
    return say(
      io,
      2,
      loaded.problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join("\n"),
    );
  if (path === undefined && options.run === undefined)
    return say(
      io,
      2,
      "Name a path, or a command with --run. Example: yada policy explain src/a.ts --phase red --write",
    );
  const phase = options.phase ?? "fix";
  const decision =
    options.run !== undefined
      ? explain(loaded.policy, { action: "run", phase, command: options.run })
      : explain(loaded.policy, { action: options.read ? "read" : "write", phase, path: path ?? "" });
  if (options.json) printJson(io, decision);
  else
    io.out(
      `${decision.decision}: ${decision.why}${decision.rule === undefined ? "" : `\n  ${decision.rule.file}:${decision.rule.line}:${decision.rule.column}: ${decision.rule.text}`}\n`,
    );
  return 0;
}

export async function policyTest(options: PolicyOptions, io: Io): Promise<ExitCode> {
  const loaded = await load(options, io);
  if (!loaded.ok)
    return say(
      io,
      2,
      loaded.problems.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join("\n"),
    );
  const results = runPolicyTests(loaded.policy);
  const failed = results.filter(({ passed }) => !passed);
  if (options.json) printJson(io, { ok: failed.length === 0, results });
  for (const { query, expected, actual, source } of failed) {
    const place = source === undefined ? loaded.policy.source.file : `${source.file}:${source.line}:${source.column}`;
    const rule = actual.rule === undefined ? "" : ` (${actual.rule.file}:${actual.rule.line})`;
    io.err(
      `${place}: ${query.action} ${query.path ?? String(query.command)}\n  - ${expected}\n  + ${actual.decision}: ${actual.why}${rule}\n`,
    );
  }
  if (!options.json) io.out(`${results.length - failed.length} of ${results.length} policy tests hold.\n`);
  return failed.length === 0 ? 0 : 1;
}

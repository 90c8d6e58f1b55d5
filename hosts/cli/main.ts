/** The command `yada`: what it offers, and how it ends. */
import { Command, CommanderError } from "commander";
import { approveCommand, type ContinueOptions, resumeCommand } from "./commands/continue.ts";
import { type DemoOptions, demoCommand } from "./commands/demo.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { type LookOptions, runsCommand, showCommand, traceCommand } from "./commands/look.ts";
import { type PolicyOptions, policyCheck, policyExplain, policyTest } from "./commands/policy.ts";
import { type RunOptions, runCommand } from "./commands/run.ts";
import type { ExitCode, Io } from "./io.ts";
import { say } from "./print.ts";

/** Runs one command line (without the program's name) and returns its exit code. */
export async function main(argv: readonly string[], io: Io, signal?: AbortSignal): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = commands(io, signal, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return signal?.aborted ? 130 : code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (signal?.aborted) return 130;
    return say(io, 3, whatBroke(error));
  }
}

function commands(io: Io, signal: AbortSignal | undefined, done: (code: ExitCode) => void): Command {
  const program = new Command("yada")
    .description("A verification-first runtime for coding agents: work that is proved, not claimed.")
    .version("0.1.0")
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .addHelpText(
      "after",
      "\nExit codes: 0 pass, 1 the work falls short, 2 wrong use or policy, 3 needs a person or cannot run.\nExample: yada demo",
    );

  const add = (parent: Command, name: string, description: string, example: string): Command =>
    parent
      .command(name)
      .description(description)
      .option("--json", "one JSON document on standard output, everything else on standard error")
      .addHelpText("after", `\nExample: ${example}`)
      .exitOverride()
      .configureOutput({ writeOut: io.out, writeErr: io.err });
  const inFolder = (command: Command): Command =>
    command.option("--dir <dir>", "the repository (default: this folder)");

  add(program, "demo", "a small repository with a real bug: cheats refused, then the honest run", "yada demo --keep")
    .option("--keep", "leave the repository where it is")
    .action(async (options: DemoOptions) => done(await demoCommand(options, io, signal)));

  inFolder(add(program, "run", "drive a run by a script", "yada run --script fix.yaml --json"))
    .option("--script <file>", "what the agent does (YAML or JSON)")
    .option("--policy <file>", "use this policy in the place of the repository's")
    .action(async (options: RunOptions) => done(await runCommand(options, io, signal)));

  inFolder(add(program, "runs", "list the runs of this repository", "yada runs --json")).action(
    async (options: LookOptions) => done(await runsCommand(options, io)),
  );

  inFolder(
    add(program, "show <run>", "one run: what was seen, and what was decided", "yada show 20261201-101500-ab12cd"),
  ).action(async (run: string, options: LookOptions) => done(await showCommand(run, options, io)));

  inFolder(add(program, "trace <run>", "the events of a run, one a line", "yada trace 20261201-101500-ab12cd --verify"))
    .option("--verify", "check every line: nothing changed, dropped, swapped or cut")
    .action(async (run: string, options: LookOptions) => done(await traceCommand(run, options, io)));

  inFolder(
    add(program, "resume <run>", "go on with a run that was killed", "yada resume 20261201-101500-ab12cd"),
  ).action(async (run: string, options: ContinueOptions) => done(await resumeCommand(run, options, io, signal)));

  inFolder(
    add(
      program,
      "approve <run>",
      "answer what a run waits for",
      "yada approve 20261201-101500-ab12cd --accept --reason 'looked at the diff'",
    ),
  )
    .option("--accept", "allow it, or accept the work as it stands")
    .option("--deny", "do not allow it")
    .option("--retry", "try again")
    .option("--abort", "end the run and put everything back")
    .option("--reason <text>", "stands in the trace")
    .option("--by <name>", "who answers", process.env["USER"] ?? "operator")
    .action(async (run: string, options: ContinueOptions) => done(await approveCommand(run, options, io, signal)));

  inFolder(add(program, "doctor", "what this machine and repository can do", "yada doctor")).action(
    async (options: { dir?: string; json?: boolean }) => done(await doctorCommand(options, io)),
  );

  const policy = program.command("policy").description("check, explain and test the policy").exitOverride();
  const policyOf = (command: Command): Command =>
    inFolder(command).option("--policy <file>", "this file in the place of the repository's");
  policyOf(add(policy, "check", "is the policy valid?", "yada policy check")).action(async (options: PolicyOptions) =>
    done(await policyCheck(options, io)),
  );
  policyOf(
    add(
      policy,
      "explain [path]",
      "what the policy says of a path or a command, and by which line",
      "yada policy explain src/a.ts --phase red --write",
    ),
  )
    .option("--phase <phase>", "the phase that asks (default: fix)")
    .option("--write", "may it be written? (the default)")
    .option("--read", "may it be read?")
    .option("--run <command>", "may this command run?")
    .action(async (path: string | undefined, options: PolicyOptions) => done(await policyExplain(path, options, io)));
  policyOf(add(policy, "test", "run the policy's own tests", "yada policy test")).action(
    async (options: PolicyOptions) => done(await policyTest(options, io)),
  );
  return program;
}

/** A broken world in one sentence, with its cause, and no stack: a stack helps only who writes this code. */
function whatBroke(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  const trace = process.env["YADA_DEBUG"] === undefined ? " Set YADA_DEBUG=1 for the stack." : `\n${error.stack ?? ""}`;
  return `${error.message}${cause}${trace}`;
}

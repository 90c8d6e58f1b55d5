/** The fingerprint of a test command: what "the same command" means. */
import { canonicalJson, sha256Hex } from "../hash/mod.ts";
import type { Runner } from "../plugin/mod.ts";
import type { TestCommand } from "./events.ts";

/** A command with its fingerprint: SHA-256 over runner, version of the adapter and argument list. */
export function testCommand(argv: readonly string[], runner: Runner): TestCommand {
  const named = { runner: runner.name, version: runner.version, argv: [...argv] };
  return { argv: [...argv], runner: runner.name, fingerprint: sha256Hex(canonicalJson(named)) };
}

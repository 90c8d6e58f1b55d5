/** What this machine allows to keep a command apart. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BubblewrapProgram, bubblewrapOf } from "./bubblewrap.ts";
import { findProgram } from "./find-program.ts";
import { runProcess } from "./run-process.ts";

export type Isolation = "auto" | "none" | "bwrap";

export type IsolationProbe =
  | { readonly engine: "bwrap"; readonly use: BubblewrapProgram; readonly version: string; readonly message: string }
  /** `message` says why, and what to do about it. */
  | { readonly engine: "none"; readonly isInstalled: boolean; readonly message: string };

/**
 * Tries bubblewrap with every kind of mount and namespace that a lane asks for: an installed bubblewrap often may not be used,
 * in a container or where the system forbids user namespaces.
 */
export async function probeIsolation(
  host: Readonly<Record<string, string | undefined>> = process.env,
): Promise<IsolationProbe> {
  if (process.platform !== "linux") {
    return { engine: "none", isInstalled: false, message: "bubblewrap isolates commands on Linux only." };
  }
  const found = findProgram("bwrap", "/", host["PATH"] ?? "");
  if (!found.ok) {
    const message = "bubblewrap (bwrap) is not installed; the packages of most systems call it bubblewrap.";
    return { engine: "none", isInstalled: false, message };
  }
  const place = await mkdtemp(join(tmpdir(), "yada-probe-"));
  try {
    const [lane, tmp] = [join(place, "lane"), join(place, "tmp")];
    await Promise.all([mkdir(lane), mkdir(tmp)]);
    let why = "";
    for (const hasUserNamespace of [true, false]) {
      const use = { program: found.path, hasUserNamespace };
      const view = { lane, tmp, writable: [], readable: [], hidden: [], mounts: [], network: false };
      const tried = await runProcess({
        argv: ["sh", "-c", 'touch "$0/w" && ! touch /etc/yada-probe 2>/dev/null', lane],
        cwd: lane,
        env: { PATH: "/usr/bin:/bin" },
        timeoutMs: 10_000,
        bubblewrap: bubblewrapOf(use, view, undefined),
      });
      if (tried.exit.code === 0 && tried.cannotRun === undefined) {
        const version = await versionOf(found.path);
        return { engine: "bwrap", use, version, message: `bubblewrap ${version} works here.` };
      }
      why ||= tried.cannotRun ?? tried.output.trim().slice(0, 300);
    }
    return {
      engine: "none",
      isInstalled: true,
      message: `${found.path} is installed but may not be used here: ${why}`,
    };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function versionOf(program: string): Promise<string> {
  const told = await runProcess({ argv: [program, "--version"], cwd: "/", env: {}, timeoutMs: 5_000 });
  return told.output.trim().replace(/^bubblewrap /, "") || "of unknown version";
}

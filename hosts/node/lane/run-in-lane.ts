/** Running one command in a lane: its folders, its environment, its sandbox, its report. */
import { dirname, join } from "node:path";
import type { CommandResult } from "../../../core/run/mod.ts";
import {
  bubblewrapOf,
  commandEnvironment,
  type IsolationProbe,
  isReplaced,
  type ProcessResult,
  runProcess,
} from "../process/mod.ts";
import type { LaneCommand } from "./command.ts";
import { outsideTargets } from "./outside-targets.ts";
import type { LanePlace } from "./place.ts";
import { makeRunPlace, maxReportBytes, type RunPlace } from "./run-place.ts";

export interface LaneRun {
  readonly checkout: string;
  readonly lane: string;
  readonly place: LanePlace;
  readonly isolation: IsolationProbe;
  /** Dependency folders: path in the lane, and the place on disk. */
  readonly dependencies: readonly (readonly [path: string, source: string])[];
  readonly hidden: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly notes: readonly string[];
  /** Told, by the clock of the file system, when the command is about to start. */
  readonly started: (atMs: number) => void;
}

export async function runInLane(command: LaneCommand, lane: LaneRun): Promise<CommandResult> {
  const run = await makeRunPlace(lane.place.directory, command.files);
  try {
    lane.started(run.madeMs);
    const fill = (word: string) =>
      word.replaceAll("{report}", () => run.report).replaceAll("{support}", () => run.support);
    const isIsolated = lane.isolation.engine === "bwrap";
    const result = await runProcess({
      argv: command.argv.map(fill),
      cwd: lane.lane,
      env: commandEnvironment({
        host: lane.environment,
        home: run.home,
        tmp: isIsolated ? "/tmp" : run.tmp,
        path: [join(lane.lane, "node_modules/.bin"), dirname(process.execPath)],
        checkout: lane.checkout,
        lane: lane.lane,
        ceiling: lane.place.base,
        extra: Object.fromEntries(Object.entries(command.env).map(([name, value]) => [name, fill(value)])),
      }),
      timeoutMs: command.timeoutMs,
      ...(command.report === "stdout" ? { stdout: "capture" as const, maxCaptureBytes: maxReportBytes } : {}),
      ...(command.signal === undefined ? {} : { signal: command.signal }),
      ...(lane.isolation.engine === "bwrap" ? { bubblewrap: sandbox(lane.isolation.use, command, lane, run) } : {}),
    });
    const report = await reportOf(command, result, run);
    return {
      exit: result.exit,
      output: result.output,
      report: report.text,
      root: lane.lane,
      durationMs: result.durationMs,
      isolation: {
        engine: lane.isolation.engine,
        notes: [
          ...isolationNotes(lane.isolation, command.network),
          ...lane.place.notes,
          ...lane.notes,
          ...result.notes,
          ...(report.note === undefined ? [] : [report.note]),
        ],
      },
      stray: [],
      ...(result.cannotRun === undefined ? {} : { cannotRun: result.cannotRun }),
    };
  } finally {
    await run.remove();
  }
}

/**
 * The lane also stands at the checkout's path, with the dependency folders in it. So whatever names the checkout (a link
 * between packages, an editable install) reaches the lane's code, and the run's records are out of sight.
 */
function sandbox(
  use: Extract<IsolationProbe, { engine: "bwrap" }>["use"],
  command: LaneCommand,
  lane: LaneRun,
  run: RunPlace,
): ReturnType<typeof bubblewrapOf> {
  const hidden = [lane.place.base, ...lane.hidden];
  const program = dirname(dirname(process.execPath));
  const sources = lane.dependencies.map(([, source]) => source);
  const covered = [program, ...sources, ...outsideTargets(sources, lane.checkout)].filter((path) =>
    isReplaced(path, hidden),
  );
  return bubblewrapOf(
    use,
    {
      lane: lane.lane,
      tmp: run.tmp,
      writable: [run.out, run.home],
      readable: [run.support],
      hidden,
      mounts: [
        ...covered.map((path) => ({ from: path, to: path, writable: false })),
        { from: lane.lane, to: lane.checkout, writable: true },
        ...lane.dependencies.map(([path, source]) => ({
          from: source,
          to: join(lane.checkout, path),
          writable: false,
        })),
      ],
      network: command.network,
    },
    lane.environment["HOME"],
  );
}

async function reportOf(
  command: LaneCommand,
  result: ProcessResult,
  run: RunPlace,
): Promise<{ text: string | null; note?: string }> {
  switch (command.report) {
    case "none":
      return { text: null };
    case "stdout":
      return { text: result.stdout };
    case "file":
      return run.readReport();
  }
}

function isolationNotes(isolation: IsolationProbe, network: boolean): string[] {
  if (isolation.engine === "none") {
    return [
      `No isolation: ${isolation.message} The command could read the run's records and every file of this user, use the network, and write to shared dependency folders.`,
    ];
  }
  return [
    `bubblewrap ${isolation.version}: read-only system, private /tmp and processes, other lanes and the run's records out of sight, ${network ? "network as asked for" : "no network"}.`,
  ];
}

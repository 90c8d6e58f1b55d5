/** The timeline of a run: one line for each thing that a person wants to know, as it happens. */
import { createColors } from "picocolors";
import type { RunEvent } from "../../core/run/mod.ts";
import type { Io } from "./io.ts";

export interface Timeline {
  event(event: RunEvent): void;
  /** Ends the line that says what is being waited for. */
  end(): void;
}

/** On a terminal the last line says what is being waited for, with the time; elsewhere there are plain lines only. */
export function timeline(io: Io, write: (text: string) => void, now: () => number = Date.now): Timeline {
  const colours = createColors(io.colour);
  const started = now();
  let waiting: string | null = null;
  let timer: NodeJS.Timeout | null = null;
  const elapsed = () => `${((now() - started) / 1000).toFixed(1).padStart(6)}s`;
  const clear = () => {
    if (waiting !== null && io.isTerminal) write("\r\u001b[K");
  };
  const show = () => {
    if (waiting !== null && io.isTerminal) write(`\r\u001b[K${colours.dim(`${elapsed()}  … ${waiting}`)}`);
  };
  return {
    event(event) {
      clear();
      for (const { mark, text } of linesFor(event)) {
        const sign = {
          good: colours.green("✓"),
          bad: colours.red("✗"),
          ask: colours.yellow("?"),
          plain: colours.dim("·"),
        }[mark];
        write(`${colours.dim(elapsed())}  ${sign} ${text}\n`);
      }
      waiting = waitsFor(event);
      show();
      if (io.isTerminal && timer === null) timer = setInterval(show, 500).unref();
    },
    end() {
      clear();
      waiting = null;
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
  };
}

interface Line {
  readonly mark: "good" | "bad" | "ask" | "plain";
  readonly text: string;
}

/** What is said of an event; nothing for those that only a trace wants. */
export function linesFor(event: RunEvent): readonly Line[] {
  const answer = refused(event);
  switch (event.type) {
    case "run_started":
      return [
        { mark: "plain", text: `run ${event.data.run}: ${first(event.data.task)}` },
        ...event.data.notices.map((text): Line => ({ mark: "plain", text })),
      ];
    case "strategy_selected":
      return [{ mark: "good", text: `strategy ${event.data.strategy}: ${first(event.data.reason)}` }];
    case "phase_started":
      return event.data.phase === "select"
        ? []
        : [{ mark: "plain", text: `phase ${event.data.phase}${event.data.fresh ? " in a fresh session" : ""}` }];
    case "edit_applied":
      return [{ mark: "good", text: `edit: ${event.answer?.result.ok ? paths(event.answer.result["touched"]) : ""}` }];
    case "tests_observed": {
      const { purpose, outcome, command } = event.data;
      const mark = outcome.verdict === "pass" ? "good" : "bad";
      return [
        {
          mark,
          text: `${purpose}: ${outcome.classification}. ${first(outcome.reasons[0] ?? "")}${command === null ? "" : `  [${command.argv.join(" ")}]`}`,
        },
      ];
    }
    case "verified":
      return [
        {
          mark: event.data.outcome.verdict === "pass" ? "good" : "bad",
          text: `verification: ${event.data.outcome.classification}. ${first(event.data.outcome.reasons[0] ?? "")}`,
        },
      ];
    case "test_frozen":
      return [
        { mark: "good", text: `frozen: ${event.data.target.join(", ")} (patch ${event.data.patchSha.slice(0, 12)})` },
      ];
    case "command_ran":
      return [
        {
          mark: event.data.exit.code === 0 ? "plain" : "bad",
          text: `command: ${event.data.argv.join(" ")} ended with ${event.data.exit.code ?? event.data.exit.signal}${event.data.stray.length > 0 ? `; thrown away: ${event.data.stray.join(", ")}` : ""}`,
        },
      ];
    case "finish_refused":
      return answer.length > 0
        ? answer
        : [
            {
              mark: "bad",
              text: `finish refused: ${event.data.missing.map((gate) => first(gate.missing ?? gate.name)).join("; ")}`,
            },
          ];
    case "finish_accepted":
      return [{ mark: "good", text: "finish accepted: all gates hold" }];
    case "written":
      return [{ mark: "good", text: `written: ${event.data.paths.join(", ") || "nothing had changed"}` }];
    case "write_refused":
      return [{ mark: "bad", text: `not written: ${event.data.message}` }];
    case "blocked_reported":
      return [{ mark: "bad", text: `blocked: ${event.data.reason}` }];
    case "approval_requested":
      return [{ mark: "ask", text: `a person has to answer: ${event.data.card.what}. ${first(event.data.card.why)}` }];
    case "approval_answered":
      return [
        { mark: "ask", text: `${event.data.answer.by} answered ${event.data.answer.answer}: ${event.data.card.what}` },
        ...answer,
      ];
    case "cancel_requested":
      return [{ mark: "bad", text: `cancelled: ${event.data.reason}` }];
    case "model_failed":
      return [{ mark: "bad", text: `the model failed: ${event.data.message}` }];
    case "plugin_failed":
      return [
        { mark: "bad", text: `the plugin ${event.data.plugin} broke in ${event.data.hook}: ${event.data.message}` },
      ];
    case "run_finished":
      return [
        {
          mark: event.data.status === "completed" ? "good" : "bad",
          text: `${event.data.status}: ${event.data.outcome.classification}. ${first(event.data.outcome.reasons[0] ?? "")}`,
        },
      ];
    default:
      return answer;
  }
}

function refused(event: RunEvent): Line[] {
  const result = event.answer?.result;
  if (result === undefined || result.ok || event.type === "presented") return [];
  const tool =
    "call" in event.data && event.data.call !== null && "tool" in event.data.call ? event.data.call.tool : "call";
  return [{ mark: "bad", text: `${tool} refused, ${result.code}: ${first(result.message)}` }];
}

/** What the run does next, as far as the last event tells. */
function waitsFor(event: RunEvent): string | null {
  switch (event.type) {
    case "red_submitted":
      return "the test on the unchanged code";
    case "tests_requested":
      return "the tests";
    case "finish_requested":
      return "the gates";
    case "run_finished":
    case "approval_requested":
      return null;
    default:
      return "the next step";
  }
}

function first(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}

function paths(touched: unknown): string {
  return Array.isArray(touched) ? touched.map((file: { path?: string }) => file.path ?? "").join(", ") : "";
}

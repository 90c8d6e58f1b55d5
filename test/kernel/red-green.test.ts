import { describe, expect, it } from "vitest";
import { EMPTY_HEAD, evolve, INITIAL, type RunEvent, readTrace, sealEvent } from "../../core/run/mod.ts";
import { directExecute, redGreen } from "../../plugins/strategies/mod.ts";
import { type Step, scripted, type World, world } from "./simulation.ts";
import { choose, create, finish, RED, runTests, submit, write } from "./steps.ts";

const plugins = [redGreen, directExecute];
const FILES = {
  "src/value.txt": "1\n",
  "test/old.test.txt": "test old = 2\n",
  "sim.config": "strict\n",
  "secret/key.txt": "hunter2\n",
};
const FIX = [write("src/value.txt", "1", "2"), runTests(), finish];

async function play(
  sessions: readonly (readonly Step[])[],
  more: Partial<Parameters<typeof world>[0]> = {},
): Promise<World & { result: Awaited<ReturnType<World["kernel"]["run"]>> }> {
  const made = await world({ model: (workspace) => scripted(workspace, sessions), plugins, files: FILES, ...more });
  return { ...made, result: await made.kernel.run("Make the value two.") };
}

const codes = (events: readonly RunEvent[]) =>
  events.flatMap(({ answer }) => (answer?.result.ok === false ? [answer.result.code] : []));

describe("an honest red_green run", () => {
  it("passes the eight milestones in order and writes only then", async () => {
    const { result, events, written } = await play([RED, FIX]);
    expect(result.transitions).toEqual([
      "strategy_selected",
      "red_started",
      "red_observed",
      "test_frozen",
      "fix_started",
      "green_observed",
      "regression_verified",
      "finish_accepted",
    ]);
    expect(result.status).toBe("completed");
    expect(written).toEqual(["src/value.txt", "test/new.test.txt"]);
    expect(events.findIndex(({ type }) => type === "written")).toBeGreaterThan(
      events.findIndex(({ type }) => type === "finish_accepted"),
    );
  });

  it("gives the same events twice, byte for byte", async () => {
    const [first, second] = [await play([RED, FIX]), await play([RED, FIX])];
    expect(JSON.stringify(second.events)).toBe(JSON.stringify(first.events));
  });

  it("finishes too where the model just stops after the fix: the host gathers the evidence", async () => {
    const { result } = await play([RED, [write("src/value.txt", "1", "2")]]);
    expect(result.status).toBe("completed");
  });
});

describe("a fresh fix session", () => {
  it("hears nothing of the red session but the named artifacts", async () => {
    const marker = "MARKER-7f3a";
    const red: Step[] = [
      { tool: "search", input: { pattern: marker } },
      { tool: "select_strategy", input: { strategy: "red_green", reason: `${marker} reason` } },
      create(`test/${marker}-rejected.txt`, "test x = 1\n"),
      {
        tool: "replace_text",
        input: { files: [{ path: "src/value.txt", sha256: marker, edits: [{ old: marker, new: "2" }] }] },
      },
      { tool: "run_command", input: { command: `touch ${marker}` } },
      {
        tool: "apply_patch",
        input: {
          patch: `--- a/test/${marker}-rejected.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-test x = 1\n`,
          expected_files: { [`test/${marker}-rejected.txt`]: "<sha256 test/MARKER-7f3a-rejected.txt>" },
        },
      },
      ...RED.slice(1),
    ];
    const { kernel, result } = await play([red, FIX]);
    expect(result.status).toBe("completed");
    const [first, second] = kernel.state.sessions;
    expect(JSON.stringify(first?.messages)).toContain(marker);
    expect(JSON.stringify(second?.messages)).not.toContain(marker);
    expect(second?.messages[1]?.role).toBe("user");
  });
});

describe("what stops a cheat in the kernel", () => {
  const cases: readonly { name: string; sessions: readonly (readonly Step[])[]; code: string }[] = [
    { name: "an edit before the strategy", sessions: [[write("src/value.txt", "1", "2")]], code: "strategy_required" },
    {
      name: "a second strategy",
      sessions: [[choose("red_green"), choose("direct_execute")]],
      code: "strategy_already_selected",
    },
    {
      name: "a production edit in red",
      sessions: [[choose("red_green"), write("src/value.txt", "1", "2")]],
      code: "write_denied",
    },
    { name: "finish in red", sessions: [[choose("red_green"), finish]], code: "red_cannot_finish" },
    {
      name: "a test that passes on the baseline",
      sessions: [[choose("red_green"), create("test/new.test.txt", "test a = 1\n"), submit("test/new.test.txt", "a")]],
      code: "unexpected_pass",
    },
    {
      name: "a syntax error",
      sessions: [[choose("red_green"), create("test/new.test.txt", "broken\n"), submit("test/new.test.txt", "a")]],
      code: "broken_syntax",
    },
    {
      name: "a skipped test",
      sessions: [[choose("red_green"), create("test/new.test.txt", "skip a = 2\n"), submit("test/new.test.txt", "a")]],
      code: "target_skipped",
    },
    {
      name: "a name that matches nothing",
      sessions: [[choose("red_green"), create("test/new.test.txt", "test a = 2\n"), submit("test/new.test.txt", "b")]],
      code: "target_not_run",
    },
    {
      name: "an edit of the frozen test",
      sessions: [RED, [write("test/new.test.txt", "2", "1"), finish]],
      code: "frozen_test",
    },
    {
      name: "a change of the runner's configuration",
      sessions: [RED, [write("sim.config", "strict", "lax"), finish]],
      code: "write_denied",
    },
    {
      name: "an edit after green, then finish",
      sessions: [RED, [write("src/value.txt", "1", "2"), runTests(), write("src/value.txt", "2", "3"), finish]],
      code: "evidence_missing",
    },
    {
      name: "finish with nothing run",
      sessions: [RED, [write("src/value.txt", "1", "3"), finish]],
      code: "evidence_missing",
    },
    { name: "finish without a fix", sessions: [RED, [finish]], code: "evidence_missing" },
    {
      name: "reading what the policy hides",
      sessions: [[{ tool: "read_file", input: { path: "secret/key.txt" } }]],
      code: "read_denied",
    },
    {
      name: "a command that edits",
      sessions: [RED, [{ tool: "run_command", input: { command: "sed -i s/1/2/ src/value.txt" } }, finish]],
      code: "command_denied",
    },
  ];
  it.each(cases)("$name: $code", async ({ sessions, code }) => {
    const { events, written, result } = await play(sessions);
    expect(codes(events)).toContain(code);
    expect(written).toEqual([]);
    expect(result.transitions).not.toContain("finish_accepted");
  });

  it("production that mutes every assertion: the canary is silent, and a person has to look", async () => {
    const { result, written } = await play([RED, [write("src/value.txt", "1\n", "1\nmute\n"), runTests(), finish]]);
    expect(result.status).toBe("waiting_approval");
    expect(result.outcome?.classification).toBe("canary_silent");
    expect(written).toEqual([]);
  });
});

it.each(["valueOf", "constructor", "__proto__", "hasOwnProperty", ""])(
  "a tool named %j is unknown, and no member of an object",
  async (tool) => {
    const { events } = await play([[{ tool, input: {} }]]);
    expect(codes(events)).toEqual(["unknown_tool"]);
  },
);

describe("the end of a run", () => {
  it("a red that is never valid ends unfinished after three attempts, never as direct_execute", async () => {
    const again = (name: string) => [create(`test/${name}.txt`, "test a = 1\n"), submit(`test/${name}.txt`, "a")];
    const { result, events } = await play([
      [choose("red_green"), ...again("a"), ...again("b"), ...again("c"), ...again("d")],
    ]);
    expect(result).toMatchObject({ status: "unfinished", outcome: { classification: "attempts_exhausted" } });
    expect(events.filter(({ type }) => type === "red_submitted")).toHaveLength(3);
  });

  it("a disk that refuses the write leaves the run waiting, and a person's retry writes", async () => {
    const { result } = await play([RED, FIX], { writeFails: true });
    expect(result).toMatchObject({ status: "waiting_approval", outcome: { classification: "write_failed" } });
  });

  it("direct_execute verifies the latest revision in the same session", async () => {
    const good = { ...FILES, "test/old.test.txt": "test old = 1\n" };
    const { result, kernel } = await play([[choose("direct_execute"), create("docs.txt", "words\n"), finish]], {
      files: good,
    });
    expect(result).toMatchObject({ status: "completed", outcome: { classification: "verified" } });
    expect(kernel.state.sessions).toHaveLength(1);
  });

  it("direct_execute that breaks a test does not finish", async () => {
    const good = { ...FILES, "test/old.test.txt": "test old = 1\n" };
    const { result, written } = await play([[choose("direct_execute"), write("src/value.txt", "1", "5"), finish]], {
      files: good,
    });
    expect(result.status).not.toBe("completed");
    expect(written).toEqual([]);
  });

  it("a question that changes nothing ends without verification", async () => {
    const { result } = await play([[{ tool: "list_files", input: {} }]]);
    expect(result).toMatchObject({ status: "completed", outcome: { classification: "no_side_effects" } });
  });

  it("the agent's own report ends the run blocked", async () => {
    const { result } = await play([
      [choose("red_green"), { tool: "report_blocked", input: { reason: "the issue contradicts itself" } }],
    ]);
    expect(result).toMatchObject({ status: "blocked", outcome: { classification: "reported_blocked" } });
  });
});

describe("the trace", () => {
  it("evolve folded over the events is the live state", async () => {
    const { events, kernel } = await play([RED, FIX]);
    expect(events.reduce(evolve, INITIAL)).toEqual(kernel.state);
  });

  it("finds every changed, dropped, swapped and cut line", async () => {
    const { events } = await play([RED, FIX]);
    let head = EMPTY_HEAD;
    const lines = events.map((event, index) => {
      const sealed = sealEvent(event, { at: 1_700_000_000_000 + index, ms: index }, head);
      head = sealed.head;
      return sealed.line;
    });
    const text = (all: readonly string[]) => all.map((line) => `${line}\n`).join("");
    expect(readTrace(text(lines), head)).toMatchObject({ problem: null, head });
    for (let index = 0; index < lines.length; index += 1) {
      const line = lines[index] ?? "";
      const changed = [...lines.slice(0, index), line.replace(/"(ms)":(\d+)/, '"$1":9$2'), ...lines.slice(index + 1)];
      expect(readTrace(text(changed), head).problem?.line, `changed line ${index + 1}`).toBe(index + 1);
      const dropped = [...lines.slice(0, index), ...lines.slice(index + 1)];
      expect(readTrace(text(dropped), head).problem, `dropped line ${index + 1}`).not.toBeNull();
      if (index > 0) {
        const swapped = [...lines.slice(0, index - 1), line, lines[index - 1] ?? "", ...lines.slice(index + 1)];
        expect(readTrace(text(swapped), head).problem?.line, `swapped line ${index + 1}`).toBe(index);
      }
    }
    expect(readTrace(text(lines).slice(0, -20), head).problem?.code).toBe("incomplete_line");
  });

  it("a run that was killed between two events ends as it would have ended", async () => {
    const whole = await play([RED, FIX]);
    for (const cut of [3, 9, 14, whole.events.length - 2]) {
      const made = await world({
        model: (workspace) => scripted(workspace, [RED.slice(0), FIX]),
        plugins,
        files: FILES,
      });
      // The model is asked again only for what was not answered, so a fresh script must start where the trace ends.
      const replies = whole.events.slice(0, cut).filter(({ type }) => type === "model_replied");
      const left = [RED, FIX].map((steps, session) =>
        steps.slice(replies.filter((event) => event.type === "model_replied" && event.data.session === session).length),
      );
      const resumed = await world({ model: (workspace) => scripted(workspace, left), plugins, files: FILES });
      for (const event of whole.events.slice(0, cut)) {
        if (event.type === "edit_proposed")
          for (const { after } of event.data.files)
            if (after !== null) await resumed.workspace.objects.write(await whole.workspace.objects.read(after.oid));
      }
      const result = await resumed.kernel.resume(whole.events.slice(0, cut));
      expect(result.status, `cut after ${cut}`).toBe("completed");
      expect(result.transitions).toEqual(whole.result.transitions);
      expect(made.events).toEqual([]);
    }
  });
});

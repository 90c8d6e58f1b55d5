import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Classification, OUTCOMES } from "../../core/evidence/mod.ts";
import { selectPresenter } from "../../core/plugin/mod.ts";
import { failureDirective, PRESENTERS } from "../../plugins/presenters/mod.ts";

const docs = join(import.meta.dirname, "../../docs");
const rows = Object.entries(OUTCOMES) as [Classification, (typeof OUTCOMES)[Classification]][];

it("docs/outcomes.md has one row for each outcome, with the table's own words", () => {
  const page = readFileSync(join(docs, "outcomes.md"), "utf8");
  const written = [...page.matchAll(/^\| `([a-z_]+)` \| (\w+) \| (\w+) \| (\d) \| (.*?) \|$/gm)].map(
    ([, name, verdict, status, exit, meaning]) => [name, { verdict, status, exit: Number(exit), meaning }],
  );
  expect(Object.fromEntries(written)).toEqual(
    Object.fromEntries(
      rows.map(([name, { verdict, status, exit, meaning }]) => [name, { verdict, status, exit, meaning }]),
    ),
  );
});

describe("docs/escalation-procedure.md", () => {
  const page = readFileSync(join(docs, "escalation-procedure.md"), "utf8");
  it.each(rows.filter(([, { verdict }]) => verdict === "escalate").map(([name]) => name))(
    "has a section for %s, and the directive leads there",
    (name) => {
      expect(page).toMatch(new RegExp(`^## ${name}$`, "m"));
      expect(failureDirective(`${name}: what was seen`)).toContain(`docs/escalation-procedure.md#${name}`);
    },
  );

  it("has no section that no outcome reaches", () => {
    const sections = [...page.matchAll(/^## ([a-z_]+)$/gm)].map(([, name = ""]) => name);
    expect(sections.filter((name) => !failureDirective(`${name}:`).includes(`#${name}`))).toEqual([]);
  });

  it("is named in general where the reason is unknown or missing", () => {
    for (const reason of [undefined, "", "moon_phase: full", "regression: a test"])
      expect(failureDirective(reason)).not.toContain("#");
  });
});

describe("the messages to the agent", () => {
  const message = (classification: Classification, step: string) => {
    const { verdict } = OUTCOMES[classification];
    const presenter = selectPresenter(PRESENTERS, { audience: "agent", verdict, classification, step });
    return presenter?.present({ verdict, step, classification, passed_steps: [], output: "SEEN" }) ?? "";
  };

  it.each(rows.map(([name]) => name))("%s has one of its own, which shows what the host saw", (name) => {
    expect(message(name, "red")).toContain(`red: ${name}.`);
    expect(message(name, "red")).toContain("SEEN");
  });

  it.each(rows.filter(([, { verdict }]) => verdict === "fail").map(([name]) => name))(
    "%s ends with what to correct and which command to give again",
    (name) => {
      for (const [step, command] of [
        ["red", "submit_red_test"],
        ["green", "run_tests"],
        ["regression", "run_tests"],
        ["verification", "finish_task"],
      ] as const) {
        expect(message(name, step)).toMatch(
          new RegExp(`Correct the failures of step ${step} above, then run it again with ${command}\\.$`),
        );
      }
    },
  );

  it.each(rows.filter(([, { verdict }]) => verdict !== "fail").map(([name]) => name))(
    "%s does not ask to correct failures",
    (name) => {
      expect(message(name, "green")).not.toMatch(/correct the failures|run it again/i);
    },
  );

  it("unexpected_pass never speaks of failures, and keeps repairing apart from reporting", () => {
    const text = message("unexpected_pass", "red");
    expect(text).not.toMatch(/failures/i);
    expect(text).toContain("rewrite it so that it fails for that reason");
    expect(text).toContain("report_blocked");
  });

  it("green_report_nonzero_exit says to stop and report, and where the causes stand", () => {
    const text = message("green_report_nonzero_exit", "green");
    expect(text).toContain("report it with report_blocked");
    expect(text).toContain("docs/escalation-procedure.md");
    expect(text).not.toMatch(/correct|again/i);
  });

  it("a phase opens with its own text", () => {
    for (const phase of ["select", "red", "fix", "direct"]) {
      const step = `open:${phase}`;
      expect(
        selectPresenter(PRESENTERS, { audience: "agent", verdict: "pass", classification: "phase_opened", step })?.for
          .step,
      ).toBe(step);
    }
  });
});

it("no presenter can see a second verdict: each is chosen by one, and none reads it", () => {
  for (const file of ["mod.ts", "agent-texts.ts", "phase-texts.ts"]) {
    const source = readFileSync(join(docs, "../plugins/presenters", file), "utf8");
    expect(source).not.toMatch(/payload\.verdict|\{[^}]*\bverdict\b[^}]*\}\s*:\s*PresenterPayload/);
  }
});

it("all messages at once, for whoever reviews the voice", async () => {
  const texts = rows.map(([name, { verdict }]) => {
    const presenter = selectPresenter(PRESENTERS, { audience: "agent", verdict, classification: name, step: "green" });
    return `### ${name}\n\n${presenter?.present({ verdict, step: "green", classification: name, passed_steps: [], output: "(what the host saw)" })}\n`;
  });
  await expect(texts.join("\n")).toMatchFileSnapshot("messages.md");
});

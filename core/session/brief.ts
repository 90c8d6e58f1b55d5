/** What a session is told when it opens: named artifacts, and nothing else. */
import type { ArtifactName, Message } from "../plugin/mod.ts";

/** A named piece of text that may cross from one session to the next. */
export interface BriefItem {
  readonly name: ArtifactName;
  readonly text: string;
}

const TITLES: { readonly [name in ArtifactName]: string } = {
  task: "Task",
  criteria: "Acceptance criteria, word for word",
  baseline: "Baseline revision",
  frozen_patch: "Frozen test, as a patch against the baseline. It cannot be changed",
  test_identity: "Target test",
  red_command: "Test command",
  red_output: "What the host saw on the unchanged production code",
  plan: "Plan",
};

/** The first messages of a session: the host's instructions, and the brief. */
export function openingMessages(instructions: string, brief: readonly BriefItem[]): readonly Message[] {
  const sections = brief.map(({ name, text }) => `## ${TITLES[name]}\n\n${text.trimEnd()}\n`);
  return [
    { role: "system", text: instructions },
    { role: "user", text: sections.join("\n") },
  ];
}

/**
 * The sections of a Markdown text whose headings are named, word for word, headings included. A section ends at the next heading of the same or a
 * higher level.
 */
export function sectionsOf(markdown: string, titles: readonly string[]): string {
  const wanted = new Set(titles.map((title) => title.trim().toLowerCase()));
  const kept: string[] = [];
  let level = 0;
  for (const line of markdown.split("\n")) {
    const heading = /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line);
    if (heading !== null) {
      const depth = heading[1]?.length ?? 0;
      if (wanted.has((heading[2] ?? "").toLowerCase())) level = depth;
      else if (level > 0 && depth <= level) level = 0;
    }
    if (level > 0) kept.push(line);
  }
  return kept.join("\n");
}

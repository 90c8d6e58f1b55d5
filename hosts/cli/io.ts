/** Where the command line reads and writes. Tests give their own. */
export interface Io {
  readonly cwd: string;
  readonly isTerminal: boolean;
  readonly colour: boolean;
  out(text: string): void;
  err(text: string): void;
  /** A person's line, where a terminal is there to ask. */
  ask?(question: string): Promise<string | null>;
}

/** Exit codes: 0 pass, 1 the work falls short, 2 wrong use or policy, 3 needs a person or cannot run. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

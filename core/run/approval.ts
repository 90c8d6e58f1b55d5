/** What a person is asked, and what a person answers. */
/** What a person is asked. */
export interface ApprovalCard {
  readonly kind: "edit" | "command" | "verification" | "finish" | "write";
  readonly what: string;
  readonly why: string;
  readonly rule?: { readonly file: string; readonly line: number; readonly column: number; readonly text: string };
  readonly diff?: string;
  readonly answers: readonly ApprovalAnswer["answer"][];
}

export interface ApprovalAnswer {
  readonly answer: "accept" | "deny" | "retry" | "abort";
  readonly by: string;
  readonly reason?: string;
}

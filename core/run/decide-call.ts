/** What happens to a call of the agent: refused by phase and state, or run. Tools are refused, never hidden. */
import type { ToolCall } from "../plugin/mod.ts";
import type { ToolEffect } from "../tools/mod.ts";
import type { Catalog } from "./catalog.ts";
import type { Instruction } from "./instructions.ts";
import { phaseOf } from "./phases.ts";
import type { RunState } from "./state.ts";

interface Refusal {
  readonly code: string;
  readonly message: string;
}

type Check = (state: RunState, catalog: Catalog, call: ToolCall) => Refusal | null;

const needsStrategy: Check = (state) =>
  state.strategy === null
    ? {
        code: "strategy_required",
        message: `Choose a strategy first: ${state.offered.join(" or ")}. Reading is free before that.`,
      }
    : null;

const phaseAllows: Check = (state, catalog, call) => {
  const refuses = phaseOf(state, catalog)?.refuses ?? {};
  const code = Object.hasOwn(refuses, call.tool) ? refuses[call.tool] : undefined;
  return code === undefined ? null : { code, message: `Phase ${state.phase} does not offer ${call.tool}.` };
};

const phaseSubmits: Check = (state, catalog, call) =>
  phaseOf(state, catalog)?.submit == null
    ? {
        code: "not_in_this_phase",
        message: `Phase ${state.phase} takes no submission, so ${call.tool} has no meaning here.`,
      }
    : null;

const phaseRunsTests: Check = (state, catalog, call) =>
  phaseOf(state, catalog)?.submit != null
    ? {
        code: "not_in_this_phase",
        message: `In phase ${state.phase} the host runs the test when it is submitted: ${call.tool} has no meaning here.`,
      }
    : null;

const onlyOnce: Check = (state) =>
  state.strategy === null
    ? null
    : {
        code: "strategy_already_selected",
        message: `This run follows ${state.strategy.name}. A strategy is chosen once and cannot be changed.`,
      };

const editMode: Check = (state, _catalog, call) =>
  state.editMode === "patch_only" && call.tool === "replace_text"
    ? { code: "edit_mode", message: "This run takes patches only: use apply_patch." }
    : null;

/** The checks of each effect, in order. */
const CHECKS: { readonly [E in ToolEffect]: readonly Check[] } = {
  read: [],
  select: [onlyOnce],
  edit: [needsStrategy, phaseAllows, editMode],
  submit: [needsStrategy, phaseAllows, phaseSubmits],
  test: [needsStrategy, phaseAllows, phaseRunsTests],
  run: [phaseAllows],
  block: [phaseAllows],
  finish: [needsStrategy, phaseAllows],
};

/** Refuses the call, takes the snapshot that a first side effect needs, or runs the tool. */
export function decideCall(state: RunState, catalog: Catalog, call: ToolCall): Instruction {
  // `valueOf` is no tool, although every object has one.
  const effect = Object.hasOwn(catalog.tools, call.tool) ? catalog.tools[call.tool] : undefined;
  if (effect === undefined) {
    const known = Object.keys(catalog.tools).join(", ");
    return refuse(state, catalog, call, {
      code: "unknown_tool",
      message: `There is no tool ${JSON.stringify(call.tool)}. The tools are ${known}.`,
    });
  }
  for (const check of CHECKS[effect]) {
    const refusal = check(state, catalog, call);
    if (refusal !== null) return refuse(state, catalog, call, refusal);
  }
  if ((effect === "edit" || effect === "run") && state.snapshot === null) return { kind: "take_snapshot" };
  return { kind: "call_tool", call };
}

/** The tools that would not be refused now, reading tools left out: what `next` names. */
export function nextSteps(state: RunState, catalog: Catalog): string[] {
  return Object.entries(catalog.tools)
    .filter(
      ([tool, effect]) =>
        effect !== "read" &&
        CHECKS[effect].every((check) => check(state, catalog, { id: "", tool, input: null }) === null),
    )
    .map(([tool]) => tool);
}

function refuse(state: RunState, catalog: Catalog, call: ToolCall, refusal: Refusal): Instruction {
  return {
    kind: "answer",
    call,
    result: {
      ok: false,
      ...refusal,
      details: { phase: state.phase, tool: call.tool },
      next: nextSteps(state, catalog),
    },
  };
}

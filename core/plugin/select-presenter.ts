/** Which presenter speaks: by table, the most specific first. */
import type { Audience, Presenter } from "./contracts.ts";

/** What a presenter may be chosen by. */
export interface Occasion {
  readonly audience: Audience;
  readonly verdict: Presenter["for"]["verdict"];
  readonly classification: string;
  readonly step: string;
}

/**
 * The presenter for an occasion: exact outcome and step, then outcome, then verdict and step, then verdict. Among equals the one that was registered
 * last, so that a team's own presenter takes the place of a built-in. Undefined where none speaks to this audience about this verdict.
 */
export function selectPresenter(presenters: readonly Presenter[], occasion: Occasion): Presenter | undefined {
  let best: { presenter: Presenter; rank: number } | undefined;
  for (const presenter of presenters) {
    const rank = rankOf(presenter.for, occasion);
    if (rank !== null && (best === undefined || rank >= best.rank)) best = { presenter, rank };
  }
  return best?.presenter;
}

function rankOf(wanted: Presenter["for"], occasion: Occasion): number | null {
  if (wanted.audience !== occasion.audience || wanted.verdict !== occasion.verdict) return null;
  if (wanted.classification !== undefined && wanted.classification !== occasion.classification) return null;
  if (wanted.step !== undefined && wanted.step !== occasion.step) return null;
  return (wanted.classification === undefined ? 0 : 2) + (wanted.step === undefined ? 0 : 1);
}

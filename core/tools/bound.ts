/** Bounded output: what was cut is always said. */

/** At most `maxChars` characters, whole lines where possible, and a last line that says how much is missing. */
export function boundText(text: string, maxChars: number): { text: string; cut: number } {
  if (text.length <= maxChars) return { text, cut: 0 };
  const end = text.lastIndexOf("\n", maxChars);
  const kept = text.slice(0, end > maxChars / 2 ? end + 1 : maxChars);
  return { text: kept, cut: text.length - kept.length };
}

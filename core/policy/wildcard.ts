/**
 * Whether a text is one that a wildcard names: `parts` are what stands between its stars, one part where it has none.
 * Linear in the text, because the first place of each part is as good as any.
 */
export function matchesParts(parts: readonly string[], text: string): boolean {
  const [head = "", ...others] = parts;
  if (others.length === 0) return text === head;
  if (!text.startsWith(head)) return false;
  const tail = others.pop() ?? "";
  let from = head.length;
  for (const part of others) {
    const found = text.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return text.length - tail.length >= from && text.endsWith(tail);
}

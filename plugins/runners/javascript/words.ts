/** One line of a package's script as an argument list, where no shell is needed to read it. */

/** Characters that mean something to a shell outside quotes: then the line is not one plain command. */
const SHELL = /[|&;<>()$`*?[\]{}~#!\n\r\\]/;

/**
 * Splits by blanks and by POSIX quotes. `why` is one sentence: which character needs a shell, or which quote is open.
 */
export function splitWords(line: string): { readonly words: readonly string[] } | { readonly why: string } {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (const char of line.trim()) {
    if (quote !== null) {
      if (char === quote) quote = null;
      else if (quote === '"' && /[$`\\!]/.test(char)) return { why: `it needs a shell for "${char}"` };
      else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (char === " " || char === "\t") {
      if (word !== null) words.push(word);
      word = null;
    } else if (SHELL.test(char)) {
      return { why: `it needs a shell for "${char === "\n" || char === "\r" ? "a line break" : char}"` };
    } else {
      word = (word ?? "") + char;
    }
  }
  if (quote !== null) return { why: `a quote (${quote}) is not closed` };
  if (word !== null) words.push(word);
  return { words };
}

/** A quoted part (an open quote reaches to the end), an escaped letter, blanks, or any other letter. */
const parts = /"((?:\\["\\]|\\(?!["\\])|[^"\\])*)(?:"|$)|'([^']*)(?:'|$)|\\([\s"'\\])|(\s+)|([^])/g;

/**
 * The arguments in a line as people type it: blanks separate, quotes of either kind keep together, a backslash takes
 * the next quote, blank or backslash as it is. No shell reads it: `$HOME`, `*` and `;` are plain text.
 */
export function splitArguments(text: string): string[] {
  const found: string[] = [];
  let current: string | null = null;
  for (const [, double, single, escaped, blanks, letter] of text.matchAll(parts)) {
    if (blanks === undefined) {
      current = (current ?? '') + (double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? letter ?? '');
    } else {
      if (current !== null) found.push(current);
      current = null;
    }
  }
  if (current !== null) found.push(current);
  return found;
}

/** A line that `splitArguments` takes apart into these very arguments. */
export function joinArguments(args: readonly string[]): string {
  const isPlain = /^[^\s"'\\]+$/;
  return args
    .map(argument => (isPlain.test(argument) ? argument : `"${argument.replace(/["\\]/g, '\\$&')}"`))
    .join(' ');
}

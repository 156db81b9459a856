import {characterOf, escapedLetters} from '../escapes.js';

/** A literal's prefix and quotes: `f"""` has the prefix `f`. */
export interface Opening {
  readonly prefix: string;
  readonly quote: string;
}

export function openingOf(source: string): Opening {
  const match = /^([a-z]*)('''|"""|'|")/i.exec(source);
  return {prefix: match?.[1] ?? '', quote: match?.[2] ?? ''};
}

/** Returns the value of a string literal with its prefix and quotes; null for bytes, which cannot be names. */
export function literalText(source: string): string | null {
  const {prefix, quote} = openingOf(source);
  if (/b/i.test(prefix)) return null;
  const end = source.endsWith(quote) ? source.length - quote.length : source.length;
  return valueOf(source.slice(prefix.length + quote.length, end), prefix);
}

/** Returns the value of the text between the quotes of a literal with this prefix. */
export function valueOf(raw: string, prefix: string): string {
  const text = raw.replace(/\r\n?/g, '\n');
  return /r/i.test(prefix) ? text : unescape(text);
}

/** Resolves Python's escapes; an unknown one keeps its backslash, as in Python. */
function unescape(raw: string): string {
  return raw.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([^]))/g,
    (whole, hex?: string, short?: string, long?: string, octal?: string, letter?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return characterOf(Number.parseInt(code, 16), whole);
      if (octal !== undefined) return characterOf(Number.parseInt(octal, 8), whole);
      if (letter === '\\' || letter === "'" || letter === '"') return letter;
      return escapedLetters[letter ?? ''] ?? whole;
    },
  );
}

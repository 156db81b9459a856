/** Letters that represent a character after a backslash, in Python and in C++. */
export const escapedLetters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
};

/** Returns the character of a code point; `otherwise` if there is none. */
export function characterOf(code: number, otherwise: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

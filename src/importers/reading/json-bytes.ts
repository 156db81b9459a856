/** Results of a scan other than a position: the input ends too early, or is not JSON. */
export const needMore = -1;
export const malformed = -2;

export const quote = 0x22;
export const backslash = 0x5c;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const comma = 0x2c;
export const colon = 0x3a;
const zero = 0x30;
const nine = 0x39;

/** Returns whether a byte is a space, tab, line feed or carriage return. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}

/** Returns the position of the first byte that is not white space; it may be the zero byte at the end. */
export function skipSpace(bytes: Uint8Array, position: number): number {
  while (isSpace(bytes[position])) position++;
  return position;
}

/** Returns the position of the quote that ends the string whose content begins at `position`, or `needMore`. */
export function endOfString(bytes: Uint8Array, position: number, end: number): number {
  for (;;) {
    const byte = bytes[position];
    if (byte === quote) return position;
    if (byte === backslash) position += 2;
    else position++;
    // An escape can step over the zero bytes that end the window.
    if (position > end) return needMore;
  }
}

/**
 * Returns the position after the value that begins at `position`, or `needMore`, or `malformed`.
 *
 * Numbers and words are not checked (NaN, Infinity): traces contain them, and nobody reads their value.
 */
export function endOfValue(bytes: Uint8Array, position: number, end: number): number {
  const first = bytes[position];
  if (first === quote) {
    const close = endOfString(bytes, position + 1, end);
    return close < 0 ? close : close + 1;
  }
  if (first === openBrace || first === openBracket) return endOfNested(bytes, position, end);
  return endOfWord(bytes, position, end);
}

function endOfNested(bytes: Uint8Array, position: number, end: number): number {
  let depth = 0;
  for (;;) {
    const byte = bytes[position];
    if (byte === quote) {
      position = endOfString(bytes, position + 1, end);
      if (position < 0) return needMore;
    } else if (byte === openBrace || byte === openBracket) depth++;
    else if (byte === closeBrace || byte === closeBracket) {
      if (--depth === 0) return position + 1;
    } else if (byte === 0 && position >= end) return needMore;
    position++;
  }
}

function endOfWord(bytes: Uint8Array, position: number, end: number): number {
  const start = position;
  for (;;) {
    const byte = bytes[position];
    if (endsWord[byte] === 1) break;
    if (byte === 0 && position >= end) return needMore;
    if (breaksWord[byte] === 1) return malformed;
    position++;
  }
  return position === start ? malformed : position;
}

/** Bytes that may follow a number or a word. */
const endsWord = byteSet([comma, closeBrace, closeBracket, 0x20, 0x0a, 0x0d, 0x09]);
const breaksWord = byteSet([quote, colon, openBrace, openBracket]);

function byteSet(members: readonly number[]): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of members) set[byte] = 1;
  return set;
}

/** Returns whether the bytes from `start` to `end` spell `text`, which must be ASCII. */
export function spells(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

const utf8 = new TextDecoder('utf-8');

/** Decodes bytes; invalid UTF-8 becomes U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

/**
 * Decodes a JSON string's raw bytes. Invalid UTF-8 becomes U+FFFD, and an unknown escape is kept as written, because
 * old Kineto builds write Windows paths that way.
 */
export function decodeString(raw: Uint8Array): string {
  const text = utf8.decode(raw);
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (_, hex: string | undefined, letter: string) =>
    hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const escapes: Readonly<Record<string, string>> = {b: '\b', f: '\f', n: '\n', r: '\r', t: '\t'};

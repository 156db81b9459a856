/** Positions in bytes of JSON. Sentinels after the window end every loop; see `ByteWindow`. */

export const quote: i32 = 0x22;
const comma: i32 = 0x2c;
export const point: i32 = 0x2e;
export const zero: i32 = 0x30;
export const colon: i32 = 0x3a;
export const openBracket: i32 = 0x5b;
const backslash: i32 = 0x5c;
const closeBracket: i32 = 0x5d;
export const openBrace: i32 = 0x7b;
export const closeBrace: i32 = 0x7d;

export function byteAt(at: usize): i32 {
  return <i32>load<u8>(at);
}

function isSpace(byte: i32): bool {
  return byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09;
}

/** Returns whether a number or a word may end before this byte. */
export function endsWord(byte: i32): bool {
  return byte == comma || byte == closeBrace || byte == closeBracket || isSpace(byte);
}

/** Returns whether the byte is part of a number or word: any byte but those that end or break them. */
export function isWord(byte: i32): bool {
  return byte > comma && byte != colon && (byte | 0x20) != openBrace && (byte | 0x20) != closeBrace;
}

/** Returns the quote that ends the string whose content begins at `at`. */
export function endOfString(at: usize): usize {
  while (true) {
    const block = v128.load(at);
    const found = i8x16.bitmask(
      v128.or(i8x16.eq(block, i8x16.splat(<i8>quote)), i8x16.eq(block, i8x16.splat(<i8>backslash))),
    );
    if (found == 0) {
      at += 16;
      continue;
    }
    at += <usize>ctz(found);
    if (byteAt(at) == quote) return at;
    at += 2;
  }
}

/**
 * Returns the position after the object or array whose content begins at `at`; 0 if the window ends first.
 *
 * Reads sixteen bytes at a time and masks out brackets in strings; from a block with an escape on, reads byte by byte.
 */
export function endOfNested(at: usize): usize {
  let depth: i32 = 1;
  let inString: i32 = 0;
  while (true) {
    const block = v128.load(at);
    let quotes = i8x16.bitmask(i8x16.eq(block, i8x16.splat(<i8>quote)));
    // Each bit becomes the parity of the quotes up to it: 1 inside a string.
    quotes ^= quotes << 1;
    quotes ^= quotes << 2;
    quotes ^= quotes << 4;
    quotes ^= quotes << 8;
    quotes ^= inString;
    // "[" and "{" differ in one bit, and so do "]" and "}".
    const folded = v128.or(block, i8x16.splat(0x20));
    const opens = i8x16.bitmask(i8x16.eq(folded, i8x16.splat(<i8>openBrace))) & ~quotes;
    const closes = i8x16.bitmask(i8x16.eq(folded, i8x16.splat(<i8>closeBrace))) & ~quotes;
    const odd = i8x16.bitmask(v128.or(i8x16.eq(block, i8x16.splat(<i8>backslash)), i8x16.eq(block, i8x16.splat(0))));
    if (odd != 0) return endOfNestedSlowly(inString != 0 ? endOfString(at) + 1 : at, depth);
    if (popcnt(closes) < depth) depth += popcnt(opens) - popcnt(closes);
    else {
      let brackets = opens | closes;
      while (brackets != 0) {
        const place = ctz(brackets);
        if ((opens >> place) & 1) depth++;
        else if (--depth == 0) return at + <usize>place + 1;
        brackets &= brackets - 1;
      }
    }
    inString = (quotes << 16) >> 31;
    at += 16;
  }
}

/** Returns the same, from any place in the value outside its strings. */
function endOfNestedSlowly(at: usize, depth: i32): usize {
  while (true) {
    const byte = byteAt(at);
    if (byte == quote) at = endOfString(at + 1);
    else if ((byte | 0x20) == openBrace) depth++;
    else if ((byte | 0x20) == closeBrace) {
      if (--depth == 0) return at + 1;
    } else if (byte == 0) return 0;
    at++;
  }
}

/**
 * Returns the position of the first byte from `at` on that is neither white space nor a comma, and whether there was a
 * comma.
 */
export let hasComma: bool = false;
export function skipSeparators(at: usize): usize {
  hasComma = false;
  // The most common case: a comma and a space.
  if (load<u16>(at) == 0x202c) {
    hasComma = true;
    at += 2;
  }
  let byte = byteAt(at);
  if (byte > comma || byte == quote) return at;
  while (true) {
    const block = v128.load(at);
    const commas = i8x16.eq(block, i8x16.splat(<i8>comma));
    const spaces = v128.or(
      v128.or(i8x16.eq(block, i8x16.splat(0x20)), i8x16.eq(block, i8x16.splat(0x0a))),
      v128.or(i8x16.eq(block, i8x16.splat(0x0d)), i8x16.eq(block, i8x16.splat(0x09))),
    );
    const others = ~i8x16.bitmask(v128.or(commas, spaces)) & 0xffff;
    const found = i8x16.bitmask(commas);
    if (others == 0) {
      if (found != 0) hasComma = true;
      at += 16;
      continue;
    }
    const place = ctz(others);
    if (found & ((1 << place) - 1)) hasComma = true;
    return at + <usize>place;
  }
}

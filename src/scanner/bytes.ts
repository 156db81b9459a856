/** Positions in bytes of JSON. Sentinels behind the window end every loop; see `ByteWindow`. */

export const quote: i32 = 0x22;
export const comma: i32 = 0x2c;
export const point: i32 = 0x2e;
export const zero: i32 = 0x30;
export const colon: i32 = 0x3a;
export const openBracket: i32 = 0x5b;
export const backslash: i32 = 0x5c;
export const closeBracket: i32 = 0x5d;
export const openBrace: i32 = 0x7b;
export const closeBrace: i32 = 0x7d;

export function byteAt(at: usize): i32 {
  return <i32>load<u8>(at);
}

export function isSpace(byte: i32): bool {
  return byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09;
}

/** Whether a number or a word may end before this byte. */
export function endsWord(byte: i32): bool {
  return byte == comma || byte == closeBrace || byte == closeBracket || isSpace(byte);
}

/** Whether the byte is part of a number or word: all but what ends or breaks them. */
export function isWord(byte: i32): bool {
  return byte > comma && byte != colon && (byte | 0x20) != openBrace && (byte | 0x20) != closeBrace;
}

/** The quote that ends the string whose content begins at `at`. */
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

/** The position after the object or array that begins at `at`; 0 where the window ends before it. */
export function endOfNested(at: usize): usize {
  let depth: i32 = 0;
  while (true) {
    const block = v128.load(at);
    // "[" and "{" differ in one bit, and so do "]" and "}".
    const folded = v128.or(block, i8x16.splat(0x20));
    let found = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(folded, i8x16.splat(<i8>openBrace)), i8x16.eq(folded, i8x16.splat(<i8>closeBrace))),
        v128.or(i8x16.eq(block, i8x16.splat(<i8>quote)), i8x16.eq(block, i8x16.splat(0))),
      ),
    );
    let next = at + 16;
    while (found != 0) {
      const place = at + <usize>ctz(found);
      const byte = byteAt(place);
      if (byte == 0) return 0;
      if (byte == quote) {
        next = endOfString(place + 1) + 1;
        found = 0;
      } else {
        if ((byte | 0x20) == openBrace) depth++;
        else if (--depth == 0) return place + 1;
        found &= found - 1;
      }
    }
    at = next;
  }
}

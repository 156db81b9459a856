import {byteAt, point, zero} from './bytes';

/**
 * Of the number that `scanNumber` has passed: its whole part, its first three decimals, and the number of digits of
 * each.
 */
export let whole: u64 = 0;
export let thousandths: i32 = 0;
export let wholeDigits: i32 = 0;
export let decimals: i32 = 0;

/**
 * Returns whether eight bytes are ASCII digits: each byte has the upper half 3, and adding 6 does not carry into it.
 */
function areDigits(word: u64): bool {
  return (
    (word & 0xf0f0f0f0f0f0f0f0) == 0x3030303030303030 &&
    ((word + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) == 0x3030303030303030
  );
}

/** Returns the value of eight digits, by adding pairs, then fours, then all. */
function valueOfDigits(word: u64): u64 {
  word = ((word & 0x0f0f0f0f0f0f0f0f) * 2561) >> 8;
  word = ((word & 0x00ff00ff00ff00ff) * 6553601) >> 16;
  return ((word & 0x0000ffff0000ffff) * 42949672960001) >> 32;
}

/**
 * Returns the position after the digits and decimals that begin at `at`. Passes at most four decimals, because callers
 * use at most three. If the whole part has more than 18 digits, `whole` is meaningless.
 */
export function scanNumber(at: usize): usize {
  const start = at;
  let value: u64 = 0;
  let word = load<u64>(at);
  while (areDigits(word)) {
    value = value * 100000000 + valueOfDigits(word);
    at += 8;
    word = load<u64>(at);
  }
  let digit = byteAt(at) - zero;
  while (<u32>digit <= 9) {
    value = value * 10 + <u64>digit;
    digit = byteAt(++at) - zero;
  }
  whole = value;
  wholeDigits = <i32>(at - start);
  thousandths = 0;
  decimals = 0;
  if (digit + zero != point) return at;
  let place: i32 = 100;
  digit = byteAt(++at) - zero;
  while (<u32>digit <= 9) {
    if (++decimals > 3) break;
    thousandths += digit * place;
    place = place == 100 ? 10 : 1;
    digit = byteAt(++at) - zero;
  }
  return at;
}

import {
  byteAt,
  closeBrace,
  colon,
  hasComma,
  endOfNested,
  endOfString,
  endsWord,
  isWord,
  openBrace,
  openBracket,
  quote,
  skipSeparators,
  zero,
} from './bytes';
import {argumentOf, Member, memberOf} from './members';
import * as columns from './event-columns';
import {decimals, scanNumber, thousandths, whole, wholeDigits} from './numbers';
import {begin, complete, end as endPhase, isFlow} from './phases';
import {intern} from './texts';

/**
 * Results other than a position: the event does not have the form that profilers write; there is no room for its texts.
 */
export const notPlain: usize = 0;
export const textsFull: usize = 1;

/** Stands for an id, name or number that an event lacks. */
const absent: i32 = -1;

/** More digits might not fit a double. */
const exactDigits: i32 = 15;
const wordDigits: i32 = 18;
const mostWhole: u64 = 9007199254740991;

/** Ids below -1 are stored less this shift: see src/importers/kineto/scanned-event.ts. */
const negativeIdShift: f64 = 1099511627776;
const minus: i32 = 0x2d;

/** Texts of this scanner have even numbers, texts of the lenient one odd numbers. */
const textStep: i32 = 2;

const argsWord: u32 = 0x73677261;

/**
 * Scans the event whose "{" is at `at` into a row of the columns. Returns the position after it, or `notPlain`, or
 * `textsFull`. After `end` come sentinels, and the bytes of an earlier window.
 *
 * Accepts only the form that profilers write. An escape in a key, an exponent, an id of more than 15 digits, more than
 * three decimals, or a rare phase is left to the lenient scanner.
 */
export function scanEvent(at: usize, end: usize, row: usize): usize {
  clear(row);
  let inArguments: bool = false;
  let isSeparated: bool = true;
  at++;
  while (true) {
    at = skipSeparators(at);
    if (hasComma) isSeparated = true;
    let byte = byteAt(at);
    if (byte != quote) {
      if (byte != closeBrace) return notPlain;
      at++;
      if (!inArguments) return isPlainPhase(row) ? at : notPlain;
      inArguments = isSeparated = false;
      continue;
    }
    if (!isSeparated) return notPlain;
    isSeparated = false;
    const key = at + 1;
    at = endOfString(key);
    const length = at - key;
    byte = byteAt(++at);
    if (byte != colon) return notPlain;
    byte = byteAt(++at);
    while (byte == 0x20) byte = byteAt(++at);
    if (byte == openBrace && !inArguments && length == 4 && load<u32>(key) == argsWord) {
      inArguments = isSeparated = true;
      at++;
      continue;
    }
    const member = inArguments ? argumentOf(key, length) : memberOf(key, length);
    at = member == Member.unread ? skipValue(at, byte) : scanValue(at, end, byte, member, row);
    if (at <= textsFull) return at;
  }
}

function clear(row: usize): void {
  const wide = row << 3;
  const narrow = row << 2;
  store<f64>(columns.startUs + wide, NaN);
  store<f64>(columns.durationNs + wide, NaN);
  store<f64>(columns.pid + wide, absent);
  store<f64>(columns.tid + wide, absent);
  store<f64>(columns.id + wide, absent);
  store<f64>(columns.correlation + wide, absent);
  store<f64>(columns.externalId + wide, absent);
  store<f64>(columns.sequence + wide, absent);
  store<f64>(columns.forwardThread + wide, absent);
  store<f64>(columns.device + wide, absent);
  store<f64>(columns.stream + wide, absent);
  store<f64>(columns.bytes + wide, absent);
  store<i32>(columns.name + narrow, absent);
  store<i32>(columns.category + narrow, absent);
  store<i32>(columns.label + narrow, absent);
  store<i32>(columns.startThousandths + narrow, 0);
  store<u8>(columns.phase + row, 0);
}

/** Returns whether a phase is a slice or a flow; the lenient scanner reads more of other events. */
function isPlainPhase(row: usize): bool {
  const phase = <i32>load<u8>(columns.phase + row);
  return phase == complete || isFlow(phase) || phase == begin || phase == endPhase;
}

/** Returns the position after a value that is not needed, or `notPlain`. */
function skipValue(at: usize, byte: i32): usize {
  if (byte == quote) return endOfString(at + 1) + 1;
  if (byte == openBrace || byte == openBracket) return endOfNested(at + 1);
  if (!isWord(byte)) return notPlain;
  while (isWord(byte)) byte = byteAt(++at);
  return endsWord(byte) ? at : notPlain;
}

function scanValue(at: usize, end: usize, byte: i32, member: Member, row: usize): usize {
  if (member == Member.name || member == Member.category) {
    if (byte != quote) return notPlain;
    const close = endOfString(at + 1);
    // If a text continued in the next window, its beginning would be stored as a text.
    if (close >= end) return notPlain;
    const text = intern(at + 1, close);
    if (text < 0) return textsFull;
    store<i32>((member == Member.name ? columns.name : columns.category) + (row << 2), text * textStep);
    return close + 1;
  }
  if (member == Member.phase) {
    if (byte != quote) return notPlain;
    store<u8>(columns.phase + row, <u8>byteAt(at + 1));
    return endOfString(at + 1) + 1;
  }
  const isNegative = byte == minus;
  if (isNegative) byte = byteAt(++at);
  if (<u32>(byte - zero) > 9 || member == Member.odd) return notPlain;
  at = scanNumber(at);
  if (!endsWord(byteAt(at))) return notPlain;
  if (member == Member.start || member == Member.duration) {
    return !isNegative && storeTime(member, row) ? at : notPlain;
  }
  if (wholeDigits > exactDigits || decimals > 0) return notPlain;
  if (isNegative && (whole < 2 || member == Member.byteCount)) return notPlain;
  store<f64>(columnOf(member) + (row << 3), isNegative ? -(<f64>whole) - negativeIdShift : <f64>whole);
  return at;
}

function storeTime(member: Member, row: usize): bool {
  if (wholeDigits > wordDigits || whole > mostWhole) return false;
  if (member == Member.start) {
    store<f64>(columns.startUs + (row << 3), <f64>whole);
    store<i32>(columns.startThousandths + (row << 2), thousandths);
  } else store<f64>(columns.durationNs + (row << 3), <f64>whole * 1000 + <f64>thousandths);
  return true;
}

function columnOf(member: Member): usize {
  switch (member) {
    case Member.pid:
      return columns.pid;
    case Member.tid:
      return columns.tid;
    case Member.id:
      return columns.id;
    case Member.correlation:
      return columns.correlation;
    case Member.externalId:
      return columns.externalId;
    case Member.sequence:
      return columns.sequence;
    case Member.forwardThread:
      return columns.forwardThread;
    case Member.device:
      return columns.device;
    case Member.stream:
      return columns.stream;
    default:
      return columns.bytes;
  }
}

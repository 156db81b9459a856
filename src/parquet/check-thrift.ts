import {BadParquet} from './bad-parquet.js';

/** Types of Thrift's compact protocol. */
const thrift = {stop: 0, true: 1, false: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, struct: 12};
/** Types whose values have a fixed number of bytes in a structure: a Boolean is stored in its field's header. */
const fixedBytes: Readonly<Record<number, number>> = {
  [thrift.true]: 0,
  [thrift.false]: 0,
  [thrift.byte]: 1,
  [thrift.double]: 8,
};
const varints: readonly number[] = [thrift.i16, thrift.i32, thrift.i64];

/** Parquet's own structures are seven levels deep. */
const mostDepth = 20;

/**
 * Checks a structure in Thrift's compact protocol, and returns where it ends. After that a reader may allocate lists of
 * the claimed length: none has more items than there are bytes for them.
 *
 * @throws BadParquet
 * @see Apache Thrift, doc/specs/thrift-compact-protocol.md
 */
export function endOfStruct(bytes: Uint8Array, from: number, end: number, depth = 0): number {
  if (depth > mostDepth) throw new BadParquet('its structures are nested too deep');
  let at = from;
  for (;;) {
    const head = byteAt(bytes, at++, end);
    const type = head & 15;
    if (type === thrift.stop) return at;
    if (head >> 4 === 0) at = endOfVarint(bytes, at, end);
    at = endOfValue(bytes, at, end, type, depth, false);
  }
}

function endOfValue(
  bytes: Uint8Array,
  at: number,
  end: number,
  type: number,
  depth: number,
  isInList: boolean,
): number {
  const fixed = (fixedBytes as Partial<typeof fixedBytes>)[type];
  if (fixed !== undefined) return at + (isInList ? Math.max(1, fixed) : fixed);
  if (varints.includes(type)) return endOfVarint(bytes, at, end);
  if (type === thrift.list) return endOfList(bytes, at, end, depth);
  if (type === thrift.struct) return endOfStruct(bytes, at, end, depth + 1);
  if (type !== thrift.binary) throw new BadParquet('it has a value of an unknown type');
  const {value, next} = varint(bytes, at, end);
  if (value > end - next) throw new BadParquet('a text in it is longer than the file');
  return next + value;
}

function endOfList(bytes: Uint8Array, from: number, end: number, depth: number): number {
  const head = byteAt(bytes, from, end);
  const long = head >> 4 === 15 ? varint(bytes, from + 1, end) : {value: head >> 4, next: from + 1};
  let at = long.next;
  if (long.value > end - at) throw new BadParquet('a list in it is longer than the file');
  if (depth > mostDepth) throw new BadParquet('its structures are nested too deep');
  for (let item = 0; item < long.value; item++) at = endOfValue(bytes, at, end, head & 15, depth + 1, true);
  return at;
}

function endOfVarint(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < from + 10; at++) if (byteAt(bytes, at, end) < 128) return at + 1;
  throw new BadParquet('a number in it has no end');
}

/** @throws BadParquet if it does not end, or is not a length */
export function varint(bytes: Uint8Array, from: number, end: number): {readonly value: number; readonly next: number} {
  const next = endOfVarint(bytes, from, end);
  if (next - from > 5) throw new BadParquet('a length in it is none');
  let value = 0;
  for (let at = next - 1; at >= from; at--) value = value * 128 + (bytes[at] & 127);
  if (value >= 2 ** 31) throw new BadParquet('a length in it is none');
  return {value, next};
}

function byteAt(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) throw new BadParquet('a part of it is cut off');
  return bytes[at];
}

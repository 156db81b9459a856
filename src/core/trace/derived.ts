import type {Trace} from './trace.js';

/** A value computed from a trace once and kept with it; `bytes` is its memory. */
interface Derived {
  readonly value: unknown;
  readonly bytes: number;
}

/**
 * The key of a value computed from a trace, with the value's type: a value kept under a key can only be read as that
 * type. Keys are compared by identity; their text is for people.
 */
export class DerivedKey<T> {
  /** Makes keys of different types incompatible. */
  declare protected readonly of: (value: T) => T;
  constructor(readonly text: string) {}
}

/** Returns a new key; create it once, beside the function that computes the value. */
export function derivedKey<T>(text: string): DerivedKey<T> {
  return new DerivedKey<T>(text);
}

type Kept = Map<DerivedKey<never>, Map<string, Derived>>;

const derivedOf = new WeakMap<Trace, Kept>();

/**
 * Returns what `make` computes from a trace. It runs at the first call with this key; the value lives as long as the
 * trace.
 *
 * @param bytesOf the memory of the value; by default that of its typed arrays
 */
export function derived<T>(
  trace: Trace,
  key: DerivedKey<T>,
  make: () => T,
  bytesOf: (value: T) => number = arrayBytes,
): T {
  return derivedPart(trace, key, '', make, bytesOf);
}

/** Does the same for several values under one key, which `part` tells apart. */
export function derivedPart<T>(
  trace: Trace,
  key: DerivedKey<T>,
  part: string,
  make: () => T,
  bytesOf: (value: T) => number = arrayBytes,
): T {
  const parts = partsOf(trace, key);
  const found = parts.get(part);
  if (found) return found.value as T;
  const value = make();
  parts.set(part, {value, bytes: bytesOf(value)});
  return value;
}

/**
 * Does the same for possibly many values: keeps the `most` that were used last, whose memory counts while they are
 * kept.
 */
export function derivedLately<T>(
  trace: Trace,
  key: DerivedKey<T>,
  part: string,
  most: number,
  make: () => T,
  bytesOf: (value: T) => number = arrayBytes,
): T {
  const value = derivedPart(trace, key, part, make, bytesOf);
  const parts = partsOf(trace, key);
  const used = parts.get(part);
  if (!used) return value;
  // The value used last is removed last.
  parts.delete(part);
  parts.set(part, used);
  for (const oldest of [...parts.keys()].slice(0, -most)) parts.delete(oldest);
  return value;
}

function partsOf<T>(trace: Trace, key: DerivedKey<T>): Map<string, Derived> {
  const known: Kept = derivedOf.get(trace) ?? new Map<DerivedKey<never>, Map<string, Derived>>();
  derivedOf.set(trace, known);
  const some = key as unknown as DerivedKey<never>;
  const parts = known.get(some) ?? new Map<string, Derived>();
  known.set(some, parts);
  return parts;
}

/** Returns the memory of a trace in bytes: its columns, its texts, and the values computed from it so far. */
export function traceBytes(trace: Trace): number {
  let bytes = arrayBytes(trace) + trace.strings.bytes;
  for (const parts of derivedOf.get(trace)?.values() ?? []) for (const part of parts.values()) bytes += part.bytes;
  return bytes;
}

/** Deep enough for an attribution; arrays of row objects are not searched, as there would be millions. */
const deepest = 4;

/** Returns the memory behind the typed arrays of `value` and of the plain objects in it; shared buffers count once. */
export function arrayBytes(value: unknown): number {
  const buffers = new Set<ArrayBufferLike>();
  collectBuffers(value, buffers, 0);
  let bytes = 0;
  for (const buffer of buffers) bytes += buffer.byteLength;
  return bytes;
}

function collectBuffers(value: unknown, into: Set<ArrayBufferLike>, depth: number): void {
  if (ArrayBuffer.isView(value)) {
    into.add(value.buffer);
    return;
  }
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain || depth === deepest) return;
  for (const member of Object.values(value)) collectBuffers(member, into, depth + 1);
}

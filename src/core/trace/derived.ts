import type {Trace} from './trace.js';

/** What is computed from a trace once and kept with it: `bytes` is what it holds. */
interface Derived {
  readonly value: unknown;
  readonly bytes: number;
}

/**
 * Names something that is computed from a trace, and says what it is: what is kept under a key cannot be read as anything
 * else. Keys are told apart by themselves; their text is for people.
 */
export class DerivedKey<T> {
  /** Has a key of one type be none of another. */
  declare protected readonly of: (value: T) => T;
  constructor(readonly text: string) {}
}

/** A key, made once beside what computes it. */
export function derivedKey<T>(text: string): DerivedKey<T> {
  return new DerivedKey<T>(text);
}

type Kept = Map<DerivedKey<never>, Map<string, Derived>>;

const derivedOf = new WeakMap<Trace, Kept>();

/**
 * What `make` computes from a trace, made at the first call with this key and kept as long as the trace.
 *
 * @param bytesOf what it holds in memory; its typed arrays where nothing is given
 */
export function derived<T>(
  trace: Trace,
  key: DerivedKey<T>,
  make: () => T,
  bytesOf: (value: T) => number = arrayBytes,
): T {
  return derivedPart(trace, key, '', make, bytesOf);
}

/** The same of what there are several of, by what tells them apart. */
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

/** The same of what there may be many of: the `most` that were asked for last are kept, in memory that counts as long. */
export function derivedLately<T>(trace: Trace, key: DerivedKey<T>, part: string, most: number, make: () => T): T {
  const value = derivedPart(trace, key, part, make);
  const parts = partsOf(trace, key);
  const used = parts.get(part);
  if (!used) return value;
  // The one used last is the last to go.
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

/** What a trace holds in memory, in bytes: its columns, its texts, and what was computed from it so far. */
export function traceBytes(trace: Trace): number {
  let bytes = arrayBytes(trace) + trace.strings.bytes;
  for (const parts of derivedOf.get(trace)?.values() ?? []) for (const part of parts.values()) bytes += part.bytes;
  return bytes;
}

/** Deep enough for an attribution; objects of rows are not looked into, since they would be millions. */
const deepest = 4;

/** The memory behind the typed arrays of `value` and of the plain objects in it, what they share counted once. */
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

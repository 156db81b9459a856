import type {Trace} from './trace.js';

/** What is computed from a trace once and kept with it: `bytes` is what it holds. */
interface Derived {
  readonly value: unknown;
  readonly bytes: number;
}

const derivedOf = new WeakMap<Trace, Map<string, Derived>>();

/**
 * What `make` computes from a trace, made at the first call with this key and kept as long as the trace.
 *
 * @param bytesOf what it holds in memory; its typed arrays where nothing is given
 */
export function derived<T>(trace: Trace, key: string, make: () => T, bytesOf: (value: T) => number = arrayBytes): T {
  const known = derivedOf.get(trace) ?? new Map<string, Derived>();
  derivedOf.set(trace, known);
  const found = known.get(key);
  if (found) return found.value as T;
  const value = make();
  known.set(key, {value, bytes: bytesOf(value)});
  return value;
}

/**
 * The same of what there may be many of in a group: the `most` that were asked for last are kept, in memory that counts
 * as long as they are.
 */
export function derivedLately<T>(trace: Trace, group: string, key: string, most: number, make: () => T): T {
  const prefix = `${group} `;
  const value = derived(trace, prefix + key, make);
  const known = derivedOf.get(trace);
  const part = known?.get(prefix + key);
  if (!known || !part) return value;
  // The one used last is the last to go.
  known.delete(prefix + key);
  known.set(prefix + key, part);
  const ofGroup = [...known.keys()].filter(other => other.startsWith(prefix));
  for (const oldest of ofGroup.slice(0, -most)) known.delete(oldest);
  return value;
}

/** What a trace holds in memory, in bytes: its columns, its texts, and what was computed from it so far. */
export function traceBytes(trace: Trace): number {
  let bytes = arrayBytes(trace) + trace.strings.bytes;
  for (const part of derivedOf.get(trace)?.values() ?? []) bytes += part.bytes;
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

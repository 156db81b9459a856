/** Thrown by the readers of this folder for a damaged file, which is then treated as missing. */
export class BadCacheFile extends Error {
  override readonly name = 'BadCacheFile';
}

/** Decodes a value of a type from parsed JSON, and ignores everything else. @throws BadCacheFile */
export type Decode<T> = (json: unknown) => T;

export const text: Decode<string> = json => (typeof json === 'string' ? json : fail('a text'));

export const truth: Decode<boolean> = json => (typeof json === 'boolean' ? json : fail('true or false'));

export const measure: Decode<number> = json =>
  typeof json === 'number' && Number.isFinite(json) ? json : fail('a number');

/** A whole number of at least -1 (absent). */
export const index: Decode<number> = json =>
  Number.isSafeInteger(json) && (json as number) >= -1 ? (json as number) : fail('an index');

/** JSON cannot represent large integers, so they are written as strings. */
export const bigInteger: Decode<bigint> = json =>
  typeof json === 'string' && /^-?\d{1,40}$/.test(json) ? BigInt(json) : fail('a whole number');

export function nullable<T>(decode: Decode<T>): Decode<T | null> {
  return json => (json === null ? null : decode(json));
}

/** A member that may be absent; `record` then leaves it out instead of storing undefined. */
export function optional<T>(decode: Decode<T>): Decode<T> {
  return json => (json === undefined ? (undefined as T) : decode(json));
}

export function oneOf<const T extends string>(...words: readonly T[]): Decode<T> {
  return json => words.find(word => word === json) ?? fail(words.join(' or '));
}

export function listOf<T>(decode: Decode<T>): Decode<T[]> {
  return json => (Array.isArray(json) ? json.map(member => decode(member)) : fail('a list'));
}

/** An object with exactly these members; others are dropped. */
export function record<T extends object>(members: {readonly [K in keyof T]: Decode<T[K]>}): Decode<T> {
  const entries = Object.entries<Decode<unknown>>(members);
  return json => {
    if (typeof json !== 'object' || json === null) return fail('an object');
    const out: Record<string, unknown> = {};
    for (const [key, decode] of entries) {
      const value = decode((json as Record<string, unknown>)[key]);
      if (value !== undefined) out[key] = value;
    }
    return out as T;
  };
}

function fail(wanted: string): never {
  throw new BadCacheFile(`Expected ${wanted}.`);
}

/** A map whose keys are indices, from a list of its entries. */
export function mapOf<T>(decode: Decode<T>): Decode<Map<number, T>> {
  const entries = listOf<[number, T]>(json => {
    if (!Array.isArray(json) || json.length !== 2) return fail('an entry');
    return [index(json[0]), decode(json[1])];
  });
  return json => new Map(entries(json));
}

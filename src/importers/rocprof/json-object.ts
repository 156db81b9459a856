/** An unchecked object of a file. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses the text of an object. Whole numbers that do not fit a double become bigints; null if it is not an object. */
export function parseObject(text: string): JsonObject | null {
  try {
    const hasLongNumber = /\d{16}/.test(text);
    const value: unknown = hasLongNumber ? JSON.parse(text, keepDigits) : JSON.parse(text);
    return objectOf(value);
  } catch {
    return null;
  }
}

function keepDigits(_key: string, value: unknown, context?: {source?: string}): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return context?.source !== undefined && /^-?\d{1,40}$/.test(context.source) ? BigInt(context.source) : value;
}

/** Returns a member that is an object; an empty object otherwise. */
export function member(object: JsonObject, key: string): JsonObject {
  return objectOf(object[key]) ?? {};
}

/** Returns the whole number of an id, which is written plainly or as `{handle}`; null if there is none. */
export function idOf(value: unknown): number | bigint | null {
  const id = objectOf(value)?.['handle'] ?? value;
  return typeof id === 'bigint' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
}

/** Returns a whole number from 0 on that a double holds; -1 otherwise. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : -1;
}

/** Returns a non-empty text, or null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

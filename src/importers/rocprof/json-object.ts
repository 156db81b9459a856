/** An object of a file, of which nothing is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An object's text. Whole numbers that no double holds become bigints; null for what is no object. */
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

/** A member that is an object; an empty one where it is none. */
export function member(object: JsonObject, key: string): JsonObject {
  return objectOf(object[key]) ?? {};
}

/** The whole number of an id, which is given as it is or as `{handle}`; null where there is none. */
export function idOf(value: unknown): number | bigint | null {
  const id = objectOf(value)?.['handle'] ?? value;
  return typeof id === 'bigint' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
}

/** A whole number from 0 on that a double holds, else -1. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : -1;
}

/** A text that is not empty, or null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function objectOf(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

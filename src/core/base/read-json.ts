/** The fields of an untrusted JSON object. */
export type JsonFields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object on a line of JSON, or null if the line is not one. */
export function parseJsonLine(line: string): JsonFields | null {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns whether a value is a whole number of at least `least`. */
export function isCount(value: unknown, least = 0): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Returns an array of durations, or null if the value is no array or an element is no duration. */
export function durations(value: unknown): readonly number[] | null {
  return Array.isArray(value) && value.every(one => numberOrNull(one) !== null) ? (value as number[]) : null;
}

/** Fields of a JSON value that anybody may have written. */
export type JsonFields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a line of JSON holds; null for any other line. */
export function parseJsonLine(line: string): JsonFields | null {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a value is a whole number, at least 0 or so many. */
export function isCount(value: unknown, least = 0): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** The durations in an array; null where the value is none, or one of them is no duration. */
export function durations(value: unknown): readonly number[] | null {
  return Array.isArray(value) && value.every(one => numberOrNull(one) !== null) ? (value as number[]) : null;
}

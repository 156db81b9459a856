/** Fields of a JSON value that anybody may have written. */
export type JsonFields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

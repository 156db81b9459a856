/** The most characters of a value that are shown. */
export const longestText = 2000;

/** Keeps numbers as written, because ids have more digits than a double. */
export function keepDigits(_key: string, value: unknown, context?: {source?: string}): unknown {
  return typeof value === 'number' ? new Written(context?.source ?? String(value)) : value;
}

class Written {
  constructor(readonly text: string) {}
}

/** Returns a value as the file writes it; its numbers have all their digits if `keepDigits` read them. */
export function writtenText(value: unknown): string {
  if (value instanceof Written) return value.text;
  if (Array.isArray(value)) return `[${value.map(writtenText).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, member]) => `${key}: ${writtenText(member)}`)
      .join(', ')}}`;
  }
  return String(value);
}

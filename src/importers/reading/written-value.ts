/** What is shown of a value at most, in characters. */
export const longestText = 2000;

/** Numbers stay as they are written: ids have more digits than a double. */
export function keepDigits(_key: string, value: unknown, context?: {source?: string}): unknown {
  return typeof value === 'number' ? new Written(context?.source ?? String(value)) : value;
}

class Written {
  constructor(readonly text: string) {}
}

/** A value as the file writes it, its numbers with all their digits where `keepDigits` read them. */
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

/** A range of a text, and its replacement. Offsets are UTF-16 units in the original text. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Returns the text with all replacements made. They must not overlap; of two at the same place, the earlier in the list
 * comes first.
 */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  let result = '';
  let at = 0;
  for (const {from, to, text: inserted} of replacements.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(at, from) + inserted;
    at = to;
  }
  return result + text.slice(at);
}

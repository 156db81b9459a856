/** A stretch of a text and what stands there instead; offsets are UTF-16 units in the text as it was. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The text with all replacements made, which do not overlap; of two at one place the earlier comes first. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  let result = '';
  let at = 0;
  for (const {from, to, text: inserted} of replacements.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(at, from) + inserted;
    at = to;
  }
  return result + text.slice(at);
}

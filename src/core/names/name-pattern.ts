import {pushAll} from '../table/extremes.js';

/**
 * The names that a tag in the source can give to its ranges: texts, with anything between them.
 *
 *     "attention"          ["attention"]        exactly this name
 *     f"layer_{i}"         ["layer_", ""]       layer_0, layer_1, …
 *     f"{kind}_{i}.fwd"    ["", "_", ".fwd"]
 */
export type NamePattern = readonly string[];

/** Returns whether the pattern matches exactly one name. */
export function isExactName(pattern: NamePattern): boolean {
  return pattern.length === 1;
}

/** Returns whether a range called `name` can come from the tag. An expression's text may be empty. Linear time. */
export function matchesName(pattern: NamePattern, name: string): boolean {
  const first = pattern[0] ?? '';
  if (isExactName(pattern)) return name === first;
  const last = pattern[pattern.length - 1] ?? '';
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let position = first.length;
  const end = name.length - last.length;
  for (const part of pattern.slice(1, -1)) {
    const found = name.indexOf(part, position);
    if (found < 0 || found + part.length > end) return false;
    position = found + part.length;
  }
  return true;
}

/** Returns whether a pattern has any text: one with only expressions would match every name. */
export function hasText(pattern: NamePattern): boolean {
  return pattern.some(part => part !== '');
}

/** The pattern of an expression about which nothing is known: any text. */
export const anyName: NamePattern = ['', ''];

/** Concatenates patterns: the last text of each joins the first text of the next. */
export function joinPatterns(patterns: readonly NamePattern[]): NamePattern {
  const joined: string[] = [''];
  for (const [first = '', ...others] of patterns) {
    joined.push((joined.pop() ?? '') + first);
    pushAll(joined, others);
  }
  // Adjacent expressions have no text between them to search for.
  return joined.filter((part, at) => part !== '' || at === 0 || at === joined.length - 1);
}

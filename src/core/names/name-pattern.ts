import {pushAll} from '../table/extremes.js';

/**
 * The names that a tag in the source can give to its ranges: the texts between which anything may stand.
 *
 *     "attention"          ["attention"]        exactly this name
 *     f"layer_{i}"         ["layer_", ""]       layer_0, layer_1, …
 *     f"{kind}_{i}.fwd"    ["", "_", ".fwd"]
 */
export type NamePattern = readonly string[];

/** Whether the pattern stands for exactly one name. */
export function isExactName(pattern: NamePattern): boolean {
  return pattern.length === 1;
}

/** Whether a range called `name` can come from the tag. What stands for an expression may be empty. Linear time. */
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

/** Whether a pattern says anything: one made of expressions alone would match every name. */
export function hasText(pattern: NamePattern): boolean {
  return pattern.some(part => part !== '');
}

/** What an expression gives of which nothing is known: any text. */
export const anyName: NamePattern = ['', ''];

/** The pattern of texts that follow one another: the last text of one runs on into the first of the next. */
export function joinPatterns(patterns: readonly NamePattern[]): NamePattern {
  const joined: string[] = [''];
  for (const [first = '', ...others] of patterns) {
    joined.push((joined.pop() ?? '') + first);
    pushAll(joined, others);
  }
  // Between two expressions there is nothing to look for.
  return joined.filter((part, at) => part !== '' || at === 0 || at === joined.length - 1);
}

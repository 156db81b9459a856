/**
 * Returns the folds to store after the user has arranged rows: changed ones get their present state. Rows that were
 * only opened to show a search result keep their stored state.
 *
 * @param kept stored before
 * @param before the toggled rows that the user saw
 * @param after the toggled rows after the user's change
 */
export function keptToggles(
  kept: ReadonlySet<string>,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): ReadonlySet<string> {
  const now = new Set(kept);
  for (const key of after) if (!before.has(key)) now.add(key);
  for (const key of before) if (!after.has(key)) now.delete(key);
  return now;
}

/**
 * What is kept of folds after a person has arranged rows: what was changed is as it is now. What a hit of a search has
 * opened on the way is of the moment, and stays as it was kept.
 *
 * @param kept what was kept before
 * @param before the toggled rows that a person has seen
 * @param after those that a person has made of it
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

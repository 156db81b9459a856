/** Returns the values without `value` if they contain it, and with it if they do not. */
export function toggled<T>(values: Iterable<T>, value: T): Set<T> {
  const found = new Set(values);
  if (!found.delete(value)) found.add(value);
  return found;
}

/** The values, with one more, or without it where it was among them. */
export function toggled<T>(values: Iterable<T>, value: T): Set<T> {
  const found = new Set(values);
  if (!found.delete(value)) found.add(value);
  return found;
}

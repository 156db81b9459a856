/** Returns a copy of a column with twice the room, filled with zeros. */
export function doubled<T extends Int32Array | Float64Array>(column: T): T {
  const grown = new (column.constructor as new (length: number) => T)(column.length * 2);
  grown.set(column);
  return grown;
}

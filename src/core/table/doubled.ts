/** A copy of a column with room for as much again, zeros. */
export function doubled<T extends Int32Array | Float64Array>(column: T): T {
  const grown = new (column.constructor as new (length: number) => T)(column.length * 2);
  grown.set(column);
  return grown;
}

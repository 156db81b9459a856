/** Returns the first position in an ascending list whose value is at least `value`; the length if there is none. */
export function lowerBound(values: Int32Array | Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the first position in an ascending list, or between `from` and `to`, whose value is above `value`; `to` if
 * there is none.
 */
export function upperBound(values: ArrayLike<number>, value: number, from = 0, to = values.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the first position between `from` and `to` at which a condition holds that then holds for all later ones;
 * `to` if there is none.
 */
export function firstWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Returns the distinct non-negative values of a list, ascending, and a function that gives a value's position among
 * them (-1 for others).
 */
export function distinctAscending(values: Int32Array): {values: Int32Array; placeOf: (value: number) => number} {
  const sorted = values.filter(value => value >= 0).sort();
  const distinct = sorted.filter((value, i) => i === 0 || sorted[i - 1] !== value);
  const placeOf = (value: number) => {
    const place = value < 0 ? -1 : lowerBound(distinct, value);
    return place < distinct.length && distinct[place] === value ? place : -1;
  };
  return {values: distinct, placeOf};
}

/** Returns a test of whether a number is in an ascending list. */
export function rowsIn(values: Int32Array): (value: number) => boolean {
  if (values.length === 0) return () => false;
  return value => values[lowerBound(values, value)] === value;
}

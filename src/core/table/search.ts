/** The first position in an ascending list whose value is not below `value`; its length where all are. */
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

/** The first position of an ascending list, or of `from` to `to` of it, whose value is above `value`; `to` where none is. */
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

/** The first of `from` to `to` where something holds that holds for all behind it, too; `to` where it holds for none. */
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

/** The distinct values from 0 of a list, ascending, and the place of each among them (-1 for others). */
export function distinctAscending(values: Int32Array): {values: Int32Array; placeOf: (value: number) => number} {
  const sorted = values.filter(value => value >= 0).sort();
  const distinct = sorted.filter((value, i) => i === 0 || sorted[i - 1] !== value);
  const placeOf = (value: number) => {
    const place = value < 0 ? -1 : lowerBound(distinct, value);
    return place < distinct.length && distinct[place] === value ? place : -1;
  };
  return {values: distinct, placeOf};
}

/** Whether a number is in an ascending list. */
export function rowsIn(values: Int32Array): (value: number) => boolean {
  if (values.length === 0) return () => false;
  return value => values[lowerBound(values, value)] === value;
}

/** Returns the greatest number; `otherwise` if there are none. NaN is ignored. */
export function greatest(values: Iterable<number>, otherwise = -Infinity): number {
  let most = -Infinity;
  let found = false;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    found = true;
    if (value > most) most = value;
  }
  return found ? most : otherwise;
}

/** Returns the least number; `otherwise` if there are none. NaN is ignored. */
export function least(values: Iterable<number>, otherwise = Infinity): number {
  let fewest = Infinity;
  let found = false;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    found = true;
    if (value < fewest) fewest = value;
  }
  return found ? fewest : otherwise;
}

/** Appends items to a list, however many: `push(...items)` fails beyond some 100,000. */
export function pushAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** Returns the greatest of some numbers; `otherwise` where there are none. NaN is passed over. */
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

/** Returns the least of some numbers; `otherwise` where there are none. NaN is passed over. */
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

/** Adds items to the end of a list, however many: `push(...items)` fails beyond some 100,000. */
export function pushAll<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** An index, id or size as it is; null where there is none, and below -1, where an id stands for one that no double holds. */
export function orNull(value: number): number | null {
  return value >= 0 ? value : null;
}

import type {LiveRow} from './live-rows.js';

/** A row of one snapshot, with the row of the same place in another. */
export interface DifferenceRow extends LiveRow {
  readonly otherBytes: number;
  readonly otherBlocks: number;
  /** The other's bytes minus these. */
  readonly deltaBytes: number;
  readonly deltaBlocks: number;
}

/**
 * Returns the rows of a snapshot with those of another, matched by file, line, function, and stack or segment; the
 * largest changes first. A row that only one of them has gets zeros for the other, so that all three columns add up.
 */
export function rowDifference(rows: readonly LiveRow[], others: readonly LiveRow[]): DifferenceRow[] {
  const left = new Map(others.map(row => [keyOf(row), row]));
  const differences = rows.map(row => {
    const key = keyOf(row);
    const other = left.get(key);
    left.delete(key);
    return difference(row, row, other);
  });
  for (const other of left.values()) differences.push(difference(other, undefined, other));
  return differences.sort((a, b) => Math.abs(b.deltaBytes) - Math.abs(a.deltaBytes) || b.bytes - a.bytes);
}

function keyOf({file, line, function: name, stack, address}: LiveRow): string {
  return JSON.stringify([file, line, name, stack?.map(place => [place.file, place.line, place.function]), address]);
}

function difference(place: LiveRow, row: LiveRow | undefined, other: LiveRow | undefined): DifferenceRow {
  const bytes = row?.bytes ?? 0;
  const blocks = row?.blocks ?? 0;
  const otherBytes = other?.bytes ?? 0;
  const otherBlocks = other?.blocks ?? 0;
  const deltas = {deltaBytes: otherBytes - bytes, deltaBlocks: otherBlocks - blocks};
  return {...place, bytes, blocks, otherBytes, otherBlocks, ...deltas};
}

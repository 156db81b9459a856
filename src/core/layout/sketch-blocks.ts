import type {TableBuilder} from '../table/table.js';
import {binCount, type SliceBins} from './slice-bins.js';
import type {visibleSchema} from './visible-slices.js';

/** A row to draw: its position, and its bins. */
interface BinnedRow {
  readonly track: number;
  readonly lane: number;
  readonly bins: SliceBins;
  readonly binNs: number;
}

/**
 * Adds the blocks of a row, in pixels of one bin: `step` bins become one block, and so do bins covered by one long
 * slice. A block does not refer to a slice of the trace.
 *
 * @param names name in the trace → its index in the answer
 */
export function addSketchBlocks(
  table: TableBuilder<typeof visibleSchema>,
  names: Map<number, number>,
  {track, lane, bins, binNs}: BinnedRow,
  step: number,
): void {
  const {longestNs, kind, name} = bins;
  let block = -1;
  let before = 0;
  for (let from = 0; from < binCount; from += step) {
    const main = longestBin(bins, from, from + step);
    const isOne = longestNs[main] > binNs * step;
    if (isOne && block >= 0 && longestNs[main] === longestNs[before] && name[main] === name[before]) {
      table.columns.widthPx[block] += step;
      continue;
    }
    before = main;
    block = longestNs[main] < 0 ? -1 : table.add();
    if (block < 0) continue;
    const {columns} = table;
    const nameAt = names.get(name[main]) ?? names.size;
    names.set(name[main], nameAt);
    columns.track[block] = track;
    columns.lane[block] = lane;
    columns.leftPx[block] = from;
    columns.widthPx[block] = step;
    columns.name[block] = isOne ? nameAt : ~nameAt;
    columns.kind[block] = kind[main];
    columns.slice[block] = -1;
    columns.count[block] = isOne ? 1 : Math.max(2, sum(bins.count, from, from + step));
    columns.busyFraction[block] = isOne ? 1 : Math.min(1, sum(bins.coveredNs, from, from + step) / (binNs * step));
  }
}

function longestBin({longestNs}: SliceBins, from: number, end: number): number {
  let longest = from;
  for (let bin = from + 1; bin < end; bin++) if (longestNs[bin] > longestNs[longest]) longest = bin;
  return longest;
}

function sum(column: Uint32Array | Float64Array, from: number, end: number): number {
  let total = 0;
  for (let bin = from; bin < end; bin++) total += column[bin];
  return total;
}

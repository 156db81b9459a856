import {lowerBound} from '../table/search.js';
import type {AllocationGroups} from './allocation-groups.js';
import type {CodePlace} from './live-rows.js';
import type {DeviceMemory} from './replay.js';

/** The displayed part of a history, and its number of columns. */
export interface CurveWindow {
  /** Both ends are included. */
  readonly fromMoment: number;
  readonly toMoment: number;
  readonly columns: number;
}

/** The memory of one group at each column. */
interface CurveBand {
  readonly name: string;
  readonly place: CodePlace | null;
  readonly bytes: Float64Array;
  /** Whether it is the sum of all groups without a band. */
  readonly isOthers: boolean;
}

/**
 * Memory over a part of a history. A column represents several moments and shows the one with the most allocated bytes,
 * so that no peak is lost; its bands add up to that moment's allocated bytes.
 */
export interface MemoryCurve extends CurveWindow {
  /** Column → the moment that it shows; ascending. */
  readonly moments: Int32Array;
  readonly allocatedBytes: Float64Array;
  /** The most reserved bytes of each column's moments; NaN if unknown. */
  readonly reservedBytes: Float64Array;
  /** The largest groups, and last the sum of all others if there are more. */
  readonly bands: readonly CurveBand[];
}

/** As many as there are colours; the last is for all others. */
const mostBands = 10;
/** If there are more groups, only those with the most bytes are considered. */
const mostCandidates = 500;

/** Returns the curve of a device, stacked by groups of its allocations; the window is clipped to the history. */
export function memoryCurve(memory: DeviceMemory, groups: AllocationGroups, window: CurveWindow): MemoryCurve {
  const fromMoment = Math.max(0, Math.min(window.fromMoment, memory.eventCount));
  const toMoment = Math.max(fromMoment, Math.min(window.toMoment, memory.eventCount));
  const columns = Math.max(1, Math.min(Math.floor(window.columns), toMoment - fromMoment + 1));
  const {moments, reservedBytes} = shownMoments(memory, fromMoment, toMoment, columns);
  const allocatedBytes = Float64Array.from(moments, moment => memory.allocatedBytes[moment]);
  const bands = bandsOf(memory, groups, moments, allocatedBytes);
  return {fromMoment, toMoment, columns, moments, allocatedBytes, reservedBytes, bands};
}

function shownMoments(
  {allocatedBytes, reservedBytes}: DeviceMemory,
  fromMoment: number,
  toMoment: number,
  columns: number,
): {moments: Int32Array; reservedBytes: Float64Array} {
  const moments = new Int32Array(columns);
  const reserved = new Float64Array(columns).fill(Number.NaN);
  const count = toMoment - fromMoment + 1;
  for (let column = 0; column < columns; column++) {
    const first = fromMoment + Math.floor((column * count) / columns);
    const end = fromMoment + Math.floor(((column + 1) * count) / columns);
    let best = first;
    for (let moment = first; moment < end; moment++) {
      if (allocatedBytes[moment] > allocatedBytes[best]) best = moment;
      if (Number.isNaN(reserved[column]) || reservedBytes[moment] > reserved[column])
        reserved[column] = reservedBytes[moment];
    }
    moments[column] = best;
  }
  return {moments, reservedBytes: reserved};
}

function bandsOf(
  {allocations}: DeviceMemory,
  {groupOf, names, places}: AllocationGroups,
  moments: Int32Array,
  allocatedBytes: Float64Array,
): CurveBand[] {
  const {length, bytes, fromMoment, untilMoment} = allocations;
  const columns = moments.length;
  const rowOfGroup = new Int32Array(names.length).fill(-1);
  const candidates = largest(totals(groupOf, bytes, names.length), mostCandidates);
  candidates.forEach((group, row) => (rowOfGroup[group] = row));
  // First contains changes by column, then their sums in place.
  const sums = new Float64Array(candidates.length * (columns + 1));
  for (let i = 0; i < length; i++) {
    const row = rowOfGroup[groupOf[i]];
    if (row < 0) continue;
    const from = lowerBound(moments, fromMoment[i]);
    if (from === columns) continue;
    const until = lowerBound(moments, untilMoment[i]);
    if (from === until) continue;
    sums[row * (columns + 1) + from] += bytes[i];
    sums[row * (columns + 1) + until] -= bytes[i];
  }
  const bandOf = candidates.map((_, row) => {
    const band = sums.subarray(row * (columns + 1), row * (columns + 1) + columns);
    for (let column = 1; column < columns; column++) band[column] += band[column - 1];
    return band;
  });
  const peaks = Float64Array.from(bandOf, band => band.reduce((most, value) => Math.max(most, value), 0));
  const isAll = names.length <= mostBands;
  const shown = largest(peaks, isAll ? mostBands : mostBands - 1).filter(row => peaks[row] > 0);
  const bands = shown.map(row => ({
    name: names[candidates[row]],
    place: places[candidates[row]],
    bytes: bandOf[row].slice(),
    isOthers: false,
  }));
  const others = allocatedBytes.map((all, column) => bands.reduce((left, band) => left - band.bytes[column], all));
  if (!others.some(value => value > 0)) return bands;
  return [...bands, {name: 'all others', place: null, bytes: others, isOthers: true}];
}

function totals(groupOf: Int32Array, bytes: Float64Array, groups: number): Float64Array {
  const sums = new Float64Array(groups);
  for (let i = 0; i < groupOf.length; i++) sums[groupOf[i]] += bytes[i];
  return sums;
}

/** Returns the indices of the largest values, the largest first. */
function largest(values: Float64Array, most: number): number[] {
  return Array.from(values.keys())
    .sort((a, b) => values[b] - values[a] || a - b)
    .slice(0, most);
}

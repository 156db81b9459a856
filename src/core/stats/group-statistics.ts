import {release} from '../table/table.js';

/** The groups that rows belong to: row `i` is in group `groupOf[i]`, -1 for rows that are left out. */
export interface Groups {
  readonly groupOf: Int32Array;
  readonly length: number;
}

/** Figures of each group, one array element a group. A group without rows has zeros and NaN for all but the total. */
export interface GroupStatistics {
  readonly count: Int32Array;
  readonly total: Float64Array;
  readonly mean: Float64Array;
  /** Of an even number of values the mean of the middle two. */
  readonly median: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** Of the sample (n − 1); of a single value 0. */
  readonly standardDeviation: Float64Array;
}

/**
 * Count, total, mean, median, extremes and sample standard deviation of `values` in each group, in the values' unit.
 *
 * Linear time: rows are brought together by counting, medians are selected and not sorted for. NaN counts as absent.
 *
 * @see docs/metrics.md#report-statistics
 */
export function groupStatistics(values: Float64Array, {groupOf, length}: Groups): GroupStatistics {
  const {count, offsets, sorted} = valuesByGroup(values, groupOf, length);
  const column = () => new Float64Array(length).fill(NaN);
  const [mean, median, min, max] = [column(), column(), column(), column()];
  const total = new Float64Array(length);
  const standardDeviation = column();
  for (let group = 0; group < length; group++) {
    const first = offsets[group];
    const end = first + count[group];
    if (end === first) continue;
    let sum = 0;
    let least = Infinity;
    let most = -Infinity;
    for (let i = first; i < end; i++) {
      const value = sorted[i];
      sum += value;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    total[group] = sum;
    mean[group] = sum / (end - first);
    min[group] = least;
    max[group] = most;
    standardDeviation[group] = sampleDeviation(sorted, first, end, mean[group]);
    median[group] = least === most ? least : medianOf(sorted, first, end);
  }
  release(sorted);
  return {count, total, mean, median, min, max, standardDeviation};
}

/** The groups of several, one after the other. */
export function joinStatistics(parts: readonly GroupStatistics[]): GroupStatistics {
  const joined = (column: Exclude<keyof GroupStatistics, 'count'>) =>
    Float64Array.from(parts.flatMap(part => [...part[column]]));
  return {
    count: Int32Array.from(parts.flatMap(({count}) => [...count])),
    total: joined('total'),
    mean: joined('mean'),
    median: joined('median'),
    min: joined('min'),
    max: joined('max'),
    standardDeviation: joined('standardDeviation'),
  };
}

function valuesByGroup(
  values: Float64Array,
  groupOf: Int32Array,
  groups: number,
): {count: Int32Array; offsets: Int32Array; sorted: Float64Array} {
  const count = new Int32Array(groups);
  for (let i = 0; i < groupOf.length; i++) {
    // A value that is not equal to itself is NaN.
    if (groupOf[i] >= 0 && values[i] === values[i]) count[groupOf[i]]++;
  }
  const offsets = new Int32Array(groups + 1);
  for (let group = 0; group < groups; group++) offsets[group + 1] = offsets[group] + count[group];
  const sorted = new Float64Array(offsets[groups]);
  const next = offsets.slice(0, groups);
  for (let i = 0; i < groupOf.length; i++) {
    if (groupOf[i] >= 0 && values[i] === values[i]) sorted[next[groupOf[i]]++] = values[i];
  }
  return {count, offsets, sorted};
}

/** Two passes: the sum of squares would lose digits of times that are long and alike. */
function sampleDeviation(values: Float64Array, first: number, end: number, mean: number): number {
  if (end - first < 2) return 0;
  let squares = 0;
  for (let i = first; i < end; i++) squares += (values[i] - mean) * (values[i] - mean);
  return Math.sqrt(squares / (end - first - 1));
}

function medianOf(values: Float64Array, first: number, end: number): number {
  const middle = first + ((end - first) >> 1);
  select(values, first, end, middle);
  if ((end - first) % 2 === 1) return values[middle];
  let below = -Infinity;
  for (let i = first; i < middle; i++) if (values[i] > below) below = values[i];
  return (below + values[middle]) / 2;
}

/** Below this many values sorting is as fast as selecting. */
const fewValues = 32;

/**
 * Moves values so that the one at `wanted` is the one that sorting would put there, smaller ones before it.
 *
 * Quickselect around the median of three; orders that are made to be slow are sorted after all.
 */
function select(values: Float64Array, first: number, end: number, wanted: number): void {
  let left = first;
  let right = end - 1;
  for (let rounds = 2 * Math.log2(end - first); right - left > fewValues; rounds--) {
    if (rounds < 0) break;
    const pivot = middleOfThree(values[left], values[(left + right) >> 1], values[right]);
    let low = left;
    let high = right;
    while (low <= high) {
      while (values[low] < pivot) low++;
      while (values[high] > pivot) high--;
      if (low > high) break;
      const swapped = values[low];
      values[low++] = values[high];
      values[high--] = swapped;
    }
    if (wanted <= high) right = high;
    else if (wanted >= low) left = low;
    else return;
  }
  values.subarray(left, right + 1).sort();
}

function middleOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

import {nthSmallest} from '../base/nth-smallest.js';
import {release} from '../table/table.js';

/** The groups that rows belong to: row `i` is in group `groupOf[i]`, which is -1 for rows that are left out. */
export interface Groups {
  readonly groupOf: Int32Array;
  readonly length: number;
}

/**
 * Figures of each group, one array element per group. A group without rows has count and total 0, and NaN elsewhere.
 */
export interface GroupStatistics {
  readonly count: Int32Array;
  readonly total: Float64Array;
  readonly mean: Float64Array;
  /** For an even number of values, the mean of the middle two. */
  readonly median: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** Sample standard deviation (n − 1); 0 for a single value. */
  readonly standardDeviation: Float64Array;
}

/**
 * Returns count, total, mean, median, extremes and sample standard deviation of `values` in each group, in the values'
 * unit. NaN counts as absent.
 *
 * @see docs/metrics.md#report-statistics
 */
export function groupStatistics(values: Float64Array, groups: Groups): GroupStatistics {
  const {groupOf} = groups;
  const grouped = new GroupedValues(groupSizes(groups));
  for (let i = 0; i < groupOf.length; i++) if (groupOf[i] >= 0) grouped.add(groupOf[i], values[i]);
  return grouped.takeStatistics();
}

/** Returns the number of rows in each group. */
export function groupSizes({groupOf, length}: Groups): Int32Array {
  const sizes = new Int32Array(length);
  for (let i = 0; i < groupOf.length; i++) if (groupOf[i] >= 0) sizes[groupOf[i]]++;
  return sizes;
}

/** Collects values one by one, by group, as their only copy: there may be millions. */
export class GroupedValues {
  /** Where the values of each group begin, and where its next value goes. */
  readonly #offsets: Int32Array;
  readonly #next: Int32Array;
  readonly #values: Float64Array;

  /** @param sizes the most values that each group can have */
  constructor(sizes: ArrayLike<number>) {
    this.#offsets = new Int32Array(sizes.length + 1);
    for (let group = 0; group < sizes.length; group++) this.#offsets[group + 1] = this.#offsets[group] + sizes[group];
    this.#next = this.#offsets.slice(0, sizes.length);
    this.#values = new Float64Array(this.#offsets[sizes.length]);
  }

  /** Adds a value to a group; NaN counts as absent. */
  add(group: number, value: number): void {
    // Only NaN is not equal to itself.
    if (value === value) this.#values[this.#next[group]++] = value;
  }

  /**
   * Returns the figures of each group, in the values' unit, and releases the values, which must not be used afterwards.
   */
  takeStatistics(): GroupStatistics {
    const statistics = statisticsOf(this.#next.length, group => {
      return this.#values.subarray(this.#offsets[group], this.#next[group]);
    });
    release(this.#values);
    return statistics;
  }
}

/**
 * Returns the figures of each group, in the values' unit.
 *
 * Takes linear time: medians are found by selection, without sorting.
 *
 * @param valuesOf a group's values, without NaN: their order is changed, and they are not used after the next call
 */
export function statisticsOf(groups: number, valuesOf: (group: number) => Float64Array): GroupStatistics {
  const column = () => new Float64Array(groups).fill(NaN);
  const [mean, median, min, max] = [column(), column(), column(), column()];
  const count = new Int32Array(groups);
  const total = new Float64Array(groups);
  const standardDeviation = column();
  for (let group = 0; group < groups; group++) {
    const values = valuesOf(group);
    if (values.length === 0) continue;
    const {sum, least, most} = sumAndExtremes(values);
    count[group] = values.length;
    total[group] = sum;
    mean[group] = sum / values.length;
    min[group] = least;
    max[group] = most;
    standardDeviation[group] = sampleDeviation(values, mean[group]);
    median[group] = least === most ? least : medianOf(values);
  }
  return {count, total, mean, median, min, max, standardDeviation};
}

/** Concatenates the groups of several statistics. */
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

function sumAndExtremes(values: Float64Array): {sum: number; least: number; most: number} {
  let sum = 0;
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    sum += value;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return {sum, least, most};
}

/** Two passes: a sum of squares would lose digits of long, similar times. */
function sampleDeviation(values: Float64Array, mean: number): number {
  if (values.length < 2) return 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - mean) * (values[i] - mean);
  return Math.sqrt(squares / (values.length - 1));
}

function medianOf(values: Float64Array): number {
  const middle = values.length >> 1;
  const upper = nthSmallest(values, middle);
  if (values.length % 2 === 1) return upper;
  let below = -Infinity;
  for (let i = 0; i < middle; i++) if (values[i] > below) below = values[i];
  return (below + upper) / 2;
}

import type {WorkLabel} from './work-groups.js';

/** The GPU work of one row. */
export interface WorkEntry extends WorkLabel {
  /** Self work, including backward, over the whole part; whole ns. */
  readonly gpuWorkNs: number;
  /** Number of instances of a range, or of operations. */
  readonly count: number;
  /**
   * The samples for the noise: the work in each step, or, without steps, the mean time of a call in each of up to 30
   * blocks of consecutive calls; ns.
   */
  readonly samplesNs: Float64Array;
}

/** The sum of some rows. */
export interface WorkSum {
  /** Over the whole part; whole ns. */
  readonly gpuWorkNs: number;
  readonly count: number;
  /** The sum in each step; without steps, the samples of all rows one after another. */
  readonly samplesNs: Float64Array;
}

/**
 * Returns the sum of some rows of one answer.
 *
 * @param steps the number of steps of their part; 0 if it has none
 */
export function sumWork(rows: readonly WorkEntry[], steps: number): WorkSum {
  const sum = (key: 'gpuWorkNs' | 'count') => rows.reduce((all, row) => all + row[key], 0);
  return {gpuWorkNs: sum('gpuWorkNs'), count: sum('count'), samplesNs: samplesOf(rows, steps)};
}

function samplesOf(rows: readonly WorkEntry[], steps: number): Float64Array {
  if (rows.length === 1) return rows[0].samplesNs;
  if (steps === 0) return Float64Array.from(rows.flatMap(({samplesNs}) => [...samplesNs]));
  const sums = new Float64Array(steps);
  for (const {samplesNs} of rows) for (let step = 0; step < steps; step++) sums[step] += samplesNs[step];
  return sums;
}

import type {Table} from '../table/table.js';

/** The unit of a counter's values; times and sizes are converted to these on import. */
export const counterUnits = ['bytes', 'bytesPerSecond', 'percent', 'watts', 'hertz', 'celsius', 'count'] as const;
export type CounterUnit = (typeof counterUnits)[number];

/** A value over time. Its samples are rows `firstSample` to `endSample` (exclusive) of the sample table. */
export interface Counter {
  readonly name: string;
  /** Null if the file does not say. */
  readonly unit: CounterUnit | null;
  /** Index into `Trace.processes`, -1 if the counter belongs to no process. */
  readonly process: number;
  /** CUDA device ordinal, -1 if the counter belongs to no device. */
  readonly device: number;
  readonly firstSample: number;
  readonly endSample: number;
}

/**
 * One row per sample of a counter, sorted by counter, then by time; of samples at the same time the last in the file
 * counts.
 *
 *       row   atNs    value
 *         0      0     4096   GPU 0 allocated, bytes: 4096 from 0 to 700 ns,
 *         1    700     8192   then 8192 until the trace ends
 *         2    120     97.5   GPU 0 SMs active, percent
 *
 * A counter holds its value until its next sample, and has none before the first. Times count from the trace's origin;
 * values are never NaN or infinite.
 */
export const counterSampleSchema = {atNs: 'f64', value: 'f64'} as const;
export type CounterSampleTable = Table<typeof counterSampleSchema>;

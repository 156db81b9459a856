import type {EventBatch} from './event-batch.js';

/** 78 hours: times that lie farther from the others, and longer durations, are not what a profiler measured. */
export const farthestNs = 2 ** 48;

/** Tells when events begin, from a base near the first ones so that a double holds every ns. */
export class EventClock {
  /** What all times count from; NaN until it is known. */
  baseUs = NaN;

  /**
   * When an event begins, from the base; NaN where it does not say, or is far from all others.
   *
   * Subtracting the base before scaling keeps the result exact: epoch ns do not fit a double.
   */
  startNs({startUs, startThousandths}: EventBatch['columns'], row: number): number {
    const ns = (startUs[row] - this.baseUs) * 1000 + startThousandths[row];
    return Math.abs(ns) <= farthestNs ? ns : NaN;
  }
}

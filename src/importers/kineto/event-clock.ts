import type {EventBatch} from './event-batch.js';

/** 78 hours: start times farther from the others, and longer durations, are not measurements. */
export const farthestNs = 2 ** 48;

/** Returns start times relative to a base near the first event, so that a double is exact to the ns. */
export class EventClock {
  /** The origin of all times; NaN until it is known. */
  baseUs = NaN;

  /**
   * Returns the start of an event relative to the base; NaN if it has no time, or one far from all others.
   *
   * Subtracting the base before scaling keeps the result exact: epoch ns do not fit a double.
   */
  startNs({startUs, startThousandths}: EventBatch['columns'], row: number): number {
    const ns = (startUs[row] - this.baseUs) * 1000 + startThousandths[row];
    return Math.abs(ns) <= farthestNs ? ns : NaN;
  }
}

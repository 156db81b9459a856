/** Times farther than this from the first one cannot belong to one recording. */
const mostNs = 100 * 86_400e9;

/**
 * Converts the times of a file to ns from its first record. They count ns from the start of the machine, and do not fit
 * a double after 104 days.
 */
export class RecordClock {
  #baseNs: bigint | null = null;

  get baseNs(): bigint {
    return this.#baseNs ?? 0n;
  }

  /** Returns a record's time; NaN if there is none, for which the profiler writes 0. */
  since(value: unknown): number {
    const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    if (!isWhole || value <= 0) return NaN;
    this.#baseNs ??= BigInt(value);
    const ns = Number(BigInt(value) - this.#baseNs);
    return Math.abs(ns) <= mostNs ? ns : NaN;
  }
}

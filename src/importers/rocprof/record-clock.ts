/** Times further from the first one than this are no times of one recording. */
const mostNs = 100 * 86_400e9;

/**
 * Times of a file, which counts ns from the start of the machine: after 104 days they are more than a double holds. They
 * become ns from the file's first record.
 */
export class RecordClock {
  #baseNs: bigint | null = null;

  get baseNs(): bigint {
    return this.#baseNs ?? 0n;
  }

  /** A time of a record, NaN where there is none: 0 is what the profiler writes then. */
  since(value: unknown): number {
    const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    if (!isWhole || value <= 0) return NaN;
    this.#baseNs ??= BigInt(value);
    const ns = Number(BigInt(value) - this.#baseNs);
    return Math.abs(ns) <= mostNs ? ns : NaN;
  }
}

/** A time in which a device was idle, ns. */
export interface IdleTime {
  readonly fromNs: number;
  readonly toNs: number;
}

const none: readonly IdleTime[] = [];

/**
 * Finds the times between the chosen operations of a device in which nothing ran on it, chosen or not. Operations must
 * be added in the order of start.
 */
export class IdleTimes {
  /** Device → end of the last operation so far; NaN before the first chosen operation. */
  readonly #busyToNs: Float64Array;
  /** Device → idle times that count only if another chosen operation follows. */
  readonly #pending: IdleTime[][];

  constructor(deviceCount: number) {
    this.#busyToNs = new Float64Array(deviceCount).fill(NaN);
    this.#pending = Array.from({length: deviceCount}, () => []);
  }

  /** Adds an operation. @returns the idle times that are then complete, for a chosen operation */
  add(device: number, startNs: number, endNs: number, isChosen: boolean): readonly IdleTime[] {
    const pending = this.#pending[device];
    const busyToNs = this.#busyToNs[device];
    if (startNs > busyToNs) pending.push({fromNs: busyToNs, toNs: startNs});
    if (endNs > busyToNs || (isChosen && Number.isNaN(busyToNs))) this.#busyToNs[device] = endNs;
    return isChosen && pending.length > 0 ? pending.splice(0) : none;
  }
}

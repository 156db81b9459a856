/** A time in which a device did nothing, ns. */
export interface IdleTime {
  readonly fromNs: number;
  readonly toNs: number;
}

const none: readonly IdleTime[] = [];

/**
 * The times between the chosen operations of a device in which nothing ran on it, chosen or not. Operations are told in
 * the order of start.
 */
export class IdleTimes {
  /** Device → end of what ran until now; NaN before the first chosen operation. */
  readonly #busyToNs: Float64Array;
  /** Device → times that are idle if a chosen operation is still to come. */
  readonly #pending: IdleTime[][];

  constructor(deviceCount: number) {
    this.#busyToNs = new Float64Array(deviceCount).fill(NaN);
    this.#pending = Array.from({length: deviceCount}, () => []);
  }

  /** Tells an operation. @returns the idle times that are known with it, for a chosen one */
  add(device: number, startNs: number, endNs: number, isChosen: boolean): readonly IdleTime[] {
    const pending = this.#pending[device];
    const busyToNs = this.#busyToNs[device];
    if (startNs > busyToNs) pending.push({fromNs: busyToNs, toNs: startNs});
    if (endNs > busyToNs || (isChosen && Number.isNaN(busyToNs))) this.#busyToNs[device] = endNs;
    return isChosen && pending.length > 0 ? pending.splice(0) : none;
  }
}

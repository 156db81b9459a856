import type {LaunchedOperations} from './launched-operations.js';

/**
 * What this machine takes to begin an operation: a mean over the whole profile for each kind of operation, of those that
 * nothing was in the way of. So no operation's own start enters its replay.
 */
export interface MachineDelays {
  /** From the end of a launching call to the start of its operation; may be negative. */
  readonly launchNs: (kind: number) => number;
  /** From the start of a call that waits for its copy to the start of that. */
  readonly copyNs: number;
  /** From the end of an operation to the start of the next of its stream that was launched long before. */
  readonly streamNs: (kind: number) => number;
}

/** Longer delays are no delay of the machine: something was in the way. */
const longestLaunchNs = 50_000;
const longestBetweenNs = 10_000;
/** So long before its turn an operation must have been launched, for its stream alone to hold it. */
const longBeforeNs = 20_000;
/** Where a profile shows none. */
const usual = {launchNs: 2_000, copyNs: 5_000, streamNs: 1_000};

/** Learns the delays of the machine that a profile was recorded on. */
export function machineDelays({length, before, callOf, startNs, endNs, kindOf}: LaunchedOperations): MachineDelays {
  const launch = new Samples(longestLaunchNs);
  const copy = new Samples(longestLaunchNs);
  const stream = new Samples(longestBetweenNs);
  for (let operation = 0; operation < length; operation++) {
    const call = callOf[operation];
    if (!call) continue;
    const freeNs = before[operation] < 0 ? -Infinity : endNs(before[operation]);
    const isFirst = call.operations[0] === operation;
    if (call.awaited.includes(operation)) {
      if (freeNs < call.startNs) copy.add(0, startNs(operation) - call.startNs);
    } else if (isFirst && freeNs < call.startNs) {
      launch.add(kindOf(operation), startNs(operation) - call.endNs);
    } else if (call.endNs + longBeforeNs < freeNs && startNs(operation) >= freeNs) {
      stream.add(kindOf(operation), startNs(operation) - freeNs);
    }
  }
  return {
    launchNs: kind => launch.mean(kind, usual.launchNs),
    copyNs: copy.mean(0, usual.copyNs),
    streamNs: kind => stream.mean(kind, usual.streamNs),
  };
}

/** Sums of delays by kind of operation. */
class Samples {
  readonly #sums = new Map<number, {ns: number; count: number}>();

  constructor(private readonly longestNs: number) {}

  add(kind: number, ns: number): void {
    if (Math.abs(ns) > this.longestNs) return;
    const sum = this.#sums.get(kind) ?? {ns: 0, count: 0};
    this.#sums.set(kind, {ns: sum.ns + ns, count: sum.count + 1});
  }

  /** The mean of a kind, else of all kinds, else what is usual. */
  mean(kind: number, otherwiseNs: number): number {
    const own = this.#sums.get(kind);
    if (own) return own.ns / own.count;
    let [ns, count] = [0, 0];
    for (const sum of this.#sums.values()) {
      ns += sum.ns;
      count += sum.count;
    }
    return count === 0 ? otherwiseNs : ns / count;
  }
}

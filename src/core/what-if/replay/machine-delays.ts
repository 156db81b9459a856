import type {LaunchedOperations} from './launched-operations.js';

/**
 * How long this machine takes to begin an operation: the mean over the whole profile for each kind of operation, from
 * operations that nothing else delayed. An operation's own start therefore does not enter its replay.
 */
export interface MachineDelays {
  /** From the end of a launching call to the start of its operation; may be negative. */
  readonly launchNs: (kind: number) => number;
  /** From the start of a call that waits for its copy to the start of the copy. */
  readonly copyNs: number;
  /** From the end of an operation to the start of the next on its stream, if that was launched long before. */
  readonly streamNs: (kind: number) => number;
}

/** Longer delays are not the machine's: something else delayed the operation. */
const longestLaunchNs = 50_000;
const longestBetweenNs = 10_000;
/** An operation must be launched this long before its turn for only its stream to hold it. */
const longBeforeNs = 20_000;
/** Values if a profile shows none. */
const usual = {launchNs: 2_000, copyNs: 5_000, streamNs: 1_000};

/** Measures the delays of the machine on which a profile was recorded. */
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

  /** Returns the mean of a kind, else of all kinds, else the usual value. */
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

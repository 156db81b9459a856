import {kindIndex} from './slices.js';
import type {Trace, TraceNote} from './trace.js';
import {formatCount, plural} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {shortenMiddle} from '../format/shorten-middle.js';

/** What makes the time of a GPU operation doubtful; an operation has the first that fits. */
export const doubts = ['overlap', 'long', 'past-end'] as const;
export type Doubt = (typeof doubts)[number];

/** Part of a trace that times are judged by. */
type Timed = Pick<Trace, 'slices' | 'gpuOperations' | 'strings'>;

/** The clocks of older profiles tick once a µs. */
const clockNs = 1000;
/** So many times as long as nine in ten of the operations of its name, and at least so long. */
const longTimes = 100;
const longNs = 10_000_000;
const fewestOfName = 8;

const sentences: Readonly<Record<Doubt, (count: string) => string>> = {
  overlap: count => `${count} last beyond the start of the next on the same stream, where one runs after the other`,
  long: count => `${count} take over ${String(longTimes)} times as long as nine in ten of the same name`,
  'past-end': count => `${count} end after the recording`,
};

/**
 * GPU operations (rows of `gpuOperations`) whose times can hardly be right, in order of start.
 *
 * @see docs/metrics.md#doubtful-times
 */
export function doubtfulOperations(trace: Timed): ReadonlyMap<number, Doubt> {
  const found = new Map<number, Doubt>();
  findPastEnd(trace, found);
  findLong(trace, found);
  findOverlaps(trace, found);
  return new Map([...found].sort(([a], [b]) => a - b));
}

/** The note on them, with the longest one's name and what is left without them; none where all times can be right. */
export function doubtfulTimesNotes(trace: Timed): TraceNote[] {
  const found = doubtfulOperations(trace);
  if (found.size === 0) return [];
  const {slices, gpuOperations, strings} = trace;
  const durationOf = (operation: number) => slices.durationNs[gpuOperations.slice[operation]];
  let [allNs, doubtfulNs] = [0, 0];
  for (let operation = 0; operation < gpuOperations.length; operation++) allNs += durationOf(operation);
  let longest = -1;
  for (const operation of found.keys()) {
    doubtfulNs += durationOf(operation);
    if (longest < 0 || durationOf(operation) > durationOf(longest)) longest = operation;
  }
  const kinds = doubts.flatMap(doubt => {
    const count = [...found.values()].filter(other => other === doubt).length;
    return count === 0 ? [] : [sentences[doubt](formatCount(count))];
  });
  const name = shortenMiddle(strings.get(slices.name[gpuOperations.slice[longest]]), 60);
  const text =
    `The times of ${plural(found.size, 'GPU operation')} can hardly be right: ${kinds.join('; ')}. ` +
    `The longest is "${name}" with ${formatDuration(durationOf(longest))}. ` +
    `They are ${formatDuration(doubtfulNs)} of ${formatDuration(allNs)} of GPU work: without them it is ${formatDuration(allNs - doubtfulNs)}.`;
  return [{code: 'gpu/doubtful-times', text}];
}

/** Operations of a stream run one after the other; those of one launch of a graph may run side by side. */
function findOverlaps({slices, gpuOperations}: Timed, found: Map<number, Doubt>): void {
  const {device, stream, process, correlation, slice} = gpuOperations;
  const lastOf = new Map<string, number>();
  let [key, lastDevice, lastStream, lastProcess] = ['', NaN, NaN, NaN];
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (device[operation] !== lastDevice || stream[operation] !== lastStream || process[operation] !== lastProcess) {
      [lastDevice, lastStream, lastProcess] = [device[operation], stream[operation], process[operation]];
      key = `${String(lastProcess)} ${String(lastDevice)} ${String(lastStream)}`;
    }
    const endNs = slices.startNs[slice[operation]] + slices.durationNs[slice[operation]];
    const last = lastOf.get(key);
    if (last === undefined) {
      lastOf.set(key, operation);
      continue;
    }
    const lastEndNs = slices.startNs[slice[last]] + slices.durationNs[slice[last]];
    const isOfOneLaunch = correlation[last] !== -1 && correlation[last] === correlation[operation];
    const overlapNs = Math.min(lastEndNs, endNs) - slices.startNs[slice[operation]];
    if (overlapNs > clockNs && !isOfOneLaunch) found.set(last, 'overlap');
    if (endNs >= lastEndNs) lastOf.set(key, operation);
  }
}

/** Kernels alone: how long a copy takes is a matter of its bytes, and a collective waits for other ranks. */
function findLong({slices, gpuOperations, strings}: Timed, found: Map<number, Doubt>): void {
  const isLong = (slice: number) => slices.kind[slice] === kindIndex.kernel && slices.durationNs[slice] >= longNs;
  const suspects = new Map<number, {operations: number[]; durations: number[]}>();
  gpuOperations.slice.forEach((slice, operation) => {
    if (!isLong(slice)) return;
    const ofName = suspects.get(slices.name[slice]);
    if (ofName) ofName.operations.push(operation);
    else if (!/nccl|rccl|oneccl/i.test(strings.get(slices.name[slice])))
      suspects.set(slices.name[slice], {operations: [operation], durations: []});
  });
  if (suspects.size === 0) return;
  gpuOperations.slice.forEach(slice => suspects.get(slices.name[slice])?.durations.push(slices.durationNs[slice]));
  for (const {operations, durations} of suspects.values()) {
    if (durations.length < fewestOfName) continue;
    const usualNs = Float64Array.from(durations).sort()[Math.floor(0.9 * (durations.length - 1))];
    for (const operation of operations) {
      if (slices.durationNs[gpuOperations.slice[operation]] > longTimes * usualNs) found.set(operation, 'long');
    }
  }
}

/** Of a profile that says when its recording ended: by the end of PyTorch's own span. */
function findPastEnd({slices, gpuOperations}: Timed, found: Map<number, Doubt>): void {
  let endNs = -Infinity;
  for (let slice = 0; slice < slices.length; slice++) {
    if (slices.kind[slice] !== kindIndex.profiler_span) continue;
    endNs = Math.max(endNs, slices.startNs[slice] + slices.durationNs[slice]);
  }
  if (endNs === -Infinity) return;
  gpuOperations.slice.forEach((slice, operation) => {
    if (slices.startNs[slice] + slices.durationNs[slice] > endNs + clockNs) found.set(operation, 'past-end');
  });
}

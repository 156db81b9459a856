import {derivedKey, derivedPart} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';

/** How busy a device or thread was over a whole trace, in parts of equal length. */
export interface Activity {
  /** "GPU 0", or the busiest thread's name if the trace has no GPU work. */
  readonly label: string;
  /** Busy time of each part, as a fraction of its length. */
  readonly busy: Float32Array;
}

/** No screen needs more. */
const mostParts = 4096;

const activityKey = derivedKey<Activity[]>('activity');

/**
 * Returns how busy each GPU was in each of `parts` parts of the trace: the union of its operations. For a trace without
 * GPU work, returns the union of the slices of the thread with the most slices; for an empty trace, nothing.
 *
 * @see docs/metrics.md#gpu-busy
 */
export function activity(trace: Trace, parts: number): Activity[] {
  const count = Math.min(mostParts, Math.max(1, Math.floor(parts) || 1));
  return derivedPart(
    trace,
    activityKey,
    String(count),
    () => measure(trace, count),
    rows => rows.length * count * 4,
  );
}

function measure(trace: Trace, parts: number): Activity[] {
  const {slices, gpuOperations, devices, tracks} = trace;
  const partNs = Math.max(1, trace.spanNs) / parts;
  if (gpuOperations.length === 0) {
    const busiest = tracks.reduce(
      (best, track) => (track.endSlice - track.firstSlice > best.endSlice - best.firstSlice ? track : best),
      {firstSlice: 0, endSlice: 0, name: ''},
    );
    if (busiest.endSlice === 0) return [];
    const meter = new BusyMeter(parts, partNs);
    for (let row = busiest.firstSlice; row < busiest.endSlice; row++)
      meter.add(slices.startNs[row], slices.durationNs[row]);
    return [{label: busiest.name, busy: meter.busy}];
  }
  const meters = new Map(devices.map(({id}) => [id, new BusyMeter(parts, partNs)]));
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const slice = gpuOperations.slice[operation];
    meters.get(gpuOperations.device[operation])?.add(slices.startNs[slice], slices.durationNs[slice]);
  }
  return [...meters].map(([id, {busy}]) => ({label: `GPU ${String(id)}`, busy}));
}

/** Sums the union of intervals by parts of equal length. Intervals come in order of start. */
class BusyMeter {
  readonly busy: Float32Array;
  #coveredToNs = 0;

  constructor(
    parts: number,
    private readonly partNs: number,
  ) {
    this.busy = new Float32Array(parts);
  }

  add(startNs: number, durationNs: number): void {
    const endNs = startNs + durationNs;
    const fromNs = Math.max(startNs, this.#coveredToNs);
    if (endNs <= fromNs) return;
    this.#coveredToNs = endNs;
    const last = Math.min(this.busy.length - 1, Math.floor(endNs / this.partNs));
    for (let part = Math.min(last, Math.floor(fromNs / this.partNs)); part <= last; part++) {
      const insideNs = Math.min(endNs, (part + 1) * this.partNs) - Math.max(fromNs, part * this.partNs);
      this.busy[part] += Math.max(0, insideNs) / this.partNs;
    }
  }
}

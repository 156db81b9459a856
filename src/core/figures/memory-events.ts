import {getOrAdd} from '../table/get-or-add.js';
import {lowerBound} from '../table/search.js';
import {instantKindIndex} from '../trace/instants.js';
import type {Trace} from '../trace/trace.js';
import type {ReportScope} from '../scope/report-scope.js';

/** Allocations and frees of one device's memory by one process, in order of time. Lists have equal length. */
export interface MemoryOfDevice {
  readonly process: number;
  /** -1 for the host's memory. */
  readonly device: number;
  /** Row of `instants`. */
  readonly instant: Int32Array;
  readonly atNs: Float64Array;
  readonly bytes: Float64Array;
  /** Bytes in use after each event: `baseBytes` and the bytes of the events since. */
  readonly level: Float64Array;
  /** Bytes in use before the first event: by PyTorch's own total if the profile has it, else 0. */
  readonly baseBytes: number;
}

/** Returns the memory events in the scope's window and device, by process and device. */
export function memoryOfDevices({
  trace,
  scope,
}: {
  readonly trace: Trace;
  readonly scope: Pick<ReportScope, 'fromNs' | 'toNs' | 'device'>;
}): MemoryOfDevice[] {
  const {instants, tracks} = trace;
  const rows = new Map<string, {process: number; device: number; list: number[]}>();
  for (let row = 0; row < instants.length; row++) {
    if (instants.kind[row] !== instantKindIndex.memory || Number.isNaN(instants.bytes[row])) continue;
    if (instants.atNs[row] < scope.fromNs || instants.atNs[row] >= scope.toNs) continue;
    const device = instants.device[row];
    if (scope.device !== null && device !== scope.device) continue;
    const process = instants.track[row] < 0 ? -1 : tracks[instants.track[row]].process;
    getOrAdd(rows, `${String(process)} ${String(device)}`, () => ({process, device, list: []})).list.push(row);
  }
  return [...rows.values()].map(({process, device, list}) => memoryOf(trace, process, device, list));
}

function memoryOf(trace: Trace, process: number, device: number, list: readonly number[]): MemoryOfDevice {
  const {instants} = trace;
  const instant = Int32Array.from(list);
  const atNs = Float64Array.from(list, row => instants.atNs[row]);
  const bytes = Float64Array.from(list, row => instants.bytes[row]);
  const baseBytes = bytesBefore(trace, process, device, instant[0]);
  const level = new Float64Array(list.length);
  let sum = baseBytes;
  for (let i = 0; i < level.length; i++) level[i] = sum += bytes[i];
  return {process, device, instant, atNs, bytes, level, baseBytes};
}

/**
 * Returns PyTorch's total before an instant; 0 if the profile has no totals, so that levels count from the start of the
 * recording and may reach 0.
 */
function bytesBefore(trace: Trace, process: number, device: number, instant: number): number {
  const counter = trace.counters.find(
    candidate => candidate.name === 'Memory allocated' && candidate.process === process && candidate.device === device,
  );
  const {instants, counterSamples} = trace;
  if (!counter) return 0;
  // Totals apply after each event: take the first at this time, less the bytes that its event changed.
  const samples = counterSamples.atNs.subarray(counter.firstSample, counter.endSample);
  const sample = counter.firstSample + lowerBound(samples, instants.atNs[instant]);
  return sample < counter.endSample ? Math.max(0, counterSamples.value[sample] - instants.bytes[instant]) : 0;
}

/** Answers range maximum queries on a list, in steps proportional to the logarithm of its length. */
export class MostIn {
  readonly #tree: Float64Array;
  readonly #length: number;

  constructor(values: Float64Array) {
    this.#length = values.length;
    this.#tree = new Float64Array(2 * values.length);
    this.#tree.set(values, values.length);
    for (let i = values.length - 1; i > 0; i--) {
      this.#tree[i] = Math.max(this.#tree[2 * i], this.#tree[2 * i + 1]);
    }
  }

  /** Returns the maximum of `[first, end)`, -Infinity if that is empty. */
  in(first: number, end: number): number {
    let most = -Infinity;
    let left = first + this.#length;
    let right = end + this.#length;
    for (; left < right; left >>= 1, right >>= 1) {
      if (left & 1) most = Math.max(most, this.#tree[left++]);
      if (right & 1) most = Math.max(most, this.#tree[--right]);
    }
    return most;
  }
}

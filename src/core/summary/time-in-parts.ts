import {sortByStart} from '../table/sort.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {TimeWindow} from '../base/time-window.js';
import {idleCausesOf, type IdleCauses} from './idle-causes.js';
import {partIndex, partOfKernel, timeParts} from './time-parts.js';

/** How one GPU spent the time of windows. */
export interface TimeInParts {
  /** For each window, ns of each part in the order of `timeParts`; they add up to the window's length. */
  readonly ns: readonly Float64Array[];
  /** Communication that overlapped with other work, ns, in all windows. */
  readonly hiddenCommunicationNs: number;
  /**
   * Part → its longest stretch in the windows, with the operation in it or at the end of the gap; null if there is
   * none.
   */
  readonly longest: readonly (Stretch | null)[];
}

export interface Stretch extends TimeWindow {
  /** Row of the slices table. */
  readonly slice: number;
  /** The time of this part; a gap can have several. */
  readonly ns: number;
}

/**
 * Splits windows by what a GPU did. Each moment belongs to one part.
 *
 * @param windows in order of time, without overlap
 * @see docs/metrics.md#summary
 */
export function timeInParts(trace: Trace, device: number, windows: readonly TimeWindow[]): TimeInParts {
  const operations = operationsOf(trace, device);
  const sums = new WindowSums(windows);
  const sweep = new Sweep(operations, idleCausesOf(trace), sums);
  sweep.run();
  sums.finish();
  return {ns: sums.ns, hiddenCommunicationNs: sums.hiddenCommunicationNs, longest: sums.longest};
}

interface Operations {
  readonly length: number;
  readonly row: Int32Array;
  readonly slice: Int32Array;
  readonly part: Uint8Array;
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
}

function operationsOf({slices, strings, gpuOperations}: Trace, device: number): Operations {
  const row = Int32Array.from({length: gpuOperations.length}, (_, operation) => operation).filter(
    operation => gpuOperations.device[operation] === device,
  );
  const slice = row.map(operation => gpuOperations.slice[operation]);
  const partOfName = new Int8Array(strings.length).fill(-1);
  const part = Uint8Array.from(slice, one => {
    const kind = slices.kind[one];
    if (kind === kindIndex.gpu_memcpy) return partIndex.memcpy;
    if (kind === kindIndex.gpu_memset) return partIndex.memset;
    if (kind === kindIndex.graph) return partIndex.graph;
    const name = slices.name[one];
    if (partOfName[name] < 0) partOfName[name] = partIndex[partOfKernel(strings.get(name))];
    return partOfName[name];
  });
  const startNs = Float64Array.from(slice, one => slices.startNs[one]);
  const endNs = Float64Array.from(slice, one => slices.startNs[one] + slices.durationNs[one]);
  return {length: row.length, row, slice, part, startNs, endNs};
}

/** Visits starts and ends in order of time, and reports each stretch between two of them. */
class Sweep {
  readonly #running = new Int32Array(timeParts.length);

  constructor(
    private readonly operations: Operations,
    private readonly causes: IdleCauses,
    private readonly sums: WindowSums,
  ) {}

  run(): void {
    const {length, startNs, endNs, part} = this.operations;
    const byEnd = Uint32Array.from({length}, (_, at) => at);
    sortByStart(byEnd, endNs);
    let nowNs = length === 0 ? 0 : startNs[0];
    let [started, ended] = [0, 0];
    while (ended < length) {
      const nextNs = Math.min(started < length ? startNs[started] : Infinity, endNs[byEnd[ended]]);
      if (nextNs > nowNs) this.#pass(nowNs, nextNs, started);
      nowNs = nextNs;
      for (; started < length && startNs[started] === nowNs; started++) this.#running[part[started]]++;
      for (; ended < length && endNs[byEnd[ended]] === nowNs; ended++) this.#running[part[byEnd[ended]]]--;
    }
  }

  /** @param next the operation that starts next */
  #pass(fromNs: number, toNs: number, next: number): void {
    const part = this.#running.findIndex(count => count > 0);
    if (part >= 0) {
      const hidden = part !== partIndex.communication && this.#running[partIndex.communication] > 0;
      this.sums.add(part, fromNs, toNs, hidden);
      return;
    }
    const first = this.#firstToEnd(next);
    const cause = this.causes.causeOf(fromNs, this.operations.row[first]);
    this.sums.addGap(fromNs, toNs, this.operations.slice[first], (from, to, add) => {
      this.causes.split(from, to, cause, add);
    });
  }

  /** Among operations that start together, returns the one that ends first. */
  #firstToEnd(next: number): number {
    const {length, startNs, endNs} = this.operations;
    let first = next;
    for (let at = next + 1; at < length && startNs[at] === startNs[next]; at++) {
      if (endNs[at] < endNs[first]) first = at;
    }
    return first;
  }
}

/** Sums stretches, which come in order of time, by window. */
class WindowSums {
  readonly ns: Float64Array[];
  readonly longest: (Stretch | null)[] = timeParts.map(() => null);
  hiddenCommunicationNs = 0;
  #first = 0;

  constructor(private readonly windows: readonly TimeWindow[]) {
    this.ns = windows.map(() => new Float64Array(timeParts.length));
  }

  add(part: number, fromNs: number, toNs: number, hidesCommunication: boolean): void {
    this.#inWindows(fromNs, toNs, (window, from, to) => {
      this.ns[window][part] += to - from;
      if (hidesCommunication) this.hiddenCommunicationNs += to - from;
    });
  }

  /** @param split splits a piece of the gap into parts */
  addGap(
    fromNs: number,
    toNs: number,
    slice: number,
    split: (fromNs: number, toNs: number, add: (part: number, ns: number) => void) => void,
  ): void {
    this.#inWindows(fromNs, toNs, (window, from, to) => {
      split(from, to, (part, ns) => {
        this.ns[window][part] += ns;
        if (ns > (this.longest[part]?.ns ?? 0)) this.longest[part] = {fromNs: from, toNs: to, slice, ns};
      });
    });
  }

  /** Adds the rest of each window, which is outside the GPU's first and last operation. */
  finish(): void {
    this.windows.forEach(({fromNs, toNs}, at) => {
      const known = this.ns[at].reduce((sum, ns) => sum + ns, 0);
      this.ns[at][partIndex.outside] = Math.max(0, toNs - fromNs - known);
    });
  }

  #inWindows(fromNs: number, toNs: number, act: (window: number, fromNs: number, toNs: number) => void): void {
    const {windows} = this;
    while (this.#first < windows.length && windows[this.#first].toNs <= fromNs) this.#first++;
    for (let at = this.#first; at < windows.length && windows[at].fromNs < toNs; at++) {
      const from = Math.max(fromNs, windows[at].fromNs);
      const to = Math.min(toNs, windows[at].toNs);
      if (to > from) act(at, from, to);
    }
  }
}

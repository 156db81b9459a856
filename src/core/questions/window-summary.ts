import {displayName} from '../names/slice-name.js';
import {insideNs, type Chosen} from '../attribution/chosen.js';
import {kernelClass} from '../names/kernel-class.js';
import {busyNs} from '../trace/intervals.js';
import {sliceKinds, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from '../scope/attribution-of.js';
import {rangeRows, type RangeRow} from '../figures/range-rows.js';
import {choose, type Selection} from '../scope/selection.js';

/** An area of the timeline: a window of time, of one device or stream where it is drawn over no other rows. */
export type WindowSelection = Required<Pick<Selection, 'fromNs' | 'toNs'>> & Pick<Selection, 'device' | 'stream'>;

/** Slices of one name inside a window. */
export interface NameRow {
  readonly name: string;
  readonly kind: SliceKind;
  /** Class of a kernel; '' for others. */
  readonly className: string;
  /** Those that overlap the window, each counted once. */
  readonly count: number;
  /** The parts inside the window, summed. */
  readonly insideNs: number;
}

/** How a GPU spent a window. */
interface DeviceRow {
  readonly device: number;
  readonly name: string | null;
  readonly busyNs: number;
  /** The window less busy. */
  readonly idleNs: number;
}

/** What is inside a window, each list with the most time first. */
export interface WindowSummary {
  readonly fromNs: number;
  readonly toNs: number;
  readonly devices: readonly DeviceRow[];
  /** Kernels, copies, memsets by name. */
  readonly operations: readonly NameRow[];
  readonly ranges: readonly RangeRow[];
  readonly calls: readonly NameRow[];
  /** The parts inside the window of all operations and of all calls, with those that are left out below. */
  readonly allOperationsNs: number;
  readonly allCallsNs: number;
  /** Rows of the lists above that are left out for being too many. */
  readonly omitted: number;
}

/** No one reads more; the tables of reports have all of them. */
const mostRows = 500;

/**
 * Everything inside a window: what lies partly outside counts with the part inside, as in `gpu-lens ranges --from --to`.
 * A device or stream narrows operations and ranges, and leaves API calls out, which run on threads.
 *
 * @see docs/metrics.md#selection
 */
export function windowSummary(trace: Trace, selection: WindowSelection): WindowSummary {
  const {fromNs, toNs, device, stream} = selection;
  const chosen = choose(trace, attributionOf(trace), selection);
  const operations = operationRows(trace, chosen);
  const isOfGpu = device !== undefined || stream !== undefined;
  const ranges = rangeRows(trace, 'name', {selection}).filter(row => row.count + row.ops + row.backwardOps > 0);
  const calls = isOfGpu ? [] : callRows(trace, chosen);
  const omitted = [operations, ranges, calls].reduce((sum, rows) => sum + Math.max(0, rows.length - mostRows), 0);
  return {
    fromNs,
    toNs,
    devices: deviceRows(trace, chosen, device),
    operations: operations.slice(0, mostRows),
    ranges: ranges.slice(0, mostRows),
    calls: calls.slice(0, mostRows),
    allOperationsNs: insideNsOf(operations),
    allCallsNs: insideNsOf(calls),
    omitted,
  };
}

function insideNsOf(rows: readonly NameRow[]): number {
  return rows.reduce((sum, {insideNs}) => sum + insideNs, 0);
}

function operationRows(trace: Trace, chosen: Chosen): NameRow[] {
  const {gpuOperations} = trace;
  const rows = new RowsByName(trace, chosen);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (chosen.operations === null || chosen.operations[operation] === 1) rows.add(gpuOperations.slice[operation]);
  }
  return rows.finish();
}

function callRows(trace: Trace, chosen: Chosen): NameRow[] {
  const rows = new RowsByName(trace, chosen);
  for (const slice of trace.apiCalls.slice) {
    if (chosen.isSliceChosen === null || chosen.isSliceChosen(slice)) rows.add(slice);
  }
  return rows.finish();
}

function deviceRows(trace: Trace, {fromNs, toNs, operations}: Chosen, only: number | undefined): DeviceRow[] {
  const {slices, gpuOperations} = trace;
  return trace.devices.flatMap(({id, name}) => {
    if (only !== undefined && id !== only) return [];
    const rows: number[] = [];
    for (let operation = 0; operation < gpuOperations.length; operation++) {
      const isChosen = operations === null || operations[operation] === 1;
      if (isChosen && gpuOperations.device[operation] === id) rows.push(gpuOperations.slice[operation]);
    }
    const startNs = Float64Array.from(rows, row => slices.startNs[row]);
    const durationNs = Float64Array.from(rows, row => slices.durationNs[row]);
    const busy = busyNs({length: rows.length, startNs, durationNs}, fromNs, toNs);
    return [{device: id, name, busyNs: busy, idleNs: toNs - fromNs - busy}];
  });
}

/** Sums by name and kind. */
class RowsByName {
  readonly #rowOf = new Map<number, number>();
  readonly #slices: number[] = [];
  readonly #counts: number[] = [];
  readonly #insideNs: number[] = [];

  constructor(
    private readonly trace: Trace,
    private readonly chosen: Chosen,
  ) {}

  add(slice: number): void {
    const {name, kind, startNs, durationNs} = this.trace.slices;
    const key = name[slice] * sliceKinds.length + kind[slice];
    let row = this.#rowOf.get(key);
    if (row === undefined) {
      row = this.#slices.push(slice) - 1;
      this.#rowOf.set(key, row);
      this.#counts.push(0);
      this.#insideNs.push(0);
    }
    this.#counts[row]++;
    this.#insideNs[row] += insideNs(startNs[slice], durationNs[slice], this.chosen);
  }

  finish(): NameRow[] {
    const {slices, strings} = this.trace;
    return this.#slices
      .map((slice, row) => {
        const text = strings.get(slices.name[slice]);
        const kind = sliceKinds[slices.kind[slice]];
        const className = kind === 'kernel' ? kernelClass(text) : '';
        return {name: displayName(text), kind, className, count: this.#counts[row], insideNs: this.#insideNs[row]};
      })
      .sort((a, b) => b.insideNs - a.insideNs || b.count - a.count);
  }
}

import {displayName} from '../names/slice-name.js';
import {insideNs, operationsNearChosen, type Chosen} from '../attribution/chosen.js';
import {kernelClass} from '../names/kernel-class.js';
import {sliceKinds, type SliceKind} from '../trace/slices.js';
import {callsNear} from '../trace/start-order.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from '../scope/attribution-of.js';
import {rangeRows, type RangeRow} from '../figures/range-rows.js';
import {choose, overlaps, type Selection} from '../scope/selection.js';

/** An area of the timeline: a window of time, limited to a device or stream if it is drawn only over their rows. */
export type WindowSelection = Required<Pick<Selection, 'fromNs' | 'toNs'>> & Pick<Selection, 'device' | 'stream'>;

/** Slices of one name inside a window. */
export interface NameRow {
  readonly name: string;
  readonly kind: SliceKind;
  /** Class of a kernel; '' for others. */
  readonly className: string;
  /** Slices that overlap the window, each counted once. */
  readonly count: number;
  /** Sum of the parts inside the window. */
  readonly insideNs: number;
}

/** How a GPU spent a window. */
interface DeviceRow {
  readonly device: number;
  readonly name: string | null;
  readonly busyNs: number;
  /** The window minus the busy time. */
  readonly idleNs: number;
}

/** The contents of a window, each list with the most time first. */
export interface WindowSummary {
  readonly fromNs: number;
  readonly toNs: number;
  readonly devices: readonly DeviceRow[];
  /** Kernels, copies, memsets by name. */
  readonly operations: readonly NameRow[];
  readonly ranges: readonly RangeRow[];
  readonly calls: readonly NameRow[];
  /** Sums of the parts inside the window, over all operations and all calls, including those omitted from the lists. */
  readonly allOperationsNs: number;
  readonly allCallsNs: number;
  /** The number of rows omitted from the lists above. */
  readonly omitted: number;
}

/** Nobody reads more; the tables of reports show all. */
const mostRows = 500;

/**
 * Returns everything inside a window. Slices partly outside count with the part inside, as in `gpu-lens ranges --from
 * --to`. A device or stream limits operations and ranges, and excludes API calls, which run on threads.
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
  const {first, end} = operationsNearChosen(chosen, trace);
  for (let operation = first; operation < end; operation++) {
    if (chosen.operations === null || chosen.operations[operation] === 1) rows.add(gpuOperations.slice[operation]);
  }
  return rows.finish();
}

function callRows(trace: Trace, chosen: Chosen): NameRow[] {
  const {fromNs, toNs} = chosen;
  const rows = new RowsByName(trace, chosen);
  const {slice} = trace.apiCalls;
  const {startNs, durationNs} = trace.slices;
  for (const {first, end} of callsNear(trace, fromNs, toNs)) {
    for (let call = first; call < end; call++) {
      if (overlaps(startNs[slice[call]], durationNs[slice[call]], fromNs, toNs)) rows.add(slice[call]);
    }
  }
  return rows.finish();
}

/**
 * Returns a row for each device. Operations come in order of start, so one number per device determines their union.
 */
function deviceRows(trace: Trace, chosen: Chosen, only: number | undefined): DeviceRow[] {
  const {slices, gpuOperations} = trace;
  const {fromNs, toNs, operations} = chosen;
  const {first, end} = operationsNearChosen(chosen, trace);
  const busyNs = new Float64Array(trace.devices.length);
  const coveredToNs = new Float64Array(trace.devices.length).fill(fromNs);
  const indexOf = new Map(trace.devices.map(({id}, index) => [id, index]));
  for (let operation = first; operation < end; operation++) {
    if (operations !== null && operations[operation] === 0) continue;
    const device = indexOf.get(gpuOperations.device[operation]) ?? -1;
    const slice = gpuOperations.slice[operation];
    const startNs = Math.max(slices.startNs[slice], coveredToNs[device]);
    const endNs = Math.min(slices.startNs[slice] + slices.durationNs[slice], toNs);
    if (device < 0 || endNs <= startNs) continue;
    busyNs[device] += endNs - startNs;
    coveredToNs[device] = endNs;
  }
  return trace.devices.flatMap(({id, name}, device) => {
    if (only !== undefined && id !== only) return [];
    return [{device: id, name, busyNs: busyNs[device], idleNs: toNs - fromNs - busyNs[device]}];
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

import {doubled} from '../table/doubled.js';
import {PairIndex} from '../table/pair-index.js';
import {release} from '../table/table.js';
import {groupStatistics} from './group-statistics.js';
import {kernelNameDetails} from './gpu-summaries.js';
import {processIdOf, threadIdOf} from './identity.js';
import {kernelNameOptions} from './kernel-names.js';
import type {Launches} from './launches.js';
import {noRanges, styleColumn} from './nvtx-summaries.js';
import {tooManyOpenRanges, type RangeSet} from './range-set.js';
import type {RangeGroups} from './range-statistics.js';
import type {RangeSites} from './range-work.js';
import type {Cell, ReportDefinition, ReportInput, ReportRows} from './report.js';
import {compareText, numberColumn, spreadCells, spreadColumns, textColumn, timeColumn} from './summary.js';

/** `nvtx_kern_sum`: kernels by the ranges that they were launched in. @see docs/metrics.md#nvtx-kern-sum */
export const rangeKernelSummary: ReportDefinition = {
  id: 'nvtx_kern_sum',
  oldId: 'nvtxkernsum',
  title: 'NVTX Range Kernel Summary',
  isOfRanges: true,
  options: kernelNameOptions.filter(option => option !== 'nvtx-name'),
  details: options => ['ranges', ...kernelNameDetails(options)],
  about: `${noRanges} with CUDA kernel data`,
  columns: [
    textColumn('NVTX Range', 'name of the range; None for kernels that were launched in none'),
    styleColumn,
    numberColumn('PID', 'process that launched the kernels'),
    numberColumn('TID', 'thread that launched the kernels'),
    numberColumn('NVTX Inst', 'number of ranges that hold such a kernel'),
    numberColumn('Kern Inst', 'number of kernels'),
    timeColumn('Total Time', 'durations of the kernels, summed: once for each range of the name that holds one'),
    ...spreadColumns('', 'the duration'),
    textColumn('Kernel Name', 'the kernel, demangled; its base or mangled name where that was asked for'),
  ],
  rows: rangeKernelRows,
};

/** A million kernels inside ten ranges are ten million pairs: more than this are made by files that mean harm. */
const mostPairs = 1 << 26;

/** Pairs of ranges and kernels, and the rows that they make. */
class RangeKernelPairs {
  /** Row → range whose name it has (-1: none), track of the launching thread (-1: no call), kernel name, ranges. */
  readonly range: number[] = [];
  readonly track: number[] = [];
  readonly kernel: number[] = [];
  readonly instances: number[] = [];
  #rowOf = new Int32Array(1 << 16);
  #operation = new Int32Array(1 << 16);
  #length = 0;

  /** A row for kernels of a name that lie in ranges of a name and thread. */
  addRow(range: number, track: number, kernel: number): number {
    this.range.push(range);
    this.track.push(track);
    this.kernel.push(kernel);
    return this.instances.push(0) - 1;
  }

  add(row: number, operation: number): void {
    if (this.#length === this.#rowOf.length) {
      if (this.#length >= mostPairs) throw tooManyOpenRanges();
      this.#grow();
    }
    this.#rowOf[this.#length] = row;
    this.#operation[this.#length++] = operation;
  }

  /** Row → how many kernels it has, each once: ranges of one name lie inside one another, and calls share ids. */
  kernelsOfRows(operations: number): Int32Array {
    const {operation, rowOf} = this;
    const offsets = new Int32Array(this.range.length + 1);
    for (let pair = 0; pair < rowOf.length; pair++) offsets[rowOf[pair] + 1]++;
    for (let row = 0; row < this.range.length; row++) offsets[row + 1] += offsets[row];
    const byRow = new Int32Array(rowOf.length);
    for (let pair = 0; pair < rowOf.length; pair++) byRow[offsets[rowOf[pair]]++] = operation[pair];
    // Each offset has moved to the end of its row.
    const kernels = new Int32Array(this.range.length);
    const lastRow = new Int32Array(operations).fill(-1);
    for (let row = 0, at = 0; row < kernels.length; row++) {
      for (; at < offsets[row]; at++) {
        if (lastRow[byRow[at]] !== row) kernels[row]++;
        lastRow[byRow[at]] = row;
      }
    }
    release(byRow, lastRow);
    return kernels;
  }

  #grow(): void {
    const [rowOf, operation] = [this.#rowOf, this.#operation];
    this.#rowOf = doubled(rowOf);
    this.#operation = doubled(operation);
    release(rowOf, operation);
  }

  /** Gives back what the pairs take; the rows stay. */
  release(): void {
    release(this.#rowOf, this.#operation);
  }

  get rowOf(): Int32Array {
    return this.#rowOf.subarray(0, this.#length);
  }

  get operation(): Int32Array {
    return this.#operation.subarray(0, this.#length);
  }
}

function rangeKernelRows(input: ReportInput): ReportRows {
  const {trace} = input;
  const {names, groupOf: kernelOf} = input.tables.kernels(input.options);
  const {launches, sites, siteRangeGroups} = input.tables;
  const {ranges} = sites;
  const {groups, groupOf} = siteRangeGroups;
  const pairs = new RangeKernelPairs();
  const isInRange = pairRanges(siteRangeGroups, sites, launches, kernelOf, pairs);
  pairOthers(input, sites, launches, kernelOf, names.length, isInRange, pairs);
  const durations = input.tables.operationNs;
  const {operation, rowOf} = pairs;
  const kernels = pairs.kernelsOfRows(kernelOf.length);
  const values = new Float64Array(operation.length);
  for (let i = 0; i < values.length; i++) values[i] = durations[operation[i]];
  const statistics = groupStatistics(values, {groupOf: rowOf, length: pairs.range.length});
  release(values);
  pairs.release();
  const labels = pairs.range.map((range, row) => ({
    name: range < 0 ? null : groups[groupOf[range]].name,
    pid: processIdOf(trace, pairs.track[row]),
    tid: range < 0 ? threadIdOf(trace, pairs.track[row]) : ranges.threadOf(range),
  }));
  const order = labels
    .map((_, row) => row)
    .sort(
      (a, b) =>
        compareCells(labels[a].name, labels[b].name) ||
        compareCells(labels[a].pid, labels[b].pid) ||
        compareCells(labels[a].tid, labels[b].tid) ||
        statistics.total[b] - statistics.total[a] ||
        a - b,
    );
  return {
    length: order.length,
    cells: at => {
      const row = order[at];
      const {name, pid, tid} = labels[row];
      return [
        name,
        pairs.range[row] < 0 ? null : ranges.styleOf(pairs.range[row]),
        pid,
        tid,
        pairs.instances[row],
        kernels[row],
        statistics.total[row],
        ...spreadCells(statistics, row),
        names[pairs.kernel[row]],
      ];
    },
  };
}

/**
 * Pairs kernels with the ranges around their calls: a row for each name, style and thread of ranges and each name of
 * kernels. Returns which sites lie in a range.
 */
function pairRanges(
  byNameAndStyle: RangeGroups,
  sites: RangeSites,
  launches: Launches,
  kernelOf: Int32Array,
  pairs: RangeKernelPairs,
): Uint8Array {
  const {ranges, firstSite, endSite} = sites;
  const isInRange = new Uint8Array(sites.call.length);
  const groupOf = byTrack(byNameAndStyle, ranges);
  const rowOf = new PairIndex();
  /** Row → the last range that it counted. */
  const lastRange: number[] = [];
  for (let range = 0; range < ranges.length; range++) {
    for (let site = firstSite[range]; site < endSite[range]; site++) {
      if (sites.endNs[site] > ranges.endNs(range)) continue;
      isInRange[site] = 1;
      const call = sites.call[site];
      for (let i = launches.offsets[call]; i < launches.offsets[call + 1]; i++) {
        const operation = launches.operations[i];
        const kernel = kernelOf[operation];
        if (kernel < 0) continue;
        let row = rowOf.get(groupOf[range], kernel);
        if (row < 0) {
          row = pairs.addRow(range, ranges.trackOf(range), kernel);
          rowOf.set(groupOf[range], kernel, row);
          lastRange[row] = -1;
        }
        if (lastRange[row] !== range) pairs.instances[row]++;
        lastRange[row] = range;
        pairs.add(row, operation);
      }
    }
  }
  return isInRange;
}

/** The kernels whose call lies in no range, by thread, and those without a call. */
function pairOthers(
  {trace}: ReportInput,
  sites: RangeSites,
  launches: Launches,
  kernelOf: Int32Array,
  kernelNames: number,
  isInRange: Uint8Array,
  pairs: RangeKernelPairs,
): void {
  const {slices, apiCalls} = trace;
  const lastTrack = new Int32Array(kernelNames).fill(-2);
  const lastRow = new Int32Array(kernelNames);
  const add = (operation: number, track: number) => {
    const kernel = kernelOf[operation];
    if (kernel < 0) return;
    if (lastTrack[kernel] !== track) {
      lastTrack[kernel] = track;
      lastRow[kernel] = pairs.addRow(-1, track, kernel);
    }
    pairs.add(lastRow[kernel], operation);
  };
  // Sites are in the order of tracks.
  for (let site = 0; site < sites.call.length; site++) {
    if (isInRange[site] === 1) continue;
    const call = sites.call[site];
    const track = slices.track[apiCalls.slice[call]];
    for (let i = launches.offsets[call]; i < launches.offsets[call + 1]; i++) add(launches.operations[i], track);
  }
  for (let operation = 0; operation < kernelOf.length; operation++) {
    if (launches.callCount[operation] === 0) add(operation, -1);
  }
}

/** Range → the number of its group on its track. */
function byTrack({groups, groupOf}: RangeGroups, ranges: RangeSet): Int32Array {
  const numberOf = new Int32Array(ranges.length);
  const known = new Int32Array(groups.length);
  let numbers = 0;
  let firstOfTrack = 0;
  let ofTrack = -1;
  for (let range = 0; range < ranges.length; range++) {
    // Ranges are in the order of tracks: a number from before this one stands for another track's group.
    if (ranges.trackOf(range) !== ofTrack) firstOfTrack = numbers;
    ofTrack = ranges.trackOf(range);
    const group = groupOf[range];
    if (known[group] <= firstOfTrack) known[group] = ++numbers;
    numberOf[range] = known[group] - 1;
  }
  return numberOf;
}

/** As SQLite orders: null first, numbers before texts. */
function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareText(String(a), String(b));
}

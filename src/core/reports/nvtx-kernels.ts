import {PairIndex} from '../table/pair-index.js';
import {release} from '../table/table.js';
import {statisticsOf, type GroupStatistics} from '../figures/group-statistics.js';
import {kernelNameDetails} from './gpu-summaries.js';
import {processIdOf, threadIdOf} from './identity.js';
import {kernelNameOptions} from '../figures/kernel-names.js';
import type {Launches} from '../figures/launches.js';
import {noRanges, styleColumn} from './nvtx-summaries.js';
import {tooManyOpenRanges, type RangeSet} from '../figures/range-set.js';
import type {RangeGroups} from '../figures/range-statistics.js';
import type {ReportInput} from '../figures/report-input.js';
import type {Cell, ReportDefinition, ReportRows} from './report.js';
import {amount, compareText, numberColumn, spreadCells, spreadColumns, textColumn, timeColumn} from './summary.js';

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
    textColumn('NVTX Range', 'name of the range; None for kernels that were launched in none', {role: 'range'}),
    styleColumn,
    numberColumn('PID', 'process that launched the kernels'),
    numberColumn('TID', 'thread that launched the kernels'),
    numberColumn('NVTX Inst', 'number of ranges that hold such a kernel'),
    numberColumn('Kern Inst', 'number of kernels'),
    timeColumn(
      'Total Time',
      'durations of the kernels, summed: once for each range of the name that holds one',
      amount,
    ),
    ...spreadColumns('', 'the duration'),
    textColumn('Kernel Name', 'the kernel, demangled; its base or mangled name where that was asked for'),
  ],
  rows: rangeKernelRows,
};

/** A million kernels inside ten ranges are ten million pairs: more than this are made by files that mean harm. */
const mostPairs = 1 << 26;

/** The rows of the report: kernels of a name that were launched in ranges of a name on one thread, or in none. */
class RangeKernels {
  /** Row → a range whose name it has (-1: none), track of the launching thread (-1: no call), kernel name. */
  readonly range: number[] = [];
  readonly track: number[] = [];
  readonly kernel: number[] = [];
  /** Row → ranges that hold such a kernel, and pairs of a range and a kernel. */
  readonly instances: number[] = [];
  readonly pairs: number[] = [];
  readonly #lastRange: number[] = [];
  readonly #rowOf: PairIndex;
  #allPairs = 0;
  #operations: Int32Array | null = null;
  #next = new Int32Array(0);

  /** @param holders how many there may be: names of ranges by thread, and threads */
  constructor(holders: number, kernelNames: number) {
    this.#rowOf = new PairIndex(holders, kernelNames);
  }

  /**
   * Takes a kernel that was launched in a range: counts it, and once there is room for all, puts it in its row.
   *
   * @throws TraceError `trace/too-many-open-ranges`
   */
  take(range: number, holder: number, track: number, kernel: number, operation: number): void {
    let row = this.#rowOf.get(holder, kernel);
    if (this.#operations !== null) {
      this.#operations[this.#next[row]++] = operation;
      return;
    }
    if (row < 0) this.#rowOf.set(holder, kernel, (row = this.#addRow(range, track, kernel)));
    if (this.#lastRange[row] !== range) this.instances[row]++;
    this.#lastRange[row] = range;
    this.pairs[row]++;
    if (++this.#allPairs > mostPairs) throw tooManyOpenRanges();
  }

  /** The operations of each row, one row after the other: room for those that were counted, to be taken again. */
  makeRoom(): Int32Array {
    this.#next = new Int32Array(this.pairs.length);
    for (let row = 1; row < this.pairs.length; row++) this.#next[row] = this.#next[row - 1] + this.pairs[row - 1];
    return (this.#operations = new Int32Array(this.#allPairs));
  }

  #addRow(range: number, track: number, kernel: number): number {
    this.track.push(track);
    this.kernel.push(kernel);
    this.instances.push(0);
    this.pairs.push(0);
    this.#lastRange.push(-1);
    return this.range.push(range) - 1;
  }
}

function rangeKernelRows(input: ReportInput): ReportRows {
  const {trace} = input;
  const {names, groupOf: kernelOf} = input.tables.kernels(input.options);
  const {sites, siteRangeGroups, operationNs} = input.tables;
  const {ranges} = sites;
  const {groups, groupOf} = siteRangeGroups;
  const holders = byTrack(siteRangeGroups, ranges);
  const rows = new RangeKernels(holders.length + 1 + trace.tracks.length, names.length);
  // Twice, since there may be many times as many pairs as kernels: they are not kept besides.
  takePairs(input, holders, kernelOf, rows);
  const operations = rows.makeRoom();
  takePairs(input, holders, kernelOf, rows);
  release(holders.of);
  const {statistics, kernels} = figuresOfRows(rows.pairs, operations, operationNs);
  // Functions are kept with all that they name, for as long as the report is shown: of the rows the plain columns alone.
  const {range: rangeOfRow, track: trackOfRow, kernel: kernelOfRow, instances} = rows;
  const labels = rangeOfRow.map((range, row) => ({
    name: range < 0 ? null : groups[groupOf[range]].name,
    pid: processIdOf(trace, trackOfRow[row]),
    tid: range < 0 ? threadIdOf(trace, trackOfRow[row]) : ranges.threadOf(range),
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
        rangeOfRow[row] < 0 ? null : ranges.styleOf(rangeOfRow[row]),
        pid,
        tid,
        instances[row],
        kernels[row],
        statistics.total[row],
        ...spreadCells(statistics, row),
        names[kernelOfRow[row]],
      ];
    },
  };
}

/**
 * The durations of each row's kernels, and how many there are, each once: ranges of one name lie inside one another.
 *
 * @param operations those of each row, one row after the other
 */
function figuresOfRows(
  sizes: readonly number[],
  operations: Int32Array,
  operationNs: Float64Array,
): {statistics: GroupStatistics; kernels: Int32Array} {
  const kernels = new Int32Array(sizes.length);
  const lastRow = new Int32Array(operationNs.length).fill(-1);
  const durationNs = new Float64Array(sizes.reduce((most, size) => Math.max(most, size), 0));
  let first = 0;
  const statistics = statisticsOf(sizes.length, row => {
    for (let i = 0; i < sizes[row]; i++) {
      const operation = operations[first + i];
      durationNs[i] = operationNs[operation];
      if (lastRow[operation] !== row) kernels[row]++;
      lastRow[operation] = row;
    }
    first += sizes[row];
    return durationNs.subarray(0, sizes[row]);
  });
  release(operations, lastRow, durationNs);
  return {statistics, kernels};
}

/** What kernels are laid to, by number: the groups of ranges on each track, then no call, then each track by itself. */
interface Holders {
  /** How many groups of ranges there are. */
  readonly length: number;
  /** Range → holder. */
  readonly of: Int32Array;
}

/** Each kernel with each range around its call; with none, once, where there is none. */
function takePairs(
  {trace, tables: {sites, launches}}: ReportInput,
  holders: Holders,
  kernelOf: Int32Array,
  rows: RangeKernels,
): void {
  const {slices, apiCalls} = trace;
  const {ranges, firstSite, endSite, call, endNs} = sites;
  const isInRange = new Uint8Array(call.length);
  for (let range = 0; range < ranges.length; range++) {
    const track = ranges.trackOf(range);
    const rangeEndNs = ranges.endNs(range);
    for (let site = firstSite[range]; site < endSite[range]; site++) {
      if (endNs[site] > rangeEndNs) continue;
      isInRange[site] = 1;
      takeKernels(launches, call[site], kernelOf, rows, range, holders.of[range], track);
    }
  }
  for (let site = 0; site < call.length; site++) {
    if (isInRange[site] === 1) continue;
    const track = slices.track[apiCalls.slice[call[site]]];
    takeKernels(launches, call[site], kernelOf, rows, -1, holders.length + 1 + track, track);
  }
  for (let operation = 0; operation < kernelOf.length; operation++) {
    const isLaunched = launches.callCount[operation] > 0;
    if (!isLaunched && kernelOf[operation] >= 0) rows.take(-1, holders.length, -1, kernelOf[operation], operation);
  }
}

function takeKernels(
  {offsets, operations}: Launches,
  call: number,
  kernelOf: Int32Array,
  rows: RangeKernels,
  range: number,
  holder: number,
  track: number,
): void {
  for (let i = offsets[call]; i < offsets[call + 1]; i++) {
    const kernel = kernelOf[operations[i]];
    if (kernel >= 0) rows.take(range, holder, track, kernel, operations[i]);
  }
}

/** Ranges by group and track. */
function byTrack({groups, groupOf}: RangeGroups, ranges: RangeSet): Holders {
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
  return {length: numbers, of: numberOf};
}

/** As SQLite orders: null first, numbers before texts. */
function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareText(String(a), String(b));
}

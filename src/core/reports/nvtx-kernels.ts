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

/** `nvtx_kern_sum`: kernels by the ranges in which they were launched. @see docs/metrics.md#nvtx-kern-sum */
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

/** A million kernels inside ten ranges make ten million pairs. Only malicious files have more pairs than this. */
const mostPairs = 1 << 26;

/** The rows of the report: kernels of one name launched in ranges of one name on one thread, or in no range. */
class RangeKernels {
  /**
   * For each row: a range with its name (-1: none), the track of the launching thread (-1: no call), the kernel's name.
   */
  readonly range: number[] = [];
  readonly track: number[] = [];
  readonly kernel: number[] = [];
  /** For each row: the ranges that contain such a kernel, and the pairs of a range and a kernel. */
  readonly instances: number[] = [];
  readonly pairs: number[] = [];
  readonly #lastRange: number[] = [];
  readonly #rowOf: PairIndex;
  #allPairs = 0;
  #operations: Int32Array | null = null;
  #next = new Int32Array(0);

  /** @param holders the number of possible holders: names of ranges by thread, and threads */
  constructor(holders: number, kernelNames: number) {
    this.#rowOf = new PairIndex(holders, kernelNames);
  }

  /**
   * Takes a kernel that was launched in a range. Before `makeRoom`, counts it; afterwards, stores it in its row.
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

  /** Allocates space for the counted operations, row after row. The caller then takes all kernels again to fill it. */
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
  // Two passes, because storing the pairs would need too much memory: there may be many times as many pairs as kernels.
  takePairs(input, holders, kernelOf, rows);
  const operations = rows.makeRoom();
  takePairs(input, holders, kernelOf, rows);
  release(holders.of);
  const {statistics, kernels} = figuresOfRows(rows.pairs, operations, operationNs);
  // Closures keep what they capture as long as the report is shown, so they capture only the plain columns of the rows.
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
 * Returns the durations of each row's kernels, and the number of distinct kernels: a kernel may occur several times,
 * because ranges of one name can nest.
 *
 * @param operations the operations of each row, row after row
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

/**
 * The groups that kernels are assigned to, by number: the groups of ranges on each track, then "no call", then each
 * track.
 */
interface Holders {
  /** The number of groups of ranges. */
  readonly length: number;
  /** Range → number of its group. */
  readonly of: Int32Array;
}

/** Takes each kernel with each range around its call; a kernel in no range is taken once, without one. */
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

/** Groups ranges by group and track. */
function byTrack({groups, groupOf}: RangeGroups, ranges: RangeSet): Holders {
  const numberOf = new Int32Array(ranges.length);
  const known = new Int32Array(groups.length);
  let numbers = 0;
  let firstOfTrack = 0;
  let ofTrack = -1;
  for (let range = 0; range < ranges.length; range++) {
    // Ranges are ordered by track: a smaller number belongs to another track's group.
    if (ranges.trackOf(range) !== ofTrack) firstOfTrack = numbers;
    ofTrack = ranges.trackOf(range);
    const group = groupOf[range];
    if (known[group] <= firstOfTrack) known[group] = ++numbers;
    numberOf[range] = known[group] - 1;
  }
  return {length: numbers, of: numberOf};
}

/** Compares as SQLite does: null first, numbers before texts. */
function compareCells(a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareText(String(a), String(b));
}

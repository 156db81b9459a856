import {insideNs} from '../attribution/chosen.js';
import {kindMask, type SliceKind} from '../trace/slices.js';
import {rowMask} from '../table/row-mask.js';
import type {Trace} from '../trace/trace.js';
import {foldRecursion, nestSlices, type CpuTree} from '../figures/cpu-tree.js';
import {TextGroups} from '../figures/group-index.js';
import {operatorFinder} from '../figures/operator-of-operation.js';
import {bytesOfNodes, memoryChanges, unclaimed, type MemoryChanges} from './key-averages-memory.js';
import type {ReportTables} from '../figures/report-tables.js';
import type {ReportInput} from '../figures/report-input.js';
import type {ReportScope} from '../scope/report-scope.js';
import type {KeyAverageGrouping} from './key-averages-grouping.js';
import {pythonStacks} from '../figures/python-stacks.js';

/**
 * A row of PyTorch's `key_averages()`: all events of a name, with separate rows for CPU and GPU. Times are ns, summed.
 *
 * `isDevice` rows are GPU work, or an annotation projected onto the GPU (then `isAnnotation` is set).
 */
export interface KeyAverage {
  readonly name: string;
  readonly isDevice: boolean;
  readonly isAnnotation: boolean;
  /** Sizes of the inputs as PyTorch writes them, empty unless rows are grouped by them. */
  readonly inputShapes: string;
  /** Python frames around the events, the innermost first, empty unless rows are grouped by them. */
  readonly frames: readonly string[];
  count: number;
  cpuTotalNs: number;
  selfCpuNs: number;
  deviceTotalNs: number;
  selfDeviceNs: number;
  /**
   * Bytes allocated less bytes freed by any thread while its events ran; the self figures exclude their direct
   * children.
   */
  cpuBytes: number;
  selfCpuBytes: number;
  deviceBytes: number;
  selfDeviceBytes: number;
  /** The first event's start and end, by which rows are ordered. */
  firstStartNs: number;
  firstEndNs: number;
}

const opKinds: readonly SliceKind[] = ['cpu_op', 'user_annotation'];
const isOp = kindMask(new Set(opKinds));
const isOpOrFrame = kindMask(new Set<SliceKind>([...opKinds, 'module', 'python_function']));
const isLinking = kindMask(new Set<SliceKind>(['cpu_op', 'user_annotation']));
const isCall = kindMask(new Set<SliceKind>(['cuda_runtime', 'cuda_driver']));
const isOverhead = kindMask(new Set<SliceKind>(['overhead']));
const isDeviceEvent = kindMask(
  new Set<SliceKind>(['kernel', 'gpu_memcpy', 'gpu_memset', 'graph', 'gpu_user_annotation']),
);
const isAnnotationEvent = kindMask(new Set<SliceKind>(['user_annotation', 'gpu_user_annotation']));

/** Events that PyTorch excludes by name. */
const leftOut: ReadonlySet<string> = new Set([
  '[memory]',
  '[OutOfMemory]',
  'profiler::_record_function_enter',
  'profiler::_record_function_enter_new',
  'profiler::_record_function_exit',
  'aten::is_leaf',
  'aten::output_nr',
  'aten::_version',
]);

/**
 * Returns PyTorch's `key_averages()` of a Kineto trace: rows in the order in which their names first occur.
 *
 * @param grouping what besides the name distinguishes rows, and whether Python frames have rows
 * @see docs/metrics.md#key-averages
 */
export function keyAverages(
  {trace, scope, tables, details}: ReportInput,
  grouping: KeyAverageGrouping = {hasInputShapes: false, frames: 0, hasPython: false},
): KeyAverage[] {
  const shapes = grouping.hasInputShapes ? (details.inputShapes ?? new Map<number, string>()) : null;
  const stacks = grouping.frames > 0 ? pythonStacks(trace, grouping.frames) : null;
  const rows = new KeyAverageRows(trace, slice => ({
    inputShapes: shapes === null ? '' : (shapes.get(slice) ?? noShapes),
    frames: stacks?.(slice) ?? [],
  }));
  const tree = buildTree(trace, scope, rows, grouping.hasPython ? isOpOrFrame : isOp);
  const deviceNs = deviceTimeOfNodes(trace, scope, tree, tables);
  const memory = memoryChanges(trace, scope);
  addCpuEvents(trace, tree, deviceNs, memory, rows);
  addMemoryEvents(memory, tree, rows);
  addDeviceEvents(trace, scope, rows);
  return rows.inOrder();
}

/** PyTorch's text for an event without inputs. */
const noShapes = '[]';

/** The slice of an event that has none, such as a memory event. */
const noSlice = -1;

/** What distinguishes rows of one name. */
type Apart = Pick<KeyAverage, 'inputShapes' | 'frames'>;

class KeyAverageRows {
  readonly #names = new TextGroups();
  readonly #nameOf: (name: number) => number;
  readonly #rows = new Map<number, KeyAverage>();
  readonly #keys = new TextGroups();
  readonly #isLeftOut: Uint8Array;

  /** @param apartOf slice → what distinguishes it from others of its name */
  constructor(
    {strings}: Trace,
    private readonly apartOf: (slice: number) => Apart,
  ) {
    this.#nameOf = this.#names.byNumber(strings.length, name => foldedStep(strings.get(name)));
    this.#isLeftOut = new Uint8Array(strings.length);
    for (const name of leftOut) {
      const index = strings.find(name);
      if (index >= 0) this.#isLeftOut[index] = 1;
    }
  }

  isLeftOut(name: number): boolean {
    return this.#isLeftOut[name] === 1;
  }

  /** Returns the number of a name; all profiler steps share one. */
  nameNumber(name: number): number {
    return this.#nameOf(name);
  }

  /** Returns the row of an event, and counts the event. @param slice its row of `slices`, -1 if it has none */
  row(
    slice: number,
    {name, isDevice, isAnnotation}: {name: number; isDevice: boolean; isAnnotation: boolean},
    startNs: number,
    endNs: number,
  ): KeyAverage {
    const number = this.#nameOf(name);
    const apart = this.apartOf(slice);
    const group =
      apart.inputShapes === '' && apart.frames.length === 0
        ? 0
        : 1 + this.#keys.index(JSON.stringify([apart.inputShapes, apart.frames]));
    const key = 4 * (group * this.#isLeftOut.length + number) + (isDevice ? 2 : 0) + (isAnnotation ? 1 : 0);
    let row = this.#rows.get(key);
    if (!row) {
      row = {
        name: this.#names.texts[number],
        isDevice,
        isAnnotation,
        ...apart,
        count: 0,
        cpuTotalNs: 0,
        selfCpuNs: 0,
        deviceTotalNs: 0,
        selfDeviceNs: 0,
        cpuBytes: 0,
        selfCpuBytes: 0,
        deviceBytes: 0,
        selfDeviceBytes: 0,
        firstStartNs: startNs,
        firstEndNs: endNs,
      };
      this.#rows.set(key, row);
    }
    if (startNs < row.firstStartNs || (startNs === row.firstStartNs && endNs > row.firstEndNs)) {
      row.firstStartNs = startNs;
      row.firstEndNs = endNs;
    }
    row.count++;
    return row;
  }

  inOrder(): KeyAverage[] {
    return [...this.#rows.values()].sort((a, b) => a.firstStartNs - b.firstStartNs || b.firstEndNs - a.firstEndNs);
  }
}

/**
 * Builds one tree per thread, with slices of the nested kinds and the API calls inside operators. Other API calls and
 * the profiler's own overhead share one more tree: PyTorch assigns them no thread.
 */
function buildTree(trace: Trace, scope: ReportScope, rows: KeyAverageRows, isNested: Uint8Array): CpuTree {
  const {slices, tracks} = trace;
  const {kind, name, startNs, durationNs} = slices;
  const lists: Int32Array[] = [];
  const apart: number[] = [];
  for (const {firstSlice, endSlice} of tracks) {
    const list: number[] = [];
    // The latest end of the operators and annotations so far: a call that ends by then is inside one of them.
    let coveredToNs = -Infinity;
    for (let row = firstSlice; row < endSlice; row++) {
      if (rows.isLeftOut(name[row]) || scope.slices?.[row] === 0) continue;
      const endNs = startNs[row] + durationNs[row];
      if (isNested[kind[row]] === 1) {
        list.push(row);
        if (isLinking[kind[row]] === 1 && endNs > coveredToNs) coveredToNs = endNs;
      } else if (isCall[kind[row]] === 1) (endNs <= coveredToNs ? list : apart).push(row);
      else if (isOverhead[kind[row]] === 1) apart.push(row);
    }
    lists.push(Int32Array.from(list));
  }
  const together = Int32Array.from(apart);
  together.sort((a, b) => startNs[a] - startNs[b] || durationNs[b] - durationNs[a] || a - b);
  return nestInside([...lists, together], trace, scope);
}

/** Nests slices, clipped to the scope's window. */
function nestInside(lists: readonly Int32Array[], {slices}: Trace, scope: ReportScope): CpuTree {
  const {startNs, durationNs} = slices;
  if (scope.fromNs === -Infinity && scope.toNs === Infinity) return nestSlices(lists, startNs, durationNs);
  return nestSlices(
    lists,
    startNs.map(atNs => Math.max(atNs, scope.fromNs)),
    startNs.map((atNs, row) => insideNs(atNs, durationNs[row], scope)),
  );
}

function addCpuEvents(
  trace: Trace,
  tree: CpuTree,
  selfDeviceNs: Float64Array,
  memory: MemoryChanges,
  rows: KeyAverageRows,
): void {
  const {slices} = trace;
  const {length, slice, startNs, endNs, parent} = tree;
  const standIn = foldRecursion(
    tree,
    slice.map(row => rows.nameNumber(slices.name[row])),
  );
  const selfNs = selfTimeOfNodes(tree, standIn);
  const {cpuBytes, deviceBytes} = bytesOfNodes(memory, tree);
  const [childCpuBytes, childDeviceBytes] = [new Float64Array(length), new Float64Array(length)];
  const deviceNs = new Float64Array(length);
  // A node that stands in for another takes over the other's kernels in place of its own.
  for (let node = 0; node < length; node++) {
    if (standIn[node] !== node) selfDeviceNs[standIn[node]] = selfDeviceNs[node];
  }
  for (let node = length - 1; node >= 0; node--) {
    if (standIn[node] !== node) continue;
    deviceNs[node] += selfDeviceNs[node];
    if (parent[node] < 0) continue;
    const around = standIn[parent[node]];
    childCpuBytes[around] += cpuBytes[node];
    childDeviceBytes[around] += deviceBytes[node];
    deviceNs[around] += deviceNs[node];
  }
  for (let node = 0; node < length; node++) {
    if (standIn[node] !== node) continue;
    const isAnnotation = isAnnotationEvent[slices.kind[slice[node]]] === 1;
    const event = {name: slices.name[slice[node]], isDevice: false, isAnnotation};
    const row = rows.row(slice[node], event, startNs[node], endNs[node]);
    row.cpuTotalNs += endNs[node] - startNs[node];
    row.selfCpuNs += selfNs[node];
    row.deviceTotalNs += deviceNs[node];
    row.selfDeviceNs += selfDeviceNs[node];
    row.cpuBytes += cpuBytes[node];
    row.selfCpuBytes += cpuBytes[node] - childCpuBytes[node];
    row.deviceBytes += deviceBytes[node];
    row.selfDeviceBytes += deviceBytes[node] - childDeviceBytes[node];
  }
}

/**
 * Returns, for each node, the part of its time in which none of its direct children ran, ns.
 *
 * Overlapping events have the same parent. PyTorch subtracts their time twice, which can give negative times; here it
 * is subtracted once.
 */
function selfTimeOfNodes({length, startNs, endNs, parent}: CpuTree, standIn: Int32Array): Float64Array {
  const selfNs = endNs.map((atNs, node) => atNs - startNs[node]);
  // The end of the time that a node's children cover so far. Children come in order of start.
  const coveredToNs = startNs.slice();
  for (let node = 0; node < length; node++) {
    if (standIn[node] !== node || parent[node] < 0) continue;
    const around = standIn[parent[node]];
    selfNs[around] -= Math.max(0, endNs[node] - Math.max(startNs[node], coveredToNs[around]));
    coveredToNs[around] = Math.max(coveredToNs[around], endNs[node]);
  }
  return selfNs;
}

/** Returns, for each node, the summed durations of the operations that it launched itself. */
function deviceTimeOfNodes(
  trace: Trace,
  scope: ReportScope,
  {length, slice}: CpuTree,
  tables: ReportTables,
): Float64Array {
  const {slices, gpuOperations} = trace;
  const timeNs = new Float64Array(length);
  if (gpuOperations.length === 0) return timeNs;
  const nodeOfSlice = new Int32Array(slices.length).fill(-1);
  for (let node = 0; node < length; node++) nodeOfSlice[slice[node]] = node;
  const operatorOf = operatorFinder(trace, tables.launchSites, tables.operatorStacks);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (scope.operations !== null && scope.operations[operation] === 0) continue;
    const operator = operatorOf(operation);
    if (operator < 0 || nodeOfSlice[operator] < 0) continue;
    const slice = gpuOperations.slice[operation];
    timeNs[nodeOfSlice[operator]] += insideNs(slices.startNs[slice], slices.durationNs[slice], scope);
  }
  return timeNs;
}

/** Adds rows for memory events while nothing ran, and for failed allocations. */
function addMemoryEvents(memory: MemoryChanges, tree: CpuTree, rows: KeyAverageRows): void {
  for (const {name, atNs, cpuBytes, deviceBytes} of unclaimed(memory, tree)) {
    const row = rows.row(noSlice, {name, isDevice: false, isAnnotation: false}, atNs, atNs);
    row.cpuBytes += cpuBytes;
    row.selfCpuBytes += cpuBytes;
    row.deviceBytes += deviceBytes;
    row.selfDeviceBytes += deviceBytes;
  }
}

function addDeviceEvents({slices, tracks, gpuOperations}: Trace, scope: ReportScope, rows: KeyAverageRows): void {
  // GPU work is in scope as an operation, whichever thread launched it. Annotations are in scope as slices of their
  // device.
  const isOnDevice = (row: number) => scope.device === null || tracks[slices.track[row]].device === scope.device;
  const isIn = rowMask(
    slices.length,
    row => scope.slices?.[row] !== 0 && (isDeviceEvent[slices.kind[row]] === 0 || isOnDevice(row)),
  );
  gpuOperations.slice.forEach((row, operation) => {
    isIn[row] = scope.operations?.[operation] ?? 1;
  });
  for (let row = 0; row < slices.length; row++) {
    if (isDeviceEvent[slices.kind[row]] === 0 || isIn[row] === 0) continue;
    const durationNs = insideNs(slices.startNs[row], slices.durationNs[row], scope);
    const isAnnotation = isAnnotationEvent[slices.kind[row]] === 1;
    const average = rows.row(
      row,
      {name: slices.name[row], isDevice: true, isAnnotation},
      slices.startNs[row],
      slices.startNs[row] + slices.durationNs[row],
    );
    average.deviceTotalNs += durationNs;
    average.selfDeviceNs += durationNs;
  }
}

/** PyTorch's name for all steps of its profiler together. */
export const foldedSteps = 'ProfilerStep*';

/** Returns one name for all steps of the profiler, as PyTorch does. */
function foldedStep(name: string): string {
  return name.replace(/^ProfilerStep#\d+$/, foldedSteps);
}

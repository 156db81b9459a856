import {
  absentRows,
  gridSchema,
  operationDetailsSchema,
  type CallDetails,
  type CollectiveArguments,
  type DetailKind,
  type GridTable,
  type LaunchedKernels,
  type OperationDetailsTable,
  type ReportDetails,
} from '../../core/figures/report-details.js';
import {costFormula} from '../../core/roofline/operator-cost.js';
import {isAllToAllRequest} from '../../core/figures/cpu-requests.js';
import type {OperatorInputs} from '../../core/figures/operator-inputs.js';
import {communicationOperator, isCommunicationKernel, isCpuCollective} from '../../core/names/kernel-class.js';
import {StringTable} from '../../core/table/string-table.js';
import {instantKindIndex} from '../../core/trace/instants.js';
import {namesThat} from '../../core/trace/names-that.js';
import {kindIndex, kindMask, type SliceKind} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import type {FileHead, ImportOptions} from '../reading/importer.js';
import {naturalOrAbsent} from '../reading/natural-number.js';
import {collectiveArguments} from './collective-arguments.js';
import {inputShapesText, operatorInputs} from './operator-shapes.js';
import {readArguments, type Arguments, type WantedArguments} from './read-arguments.js';

/**
 * Reads the additional data that reports need from a trace: the file is streamed once, and only relevant events are
 * parsed.
 */
export async function readKinetoReportDetails(
  file: FileHead,
  trace: Trace,
  wanted: ReadonlySet<DetailKind>,
  options: ImportOptions,
): Promise<ReportDetails> {
  const {length} = trace.gpuOperations;
  const ifWanted = <T>(kind: DetailKind, make: () => T): T | null => (wanted.has(kind) ? make() : null);
  const grids = ifWanted('grids', () => absentRows(gridSchema, length));
  const operations = ifWanted('operations', () => absentRows(operationDetailsSchema, length));
  const collectives = ifWanted('collectives', () => new Map<number, CollectiveArguments>());
  const addresses = ifWanted('addresses', () => new Float64Array(trace.instants.length).fill(NaN));
  const shapes = ifWanted('shapes', () => new ShapeRows(trace, name => costFormula(name) !== null));
  const allShapes = ifWanted('allShapes', () => new ShapeRows(trace, () => true));
  const inputShapes = ifWanted('inputShapes', () => new Map<number, string>());
  const launchedKernels = ifWanted('launchedKernels', () => ({
    name: new Int32Array(trace.apiCalls.length).fill(-1),
    strings: new StringTable(),
    grids: absentRows(gridSchema, trace.apiCalls.length),
  }));
  const graphNodes = ifWanted('graphNodes', () => new Float64Array(length).fill(-1));
  const parts = [
    wantedKernels(trace, grids, operations, graphNodes),
    collectives && wantedCollectives(trace, collectives),
    addresses && wantedAddresses(trace, addresses),
    shapes,
    allShapes,
    inputShapes && wantedInputShapes(trace, inputShapes),
    launchedKernels && wantedLaunches(trace, launchedKernels),
  ];
  await readArguments(
    file,
    parts.filter(part => part !== null),
    options,
  );
  return {
    grids,
    operations: operations && {table: operations, strings: new StringTable()},
    calls: wanted.has('calls') ? namedThreads(trace) : null,
    ranges: null,
    collectives,
    addresses,
    ...foundShapes(shapes, allShapes),
    inputShapes,
    launchedKernels,
    graphNodes,
  };
}

function wantedKernels(
  {slices, gpuOperations}: Trace,
  grids: GridTable | null,
  operations: OperationDetailsTable | null,
  graphNodes: Float64Array | null,
): WantedArguments | null {
  if (!grids && !operations && !graphNodes) return null;
  return {
    rows: Int32Array.from(gpuOperations.slice.keys()).filter(
      operation => graphNodes !== null || slices.kind[gpuOperations.slice[operation] ?? 0] === kindIndex.kernel,
    ),
    sourceOf: operation => slices.source[gpuOperations.slice[operation] ?? 0] ?? 0,
    take: (operation, args) => {
      if (grids) takeGrid(grids, operation, args);
      if (operations) takeLaunch(operations, operation, args);
      if (graphNodes) graphNodes[operation] = wholeNumber(args['graph node id']);
    },
  };
}

/** HIP calls that launch a kernel contain its name and grid. */
function wantedLaunches({slices, apiCalls}: Trace, {name, strings, grids}: LaunchedKernels): WantedArguments {
  return {
    rows: Int32Array.from(apiCalls.slice.keys()),
    sourceOf: call => slices.source[apiCalls.slice[call] ?? 0] ?? 0,
    take: (call, args) => {
      const kernel = args['kernel'];
      if (typeof kernel !== 'string') return;
      name[call] = strings.intern(kernel);
      takeGrid(grids, call, args);
    },
  };
}

/** Kernels of communication libraries, the operators that PyTorch wraps around their calls, and calls on the CPU. */
function wantedCollectives(trace: Trace, found: Map<number, CollectiveArguments>): WantedArguments {
  const {slices, strings} = trace;
  const isCommunication = namesThat(trace, isCommunicationKernel);
  const isOnCpu = namesThat(trace, isCpuCollective);
  const isRequest = namesThat(trace, isAllToAllRequest);
  const operator = strings.find(communicationOperator);
  const rows: number[] = [];
  for (let row = 0; row < slices.length; row++) {
    const kind = slices.kind[row];
    const isKernel = kind === kindIndex.kernel && isCommunication(row);
    const isAnnotation = kind === kindIndex.user_annotation && isOnCpu(row);
    const isOperator = kind === kindIndex.cpu_op && (slices.name[row] === operator || isRequest(row));
    if (isKernel || isAnnotation || isOperator) rows.push(row);
  }
  return {
    rows: Int32Array.from(rows),
    sourceOf: row => slices.source[row] ?? 0,
    take: (row, args) => {
      const known = collectiveArguments(args);
      if (known) found.set(row, known);
    },
  };
}

/**
 * Operators with a wanted name; of other names, the first operator, which shows whether the profiler recorded shapes.
 */
class ShapeRows implements WantedArguments {
  readonly found = new Map<number, OperatorInputs>();
  readonly rows: Int32Array;
  hasAny = false;
  readonly #isKept: Uint8Array;

  constructor(
    private readonly trace: Trace,
    isWanted: (name: string) => boolean,
  ) {
    const {slices, strings} = trace;
    const isKept = Uint8Array.from({length: strings.length}, (_, name) => (isWanted(strings.get(name)) ? 1 : 0));
    const isSeen = new Uint8Array(strings.length);
    const rows: number[] = [];
    for (let row = 0; row < slices.length; row++) {
      const name = slices.name[row] ?? -1;
      if (slices.kind[row] !== kindIndex.cpu_op || (isKept[name] !== 1 && isSeen[name] === 1)) continue;
      isSeen[name] = 1;
      rows.push(row);
    }
    this.rows = Int32Array.from(rows);
    this.#isKept = isKept;
  }

  sourceOf = (row: number) => this.trace.slices.source[row] ?? 0;

  take = (row: number, args: Arguments) => {
    const inputs = operatorInputs(args);
    if (!inputs) return;
    this.hasAny = true;
    if (this.#isKept[this.trace.slices.name[row] ?? -1] === 1) this.found.set(row, inputs);
  };
}

function foundShapes(
  shapes: ShapeRows | null,
  all: ShapeRows | null,
): Pick<ReportDetails, 'shapes' | 'hasShapes' | 'allShapes'> {
  return {shapes: shapes?.found ?? null, hasShapes: shapes?.hasAny ?? false, allShapes: all?.found ?? null};
}

/** All operators, and annotations, because those of compiled code have inputs too. */
function wantedInputShapes({slices}: Trace, found: Map<number, string>): WantedArguments {
  const isWanted = kindMask(new Set<SliceKind>(['cpu_op', 'user_annotation']));
  return {
    rows: Int32Array.from(slices.kind.keys()).filter(row => isWanted[slices.kind[row] ?? 0] === 1),
    sourceOf: row => slices.source[row] ?? 0,
    take: (row, args) => {
      const text = inputShapesText(args);
      if (text !== null) found.set(row, text);
    },
  };
}

function wantedAddresses({instants}: Trace, addresses: Float64Array): WantedArguments {
  return {
    rows: Int32Array.from(instants.kind.keys()).filter(row => instants.kind[row] === instantKindIndex.memory),
    sourceOf: row => instants.source[row] ?? 0,
    take: (row, args) => {
      const address = args['Addr'];
      if (typeof address === 'number') addresses[row] = address;
    },
  };
}

function takeGrid(grids: GridTable, operation: number, args: Arguments): void {
  const [gridX, gridY, gridZ] = three(args['grid']);
  const [blockX, blockY, blockZ] = three(args['block']);
  grids.gridX[operation] = gridX;
  grids.gridY[operation] = gridY;
  grids.gridZ[operation] = gridZ;
  grids.blockX[operation] = blockX;
  grids.blockY[operation] = blockY;
  grids.blockZ[operation] = blockZ;
}

function takeLaunch(operations: OperationDetailsTable, operation: number, args: Arguments): void {
  operations.registers[operation] = naturalOrAbsent(args['registers per thread']);
  // Kineto's number is the sum of what the kernel declares and what the launch requests.
  operations.dynamicSharedBytes[operation] = wholeNumber(args['shared memory']);
  operations.context[operation] = wholeNumber(args['context']);
}

function three(value: unknown): [number, number, number] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return [naturalOrAbsent(list[0]), naturalOrAbsent(list[1]), naturalOrAbsent(list[2])];
}

function wholeNumber(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : -1;
}

/** Threads have the names of their tracks, if the trace names them. */
function namedThreads({tracks, apiCalls}: Trace): CallDetails {
  const threads = new Map<number, {name: string | null; priority: null}>();
  tracks.forEach(({kind, name}, track) => {
    if (kind === 'thread' && !/^thread \d+( \(main\))?$/.test(name)) threads.set(track, {name, priority: null});
  });
  return {returnValue: new Float64Array(apiCalls.length).fill(NaN), threads};
}

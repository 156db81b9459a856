import type {OperatorShapes} from './operator-inputs.js';
import type {StringTable} from '../table/string-table.js';
import {allocateColumns, type Schema, type Table} from '../table/table.js';

/** What reports need that a trace does not keep: it is read again from the file when such a report is asked for. */
export const detailKinds = [
  ...(['grids', 'operations', 'calls', 'ranges', 'collectives', 'addresses', 'shapes'] as const),
  'allShapes',
  'inputShapes',
  'memories',
  'unifiedMemory',
  'vulkanCalls',
  'launchedKernels',
  'graphNodes',
] as const;
export type DetailKind = (typeof detailKinds)[number];

/**
 * One row per GPU operation, as in `gpuOperations`, or per distinct grid: blocks of a kernel's grid, and threads of its
 * blocks. -1 is absent.
 *
 *     row  gridX  gridY  gridZ  blockX  blockY  blockZ
 *      0     20     32      1     128       1       1
 *      1     -1     -1     -1      -1      -1      -1    a copy
 */
export const gridSchema = {
  gridX: 'i32',
  gridY: 'i32',
  gridZ: 'i32',
  blockX: 'i32',
  blockY: 'i32',
  blockZ: 'i32',
} as const;

/**
 * One row per GPU operation: what else a kernel was launched with, and between which memories a copy ran.
 *
 *     row  registers  context  baseName  mangledName  sourceMemory  targetMemory  …
 *      0        122        1    "gemm"            -1            -1            -1
 *      1         -1        1        -1            -1    "Pageable"      "Device"
 *
 * Names are indices into the details' own strings. -1 is absent everywhere.
 */
export const operationDetailsSchema = {
  registers: 'i32',
  staticSharedBytes: 'f64',
  dynamicSharedBytes: 'f64',
  context: 'f64',
  baseName: 'i32',
  mangledName: 'i32',
  sourceMemory: 'i32',
  targetMemory: 'i32',
} as const;

export type GridTable = Table<typeof gridSchema>;
export type OperationDetailsTable = Table<typeof operationDetailsSchema>;

/** A table in which everything is absent. */
export function absentRows<S extends Schema>(schema: S, length: number): Table<S> {
  const columns = allocateColumns(schema, length);
  for (const name of Object.keys(schema)) columns[name].fill(-1);
  return {...columns, length} as Table<S>;
}

export interface OperationDetails {
  readonly table: OperationDetailsTable;
  readonly strings: StringTable;
}

/** What API calls returned (row of `apiCalls` → number, NaN where unknown), and the threads that made them. */
export interface CallDetails {
  readonly returnValue: Float64Array;
  /** By track. */
  readonly threads: ReadonlyMap<number, {readonly name: string | null; readonly priority: number | null}>;
}

/** NVTX ranges that are more than a row of `slices` tells; each list is as long as `slice`, which ascends. */
export interface RangeDetails {
  readonly slice: Int32Array;
  /** The track of the thread that began a start/end range, -1 where it has no track. */
  readonly track: Int32Array;
  /** The thread that began it. */
  readonly thread: Float64Array;
  /** 1 where another thread ended it. */
  readonly isCrossThread: Uint8Array;
  /** 1 where the range never ended. */
  readonly isOpen: Uint8Array;
  /** The last time in the table of NVTX events, ns from the trace's origin: nsys ends open ranges there. NaN if it cannot be read. */
  readonly lastNs: number;
}

/** What a profile says of a call of a collective operation; null and NaN where it does not say. */
export interface CollectiveArguments {
  /** As the profile spells it: `allreduce`, `_allgather_base`. */
  readonly operation: string | null;
  /** The process group's name or number, and what it is for. */
  readonly group: string | null;
  readonly groupDescription: string | null;
  /** Ranks of the group. */
  readonly groupSize: number;
  /** Elements that each rank puts in and gets out. */
  readonly inElements: number;
  readonly outElements: number;
  readonly dataType: string | null;
  /** The number of the call in its group, equal on all ranks. */
  readonly sequence: number;
  /** Ranks of the group, and what goes to each of them in an all-to-all of uneven parts, as the profile lists them. */
  readonly groupRanks: string | null;
  readonly splits: string | null;
  /** The rank that is sent to. */
  readonly peer: number;
  /** What is said of a call of MPI alone. */
  readonly mpi?: MpiArguments | null;
}

/** What a report of nsys says of a call of MPI. */
export interface MpiArguments {
  /** What the rank sends, NaN where unknown. */
  readonly bytes: number;
  /** The communicator by its handle, which other processes use for others; null where the report has none. */
  readonly handle: string | null;
}

/** Row of `slices` (a kernel, or an operator `record_param_comms`) → its arguments. */
type CollectiveDetails = ReadonlyMap<number, CollectiveArguments>;

/** A migration of pages of unified memory, or faults in a page. */
export interface UnifiedMemoryEvent {
  /** Row of `slices`, -1 for a fault of the CPU, which is an instant: its row of `instants`, else -1. */
  readonly slice: number;
  readonly instant: number;
  readonly sort: 'to-device' | 'to-host' | 'cpu-fault' | 'gpu-fault';
  /** Virtual base address, NaN where the file does not say. */
  readonly address: number;
  /** Bytes of a migration, else number of faults. */
  readonly count: number;
  readonly durationNs: number;
  /** What made the CPU fault: a function, or the instruction's address; null where that is not known. */
  readonly instruction: string | null;
}

/** What nsys recorded of a Vulkan call besides its name and times; NaN where the file does not say. */
export interface VulkanCall {
  /** nsys's number of the sort of event: 53 is a call of the API. */
  readonly eventClass: number;
  readonly context: number;
  /** The number that it shares with other Vulkan events. */
  readonly correlation: number;
}

/** What API calls launched, where the profile says it of the call: it does of HIP's, which need not have run. */
export interface LaunchedKernels {
  /** Row of `apiCalls` → name of the kernel as an index into `strings`, -1 where the profile does not say. */
  readonly name: Int32Array;
  readonly strings: StringTable;
  /** One row per API call. */
  readonly grids: GridTable;
}

/** What has been read; null for what nobody asked for, and what the file does not have. */
export interface ReportDetails {
  readonly grids: GridTable | null;
  /** GPU operation → its row of `grids`; absent where each has its own. @see gridRowOf */
  readonly gridOf?: Int32Array;
  readonly operations: OperationDetails | null;
  readonly calls: CallDetails | null;
  readonly ranges: RangeDetails | null;
  readonly collectives: CollectiveDetails | null;
  /** Row of `instants` → address of the memory that was allocated or freed, NaN for others. */
  readonly addresses: Float64Array | null;
  /** Inputs of operators whose cost their shapes tell. */
  readonly shapes: OperatorShapes | null;
  /** Whether any operator has recorded shapes, be it one whose cost they do not tell. */
  readonly hasShapes?: boolean;
  /** Inputs of all operators. */
  readonly allShapes?: OperatorShapes | null;
  /** Row of `slices` (an operator) → sizes of its inputs as PyTorch writes them: `[[16, 32], [], []]`. */
  readonly inputShapes?: ReadonlyMap<number, string> | null;
  /** Migrations and page faults of CUDA's unified memory. */
  readonly unifiedMemory?: readonly UnifiedMemoryEvent[] | null;
  /** Row of `slices` (a Vulkan call) → what else was recorded of it. */
  readonly vulkanCalls?: ReadonlyMap<number, VulkanCall> | null;
  readonly launchedKernels?: LaunchedKernels | null;
  /** GPU operation → number of the node of a CUDA graph that ran it, -1 for none. */
  readonly graphNodes?: Float64Array | null;
}

/** The row of `grids` that a GPU operation has: its own, where operations do not share them. */
export function gridRowOf({gridOf}: Pick<ReportDetails, 'gridOf'>, operation: number): number {
  return gridOf?.[operation] ?? operation;
}

export const noDetails: ReportDetails = {
  grids: null,
  operations: null,
  calls: null,
  ranges: null,
  collectives: null,
  addresses: null,
  shapes: null,
};

import type {OperatorShapes} from './operator-inputs.js';
import type {StringTable} from '../table/string-table.js';
import {allocateColumns, type Schema, type Table} from '../table/table.js';

/** Data that reports need but a trace does not keep: it is read again from the file when such a report is requested. */
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
 * One row per GPU operation: further launch attributes of a kernel, and the source and target memory of a copy.
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

/** Returns a table in which everything is absent. */
export function absentRows<S extends Schema>(schema: S, length: number): Table<S> {
  const columns = allocateColumns(schema, length);
  for (const name of Object.keys(schema)) columns[name].fill(-1);
  return {...columns, length} as Table<S>;
}

export interface OperationDetails {
  readonly table: OperationDetailsTable;
  readonly strings: StringTable;
}

/** Return values of API calls (row of `apiCalls` → number, NaN if unknown), and the threads that made the calls. */
export interface CallDetails {
  readonly returnValue: Float64Array;
  /** By track. */
  readonly threads: ReadonlyMap<number, {readonly name: string | null; readonly priority: number | null}>;
}

/** NVTX ranges with more attributes than a row of `slices` holds; each list is as long as `slice`, which ascends. */
export interface RangeDetails {
  readonly slice: Int32Array;
  /** The track of the thread that began a start/end range, -1 if it has no track. */
  readonly track: Int32Array;
  /** The thread that began it. */
  readonly thread: Float64Array;
  /** 1 if another thread ended it. */
  readonly isCrossThread: Uint8Array;
  /** 1 if the range never ended. */
  readonly isOpen: Uint8Array;
  /**
   * The last time in the table of NVTX events, ns from the trace's origin: nsys ends open ranges there. NaN if it
   * cannot be read.
   */
  readonly lastNs: number;
}

/** The recorded arguments of a collective call; null and NaN if not recorded. */
export interface CollectiveArguments {
  /** As the profile spells it: `allreduce`, `_allgather_base`. */
  readonly operation: string | null;
  /** The process group's name or number, and its purpose. */
  readonly group: string | null;
  readonly groupDescription: string | null;
  /** Number of ranks in the group. */
  readonly groupSize: number;
  /** Elements of each rank's input and output. */
  readonly inElements: number;
  readonly outElements: number;
  readonly dataType: string | null;
  /** The number of the call in its group, equal on all ranks. */
  readonly sequence: number;
  /** Ranks of the group, and the amount sent to each in an all-to-all of uneven parts, as the profile lists them. */
  readonly groupRanks: string | null;
  readonly splits: string | null;
  /** The receiving rank. */
  readonly peer: number;
  /** Only for MPI calls. */
  readonly mpi?: MpiArguments | null;
}

/** The arguments of an MPI call in an nsys report. */
export interface MpiArguments {
  /** Bytes that the rank sends, NaN if unknown. */
  readonly bytes: number;
  /**
   * The communicator's handle, null if the report has none. Other processes may use the same handle for other
   * communicators.
   */
  readonly handle: string | null;
}

/** Row of `slices` (a kernel, or an operator `record_param_comms`) → its arguments. */
type CollectiveDetails = ReadonlyMap<number, CollectiveArguments>;

/** A migration of unified memory pages, or faults in a page. */
export interface UnifiedMemoryEvent {
  /**
   * Row of `slices`, or -1 for a fault of the CPU, which is an instant; then its row of `instants`, or -1 for the
   * others.
   */
  readonly slice: number;
  readonly instant: number;
  readonly sort: 'to-device' | 'to-host' | 'cpu-fault' | 'gpu-fault';
  /** Virtual base address, NaN if the file does not record it. */
  readonly address: number;
  /** Bytes of a migration, else number of faults. */
  readonly count: number;
  readonly durationNs: number;
  /** The cause of a CPU fault: a function, or the instruction's address; null if unknown. */
  readonly instruction: string | null;
}

/** The attributes of a Vulkan call in nsys besides its name and times; NaN if not recorded. */
export interface VulkanCall {
  /** nsys's number for the type of event: 53 is an API call. */
  readonly eventClass: number;
  readonly context: number;
  /** The number that links it to other Vulkan events. */
  readonly correlation: number;
}

/**
 * The kernels that API calls launched, if the profile records them with the call, as it does for HIP. The kernel itself
 * may not have run.
 */
export interface LaunchedKernels {
  /** Row of `apiCalls` → name of the kernel as an index into `strings`, -1 if not recorded. */
  readonly name: Int32Array;
  readonly strings: StringTable;
  /** One row per API call. */
  readonly grids: GridTable;
}

/** The details read so far; null if not requested, or absent from the file. */
export interface ReportDetails {
  readonly grids: GridTable | null;
  /** GPU operation → its row of `grids`; absent if each has its own. @see gridRowOf */
  readonly gridOf?: Int32Array;
  readonly operations: OperationDetails | null;
  readonly calls: CallDetails | null;
  readonly ranges: RangeDetails | null;
  readonly collectives: CollectiveDetails | null;
  /** Row of `instants` → address of the memory that was allocated or freed, NaN for others. */
  readonly addresses: Float64Array | null;
  /** Inputs of operators whose cost follows from their shapes. */
  readonly shapes: OperatorShapes | null;
  /** Whether any operator has recorded shapes, even one whose cost does not follow from them. */
  readonly hasShapes?: boolean;
  /** Inputs of all operators. */
  readonly allShapes?: OperatorShapes | null;
  /** Row of `slices` (an operator) → sizes of its inputs as PyTorch writes them: `[[16, 32], [], []]`. */
  readonly inputShapes?: ReadonlyMap<number, string> | null;
  /** Migrations and page faults of CUDA's unified memory. */
  readonly unifiedMemory?: readonly UnifiedMemoryEvent[] | null;
  /** Row of `slices` (a Vulkan call) → its other recorded attributes. */
  readonly vulkanCalls?: ReadonlyMap<number, VulkanCall> | null;
  readonly launchedKernels?: LaunchedKernels | null;
  /** GPU operation → number of the CUDA graph node that ran it, -1 for none. */
  readonly graphNodes?: Float64Array | null;
}

/** Returns the row of `grids` of a GPU operation: its own row, unless operations share grids. */
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

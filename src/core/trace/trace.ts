import type {StringTable} from '../table/string-table.js';
import type {Counter, CounterSampleTable} from './counters.js';
import type {ApiCallTable, GpuOperationTable, OperatorTable} from './gpu-operations.js';
import type {InstantTable} from './instants.js';
import type {SliceTable} from './slices.js';
import type {SmLimits} from './sm-limits.js';
import type {TextTable} from './text-table.js';
import type {TraceNote} from './trace-note.js';

export type {TraceNote};

/**
 * What a track holds: a CPU thread, a GPU stream, annotations projected onto a stream, process-wide ranges, or others.
 */
export const trackKinds = ['thread', 'stream', 'gpu-ranges', 'process-ranges', 'other'] as const;
export type TrackKind = (typeof trackKinds)[number];

/** A timeline row with an identity. Its slices are rows `firstSlice` to `endSlice` (exclusive) of the slices table. */
export interface Track {
  readonly kind: TrackKind;
  readonly name: string;
  /** Index into `Trace.processes`, -1 if the track belongs to no process. */
  readonly process: number;
  /** The system's thread id, -1 for tracks that are not threads. */
  readonly thread: number;
  /** CUDA device ordinal, -1 for CPU tracks. */
  readonly device: number;
  readonly firstSlice: number;
  readonly endSlice: number;
}

export interface Process {
  /** As spelled in the file: Kineto's "Spans" is a process too. */
  readonly pid: string;
  readonly name: string;
}

export interface Device {
  readonly id: number;
  /** Null if the file does not name the device. */
  readonly name: string | null;
}

export interface TraceCounts {
  readonly kernels: number;
  readonly memcpys: number;
  readonly memsets: number;
  readonly apiCalls: number;
  readonly cpuOps: number;
  readonly ranges: number;
  readonly pythonFrames: number;
  readonly flows: number;
}

export interface TraceMeta {
  /** The short name of the file's format, given by its importer: kineto, nsys. Prefer facts of `meta` to it where code depends on what differs. */
  readonly format: string;
  readonly profiler: string;
  /** Version of the program that wrote the file; null if the file does not say. */
  readonly version: string | null;
  /** Version of the GPU driver as the profiler wrote it; null or absent if the file does not say. */
  readonly driver?: string | null;
  /** Rank and world size of a distributed job; null if the file does not say. */
  readonly rank: number | null;
  readonly worldSize: number | null;
  /**
   * Number of ranks in the job's process group if there is only one; null if there are several, or the file does not
   * say.
   */
  readonly groupSize: number | null;
  /** How the recorded program was started; absent if the recording does not say. */
  readonly launch?: LaunchPlace;
  /** Whether the file numbers ranges itself, in `slices.source`. Absent: it does not. */
  readonly numbersRanges?: boolean;
  /**
   * Whether the file's times count from the start of its recording, as in its profiler's own reports. Absent: they
   * count from the epoch or similar, and reports count from the first event.
   */
  readonly countsFromRecording?: boolean;
  /** Whether the file's times count from the epoch, by a clock that machines keep roughly in step. Absent: unknown. */
  readonly countsFromEpoch?: boolean;
}

/** Where, and as which rank, a recorded program was started. */
export interface LaunchPlace {
  readonly host: string | null;
  /** Rank and world size in the environment of the first program, which may have started others. */
  readonly rank: number | null;
  readonly worldSize: number | null;
  /** Ns from the epoch to the zero of the file's times, in digits; null if the file does not say. */
  readonly epochNs: string | null;
}

/**
 * One imported file: immutable, columnar, complete. Times are whole ns from the first event, so that none is negative.
 *
 * Instants and samples of counters are events too: the earliest of them may be the origin, and the latest may end the
 * span; a view from 0 to `spanNs` would not show them otherwise.
 */
export interface Trace {
  readonly meta: TraceMeta;
  readonly strings: StringTable;
  /** Names (by index into `strings`) of ranges in a named NVTX domain → the domain, which the name begins with. */
  readonly domainOfName: ReadonlyMap<number, string>;
  readonly processes: readonly Process[];
  readonly devices: readonly Device[];
  /** The limits of devices for which the file has them. */
  readonly smLimits: readonly SmLimits[];
  readonly tracks: readonly Track[];
  readonly slices: SliceTable;
  readonly gpuOperations: GpuOperationTable;
  readonly apiCalls: ApiCallTable;
  readonly operators: OperatorTable;
  /** Sorted: GPUs by number, then processes, then others. */
  readonly counters: readonly Counter[];
  readonly counterSamples: CounterSampleTable;
  readonly instants: InstantTable;
  /** Pairs of slices that Kineto's `fwdbwd` flows join: `[forward, backward, forward, backward, …]`. */
  readonly forwardBackward: Int32Array;
  /**
   * Slices for which something was assumed that figures need and the file lacks: the duration of an event, the process
   * of a GPU operation. Ascending rows of `slices`; notes say what was assumed.
   */
  readonly assumed: Int32Array;
  /**
   * GPU operation → row of the slice of the call it was captured from, -1 for none. Filled if replays of graphs were
   * expanded with a capture; empty otherwise.
   */
  readonly capturedCalls: Int32Array;
  /** The first event in the file's own time, ns: epoch time (Kineto) or time since the capture began (nsys). */
  readonly originNs: bigint;
  /** First to last event, ns. */
  readonly spanNs: number;
  /** When the recording ended, from the first event; null if the file does not say. */
  readonly recordingEndNs: number | null;
  readonly counts: TraceCounts;
  readonly notes: readonly TraceNote[];
  /** The tables of a text file, which has no events; empty for every other file. */
  readonly textTables: readonly TextTable[];
}

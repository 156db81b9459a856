import type {StringTable} from '../table/string-table.js';
import type {Counter, CounterSampleTable} from './counters.js';
import type {ApiCallTable, GpuOperationTable, OperatorTable} from './gpu-operations.js';
import type {InstantTable} from './instants.js';
import type {SliceTable} from './slices.js';
import type {SmLimits} from './sm-limits.js';
import type {TextTable} from './text-table.js';

/** What a track holds: a CPU thread, a GPU stream, annotations projected onto a stream, process-wide ranges, others. */
export const trackKinds = ['thread', 'stream', 'gpu-ranges', 'process-ranges', 'other'] as const;
export type TrackKind = (typeof trackKinds)[number];

/** A timeline row with an identity. Its slices are rows `firstSlice` to `endSlice` (exclusive) of the slices table. */
export interface Track {
  readonly kind: TrackKind;
  readonly name: string;
  /** Index into `Trace.processes`, -1 where the track belongs to none. */
  readonly process: number;
  /** The system's number of the thread, -1 for tracks that are no thread's. */
  readonly thread: number;
  /** CUDA device ordinal, -1 for CPU tracks. */
  readonly device: number;
  readonly firstSlice: number;
  readonly endSlice: number;
}

export interface Process {
  /** As the file spells it: Kineto's "Spans" is a process too. */
  readonly pid: string;
  readonly name: string;
}

export interface Device {
  readonly id: number;
  /** Null where the file does not name the device. */
  readonly name: string | null;
}

/** Something a reader of the figures must know: data that is missing, was repaired or left out. */
export interface TraceNote {
  readonly code: string;
  readonly text: string;
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
  /** The short name of the file's format, as its importer gives it: kineto, nsys. Nothing is decided by it here. */
  readonly format: string;
  readonly profiler: string;
  /** Version of the program that wrote the file; null where the file does not say. */
  readonly version: string | null;
  /** Version of the GPU's driver as the profiler wrote it; null or absent where the file does not say. */
  readonly driver?: string | null;
  /** Rank and world size of a distributed job; null where the file does not say. */
  readonly rank: number | null;
  readonly worldSize: number | null;
  /** Ranks of the job's process group where it has one alone; null where there are several, or the file does not say. */
  readonly groupSize: number | null;
  /** What the recording tells of how it was started; absent where it tells nothing. */
  readonly launch?: LaunchPlace;
  /** Whether the file numbers ranges itself: `slices.source` is the number then. Absent: it does not. */
  readonly numbersRanges?: boolean;
  /**
   * Whether the file's times count from the beginning of its recording, as its profiler's own reports do. Absent: they
   * count from the epoch or the like, and reports from the first event.
   */
  readonly countsFromRecording?: boolean;
}

/** Where and as what a recorded program was started. */
export interface LaunchPlace {
  readonly host: string | null;
  /** Rank and world size by the environment of the first program, of which others may have started. */
  readonly rank: number | null;
  readonly worldSize: number | null;
  /** Ns from the epoch to the zero of the file's times, in digits; null where the file does not say. */
  readonly epochNs: string | null;
}

/**
 * One imported file: immutable, columnar, complete. Times are whole ns from the first event, so that none is negative.
 *
 * Instants and samples of counters are events: one that lies before the first slice is the origin, and one after the
 * last slice ends the span, since a view from 0 to `spanNs` would not show it otherwise.
 */
export interface Trace {
  readonly meta: TraceMeta;
  readonly strings: StringTable;
  /** Names (by index into `strings`) of ranges in a named NVTX domain → that domain, which their text begins with. */
  readonly domainOfName: ReadonlyMap<number, string>;
  readonly processes: readonly Process[];
  readonly devices: readonly Device[];
  /** Of devices whose limits the file tells. */
  readonly smLimits: readonly SmLimits[];
  readonly tracks: readonly Track[];
  readonly slices: SliceTable;
  readonly gpuOperations: GpuOperationTable;
  readonly apiCalls: ApiCallTable;
  readonly operators: OperatorTable;
  /** GPUs by number first, then processes, then others. */
  readonly counters: readonly Counter[];
  readonly counterSamples: CounterSampleTable;
  readonly instants: InstantTable;
  /** Pairs of slices that Kineto's `fwdbwd` flows join: `[forward, backward, forward, backward, …]`. */
  readonly forwardBackward: Int32Array;
  /**
   * Slices of which the file does not tell something that figures need, and it was assumed: the duration of an event, the
   * process of a GPU operation. Ascending rows of `slices`; notes say what was assumed.
   */
  readonly assumed: Int32Array;
  /**
   * GPU operation → row of `slices` that says from which call it was captured, -1 for none: of a trace whose replays of
   * graphs were expanded with a capture. Empty for every other.
   */
  readonly capturedCalls: Int32Array;
  /** The first event in the file's own time, ns: epoch time (Kineto) or time since the capture began (nsys). */
  readonly originNs: bigint;
  /** First to last event, ns. */
  readonly spanNs: number;
  /** When the recording ended, from the first event; null where the file does not say. */
  readonly recordingEndNs: number | null;
  readonly counts: TraceCounts;
  readonly notes: readonly TraceNote[];
  /** What a text holds instead of events; empty for every other file. */
  readonly textTables: readonly TextTable[];
}

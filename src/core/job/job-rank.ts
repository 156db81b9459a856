import type {CollectiveOperation} from '../figures/collective-bandwidth.js';
import type {TimePart} from '../summary/time-parts.js';
import type {RankOverlap} from './rank-overlap.js';

export const rankSources = ['profile', 'name', 'order'] as const;
type RankSource = (typeof rankSources)[number];

/** The location of a rank's profile. */
export interface RankPlace {
  readonly path: string;
  /** The name of the file in the zip at `path`; null if `path` is the file itself. */
  readonly entry: string | null;
}

/** The data of one rank that a job needs, so that its trace can be released. Times are ns from `originNs`. */
export interface JobRank {
  readonly rank: number;
  /** Source of the rank's number: the profile, else the file's name, else the order of the files. */
  readonly rankFrom: RankSource;
  /** Null if the profile does not record it. */
  readonly worldSize: number | null;
  /** Null if neither the profile nor the file's name gives it. */
  readonly host: string | null;
  /** The profile's name for its GPU; null if it names none, or several. */
  readonly device: string | null;
  readonly file: string;
  /** The rank's process, as the file writes its number; null if the file holds one rank. */
  readonly process: string | null;
  /** The profile's first event on its own clock, ns. */
  readonly originNs: bigint;
  /** Whether that clock is the time of day, which machines keep roughly in step. */
  readonly isTimeOfDay: boolean;
  readonly steps: readonly RankStep[];
  /** Ranges by name, each summed over all steps. */
  readonly ranges: readonly RankRange[];
  /** In order of start. */
  readonly calls: readonly RankCall[];
  /** Kernels by name, most work first. */
  readonly kernels: readonly RankKernel[];
  /** How much of its communication runs while its GPUs compute; null without communication on a GPU. */
  readonly overlap: RankOverlap | null;
  /** Tokens of its experts, from shapes. */
  readonly tokens: readonly RankTokens[];
  /** Tokens of the experts that grouped products compute, from shapes. */
  readonly grouped: readonly RankGrouped[];
  /** Split of its time, as in its summary; empty if the file holds several ranks. */
  readonly parts: readonly RankPart[];
}

/** A step, including the GPU's work for it. */
export interface RankStep {
  readonly number: number;
  readonly startNs: number;
  readonly endNs: number;
}

/** The ranges of one name: sums over the profile. */
export interface RankRange {
  readonly name: string;
  /** GPU work launched inside, the backward pass included; null in a profile without GPU work. */
  readonly gpuWorkNs: number | null;
  readonly cpuWallNs: number;
  /** Excludes the ranges inside them. */
  readonly cpuSelfNs: number;
}

/** The kernels of one name: sums over the profile. */
export interface RankKernel {
  readonly name: string;
  readonly count: number;
  readonly gpuWorkNs: number;
}

/** Tokens of a layer with experts, over the profile. */
export interface RankTokens {
  readonly layer: string;
  /** The expert that received them; null for all that the layer's router assigned. */
  readonly expert: number | null;
  readonly tokens: number;
}

/** Grouped products of a layer: how many experts, and their tokens over the profile. */
export interface RankGrouped {
  readonly layer: string;
  readonly experts: number;
  readonly tokens: number;
}

/** A part of a rank's time: of its steps, or of the whole profile if it has none. */
export interface RankPart {
  readonly part: TimePart;
  readonly ns: number;
}

/** A rank's part in a collective operation. */
export interface RankCall {
  readonly operation: CollectiveOperation;
  /** The process group; null if the profile does not record it. */
  readonly group: string | null;
  /** Number of ranks in the group, NaN if unknown. */
  readonly groupSize: number;
  /** The number of the call in its group, NaN if unknown. */
  readonly sequence: number;
  readonly startNs: number;
  readonly endNs: number;
  /** Time in which its kernels ran; on the CPU, its whole duration. */
  readonly busyNs: number;
  /** The part of `busyNs` in which its GPU computed nothing; NaN on the CPU. */
  readonly exposedNs: number;
  /** Bytes as NCCL's tests count them, NaN if unknown. */
  readonly bytes: number;
  /** Bytes that the rank contributes, NaN if unknown. */
  readonly sentBytes: number;
  /** The ranks of the group, and the splits of an all-to-all, as the profile lists them: "[0, 1]". */
  readonly groupRanks: string | null;
  readonly splits: string | null;
  /** The rank that receives, NaN if unknown. */
  readonly peer: number;
  /**
   * For an all-to-all: the layer whose experts it serves (null if unknown), and whether it brings them their inputs.
   */
  readonly layer: string | null;
  readonly isDispatch: boolean;
  /** Position of the step in which it started, -1 for none. */
  readonly step: number;
  /** For an MPI call: its function, the bytes it sends (NaN if unknown), and its communicator's handle on this rank. */
  readonly mpi: {readonly name: string; readonly bytes: number; readonly handle: string | null} | null;
}

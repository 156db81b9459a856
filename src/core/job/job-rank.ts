import type {CollectiveOperation} from '../figures/collective-bandwidth.js';
import type {TimePart} from '../summary/time-parts.js';
import type {RankOverlap} from './rank-overlap.js';

export const rankSources = ['profile', 'name', 'order'] as const;
type RankSource = (typeof rankSources)[number];

/** Where the profile of a rank is. */
export interface RankPlace {
  readonly path: string;
  /** The name of the file in the zip at `path`; null where `path` is the file. */
  readonly entry: string | null;
}

/** What a job needs to know of one of its ranks: its trace need not be kept. Times are ns from `originNs`. */
export interface JobRank {
  readonly rank: number;
  /** What tells the rank: the profile, else the file's name, else the order of the files. */
  readonly rankFrom: RankSource;
  /** Null if the profile does not tell it. */
  readonly worldSize: number | null;
  /** Null if neither the profile nor the file's name tells it. */
  readonly host: string | null;
  /** What the profile calls its GPU; null where it names none, or several. */
  readonly device: string | null;
  readonly file: string;
  /** Process of the file that the rank is, as the file spells its number; null where the file holds one rank. */
  readonly process: string | null;
  /** The profile's first event on its own clock, ns. */
  readonly originNs: bigint;
  /** Whether that clock is the time of day, which machines keep alike to some extent. */
  readonly isTimeOfDay: boolean;
  readonly steps: readonly RankStep[];
  /** Ranges by name, each in all steps. */
  readonly ranges: readonly RankRange[];
  /** In order of start. */
  readonly calls: readonly RankCall[];
  /** Kernels by name, most work first. */
  readonly kernels: readonly RankKernel[];
  /** How much of its communication runs while its GPUs compute; null without communication on a GPU. */
  readonly overlap: RankOverlap | null;
  /** What shapes tell of its experts. */
  readonly tokens: readonly RankTokens[];
  /** What shapes tell of the experts that grouped products compute. */
  readonly grouped: readonly RankGrouped[];
  /** Where its time went, as its summary splits it; empty for a process of several in one file. */
  readonly parts: readonly RankPart[];
}

/** A step, with the GPU's work for it. */
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
  /** Less the ranges inside them. */
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
  /** The expert that was given them; null for all that the layer's router gave out. */
  readonly expert: number | null;
  readonly tokens: number;
}

/** Grouped products of a layer: how many experts, and their tokens over the profile. */
export interface RankGrouped {
  readonly layer: string;
  readonly experts: number;
  readonly tokens: number;
}

/** A part of a rank's time: of its steps, or of all where it has none. */
export interface RankPart {
  readonly part: TimePart;
  readonly ns: number;
}

/** A rank's part in a collective operation. */
export interface RankCall {
  readonly operation: CollectiveOperation;
  /** The process group; null if the profile does not tell it. */
  readonly group: string | null;
  /** Ranks of the group, NaN if unknown. */
  readonly groupSize: number;
  /** The number of the call in its group, NaN if unknown. */
  readonly sequence: number;
  readonly startNs: number;
  readonly endNs: number;
  /** Time in which its kernels ran; on the CPU all of its time. */
  readonly busyNs: number;
  /** The part of it in which its GPU computed nothing; NaN on the CPU. */
  readonly exposedNs: number;
  /** As NCCL's tests count them, NaN if unknown. */
  readonly bytes: number;
  /** What the rank puts in, NaN if unknown. */
  readonly sentBytes: number;
  /** The ranks of the group, and the parts of an all-to-all, as the profile lists them: "[0, 1]". */
  readonly groupRanks: string | null;
  readonly splits: string | null;
  /** The rank that is sent to, NaN if unknown. */
  readonly peer: number;
  /** Of an all-to-all the layer whose experts it is for, and whether it brings them what they work on; null if unknown. */
  readonly layer: string | null;
  readonly isDispatch: boolean;
  /** Position of the step in which it started, -1 for none. */
  readonly step: number;
  /** Of a call of MPI its function, what it sends (NaN if unknown), and its communicator's handle on this rank. */
  readonly mpi: {readonly name: string; readonly bytes: number; readonly handle: string | null} | null;
}

import type {CollectiveOperation} from '../figures/collective-bandwidth.js';

/** What a job needs to know of one of its ranks: its trace need not be kept. Times are ns from `originNs`. */
export interface JobRank {
  readonly rank: number;
  /** Whether the profile does not tell the rank: it was taken from the file's name, or from the order. */
  readonly isRankAssumed: boolean;
  /** Null if the profile does not tell it. */
  readonly worldSize: number | null;
  /** Null if neither the profile nor the file's name tells it. */
  readonly host: string | null;
  readonly file: string;
  /** The profile's first event on its own clock, ns. */
  readonly originNs: bigint;
  /** Whether that clock is the time of day, which machines keep alike to some extent. */
  readonly isTimeOfDay: boolean;
  readonly steps: readonly RankStep[];
  /** Ranges by name, each in all steps. */
  readonly ranges: readonly RankRange[];
  /** In order of start. */
  readonly calls: readonly RankCall[];
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
  /** As NCCL's tests count them, NaN if unknown. */
  readonly bytes: number;
  /** Position of the step in which it started, -1 for none. */
  readonly step: number;
}

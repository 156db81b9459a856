import type {SweepPoint} from './sweep-points.js';

/** The errors that a point can have instead of a figure; docs/benchmarks.md explains them. */
export const pointErrors = [
  'oom',
  'crash',
  'killed',
  'time-limit',
  'nan',
  'no-step',
  'unsupported',
  'not-started',
] as const;
export type PointError = (typeof pointErrors)[number];

/** Phases of a step of the reference model, in order. */
export const stepPhases = ['forward', 'backward', 'optimizer'] as const;
export type StepPhase = (typeof stepPhases)[number];

/** The measurements of a point, as far as it got. */
export interface PointResult {
  readonly point: SweepPoint;
  /** Wall time of each step, from idle device to idle device, in ns. */
  readonly warmupNs: readonly number[];
  readonly stepNs: readonly number[];
  /** The phases of the measured steps, in ns: on a GPU, between events in its stream. Empty if unknown. */
  readonly phaseNs: Readonly<Partial<Record<StepPhase, readonly number[]>>>;
  readonly error: PointError | null;
  /** One sentence if there is an error or another remark. */
  readonly message: string | null;
  /** The device that was used: `cuda:0`. */
  readonly device: string | null;
  readonly parameters: number | null;
  /** Number of parameters without the table of token embeddings. */
  readonly parametersWithoutEmbedding: number | null;
  /** Samples and tokens processed in one step. */
  readonly samples: number | null;
  readonly tokens: number | null;
  readonly memory: PointMemory | null;
  /** How long the machine was suspended during steps, which were then measured again. */
  readonly sleptNs: number;
  /** Other properties on which the result depends: GPU, driver, torch, threads, load, commit. */
  readonly environment: EnvironmentValues;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
}

export interface PointMemory {
  /** The peak memory of the measured steps, in bytes. */
  readonly peakBytes: number;
  /** The most GPU memory that PyTorch's allocator reserved; null on a CPU. */
  readonly reservedBytes: number | null;
  /** What is counted: tensors in PyTorch's allocator, or the process's resident memory. */
  readonly counts: 'allocated' | 'resident';
}

/** Names of the environment with their values. Objects, such as `gpu`, are nested one level. */
export interface EnvironmentValues {
  readonly [name: string]: string | number | boolean | null | EnvironmentValues;
}

/**
 * Returns a step's tokens divided by its mean time, per second; null if either is unknown.
 *
 * @see docs/metrics.md#benchmark-throughput
 */
export function perSecond(count: number | null, meanNs: number | null): number | null {
  return count === null || meanNs === null || meanNs <= 0 ? null : count / (meanNs / 1e9);
}

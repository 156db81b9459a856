import type {SweepPoint} from './sweep-points.js';

/** What can become of a point instead of a figure; docs/benchmarks.md says what each means. */
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

/** Phases of a step of the reference model, in their order. */
export const stepPhases = ['forward', 'backward', 'optimizer'] as const;
export type StepPhase = (typeof stepPhases)[number];

/** What a point measured, as far as it came. */
export interface PointResult {
  readonly point: SweepPoint;
  /** Wall time of each step, device idle to device idle, in ns. */
  readonly warmupNs: readonly number[];
  readonly stepNs: readonly number[];
  /** The phases of the measured steps, in ns: on a GPU between events in its stream. Empty where they are not known. */
  readonly phaseNs: Readonly<Partial<Record<StepPhase, readonly number[]>>>;
  readonly error: PointError | null;
  /** One sentence where there is an error, or something else to be said. */
  readonly message: string | null;
  /** The device that was used: `cuda:0`. */
  readonly device: string | null;
  readonly parameters: number | null;
  /** Without the table of token embeddings. */
  readonly parametersWithoutEmbedding: number | null;
  /** Samples and tokens that one step processes. */
  readonly samples: number | null;
  readonly tokens: number | null;
  readonly memory: PointMemory | null;
  /** How long the machine slept during steps, which were then measured again. */
  readonly sleptNs: number;
  /** What the result depends on besides: GPU, driver, torch, threads, load, commit. */
  readonly environment: EnvironmentValues;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly endedAt: string;
}

export interface PointMemory {
  /** The most bytes that the measured steps needed. */
  readonly peakBytes: number;
  /** What PyTorch's allocator held of the GPU at most; null on a CPU. */
  readonly reservedBytes: number | null;
  /** What is counted: tensors by PyTorch's allocator, or all that the process has resident. */
  readonly counts: 'allocated' | 'resident';
}

/** Names of the environment with their values; objects, such as `gpu`, are one level deep. */
export interface EnvironmentValues {
  readonly [name: string]: string | number | boolean | null | EnvironmentValues;
}

/** Tokens of one step over its mean time, per second; null where either is not known. @see docs/metrics.md#benchmark-throughput */
export function perSecond(count: number | null, meanNs: number | null): number | null {
  return count === null || meanNs === null || meanNs <= 0 ? null : count / (meanNs / 1e9);
}

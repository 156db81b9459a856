import type {ModelSize} from './model-sizes.js';

export const passes = ['forward', 'forward+backward', 'train'] as const;
export type Pass = (typeof passes)[number];

export const precisions = ['fp32', 'tf32', 'bf16', 'fp16'] as const;
export type Precision = (typeof precisions)[number];

/** What a sweep runs. */
export type SweepTarget =
  | {readonly kind: 'reference'}
  /** `module:function`, or `path/to/file.py:function`: a function that returns the step for a point. */
  | {readonly kind: 'callable'; readonly function: string}
  /** Commands by name, each an array of arguments in which `{1,2,4}` means one of several. */
  | {readonly kind: 'command'; readonly commands: Readonly<Record<string, readonly string[]>>};

/**
 * A sweep: every combination of the values of its axes. An empty axis is not varied, and the target does not receive
 * it.
 */
export interface SweepConfig {
  readonly name: string;
  readonly target: SweepTarget;
  readonly sizes: readonly ModelSize[];
  readonly contextLengths: readonly number[];
  readonly batches: readonly number[];
  readonly passes: readonly Pass[];
  readonly precisions: readonly Precision[];
  readonly compile: readonly boolean[];
  /** `auto`, `cpu`, `cuda`, `cuda:1`, `mps`. */
  readonly devices: readonly string[];
  /** Environment variables, each with the values that it takes in turn. */
  readonly environment: Readonly<Record<string, readonly string[]>>;
  readonly vocabulary: number;
  /** PyTorch's CPU threads, null for its default. */
  readonly threads: number | null;
  readonly warmupSteps: number;
  readonly steps: number;
  /** The time limit of one point, including its start. */
  readonly timeLimitSeconds: number;
  /** The interpreter, null for the default. */
  readonly python: string | null;
}

import type {ModelSize} from './model-sizes.js';

export const passes = ['forward', 'forward+backward', 'train'] as const;
export type Pass = (typeof passes)[number];

export const precisions = ['fp32', 'tf32', 'bf16', 'fp16'] as const;
export type Precision = (typeof precisions)[number];

/** What a sweep runs. */
export type SweepTarget =
  | {readonly kind: 'reference'}
  /** `module:function`, or `path/to/file.py:function`, that gives the step for a point. */
  | {readonly kind: 'callable'; readonly function: string}
  /** Commands by name, each an array of arguments in which `{1,2,4}` stands for one of several. */
  | {readonly kind: 'command'; readonly commands: Readonly<Record<string, readonly string[]>>};

/** A sweep: every combination of what its axes list. An axis that is empty is not varied, and the target is not told of it. */
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
  /** Variables of the environment, each with the values that it takes in turn. */
  readonly environment: Readonly<Record<string, readonly string[]>>;
  readonly vocabulary: number;
  /** PyTorch's CPU threads, null for its own choice. */
  readonly threads: number | null;
  readonly warmupSteps: number;
  readonly steps: number;
  /** What one point may take, its start included. */
  readonly timeLimitSeconds: number;
  /** The interpreter, null for the usual one. */
  readonly python: string | null;
}

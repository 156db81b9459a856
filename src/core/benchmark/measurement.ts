import {perSecond, type PointMemory, type PointResult, type StepPhase} from './point-result.js';
import type {SweepPoint} from './sweep-points.js';
import {stepStatistics, type StepStatistics} from './step-statistics.js';

/** One figure with its steps and parameters: a point of a sweep, or a figure of a saved text. */
export interface Measurement {
  /** The point's index in its sweep; for a text, the number of the figure. */
  readonly id: number;
  /** What was measured; null for a figure of a text. */
  readonly target: SweepPoint['target'] | null;
  /** The name of one of several commands; null if there is only one. */
  readonly variant: string | null;
  readonly size: string;
  readonly contextLength: number | null;
  readonly batch: number | null;
  readonly device: string | null;
  readonly compile: boolean | null;
  readonly precision: string | null;
  /** `forward`, `forward+backward`, `train`, or a text's name for its measure; "" for a whole run of a command. */
  readonly pass: string;
  readonly warmupNs: readonly number[];
  readonly stepNs: readonly number[];
  readonly phaseNs: Readonly<Partial<Record<StepPhase, readonly number[]>>>;
  /** Null if nothing was measured, or if a text has no figure. */
  readonly statistics: (Pick<StepStatistics, 'meanNs' | 'stdNs'> & Partial<StepStatistics>) | null;
  /** The text to show instead of or next to a figure: "out of memory". */
  readonly problem: string | null;
  readonly message: string | null;
  readonly tokensPerSecond: number | null;
  readonly samplesPerSecond: number | null;
  readonly memory: PointMemory | null;
  readonly parameters: number | null;
  readonly parametersWithoutEmbedding: number | null;
}

/**
 * Returns whether a profile can be recorded of it: not of a command, whose process GPU Lens does not control, nor of a
 * text.
 */
export function canProfile({target}: Measurement): boolean {
  return target === 'reference' || target === 'callable';
}

/** The text of each kind of error in a table. */
const problemTexts = {
  oom: 'out of memory',
  crash: 'crashed',
  killed: 'killed by the system',
  'time-limit': 'time limit',
  nan: 'NaN',
  'no-step': 'no step',
  unsupported: 'not supported',
  'not-started': 'not started',
} as const;

/** Returns the measurement of a point that was measured, or could not be. */
export function measurementOf(id: number, result: PointResult): Measurement {
  const {point, stepNs, error} = result;
  const statistics = stepStatistics(stepNs);
  return {
    id,
    target: point.target,
    variant: point.variant,
    size: point.label,
    contextLength: point.contextLength,
    batch: point.batch,
    // "auto" is replaced by the device that was chosen.
    device: result.device ?? point.device,
    compile: point.compile,
    precision: point.precision,
    pass: point.pass ?? '',
    warmupNs: result.warmupNs,
    stepNs,
    phaseNs: result.phaseNs,
    statistics,
    problem: error === null ? null : problemTexts[error],
    message: result.message,
    tokensPerSecond: perSecond(result.tokens, statistics?.meanNs ?? null),
    samplesPerSecond: perSecond(result.samples, statistics?.meanNs ?? null),
    memory: result.memory,
    parameters: result.parameters,
    parametersWithoutEmbedding: result.parametersWithoutEmbedding,
  };
}

import {perSecond, type PointMemory, type PointResult, type StepPhase} from './point-result.js';
import type {SweepPoint} from './sweep-points.js';
import {stepStatistics, type StepStatistics} from './step-statistics.js';

/** One figure with its steps and what it was measured at: a point of a sweep, or a figure of a text that somebody kept. */
export interface Measurement {
  /** The point's index in its sweep; of a text the number of the figure. */
  readonly id: number;
  /** What was measured; null for a figure of a text. */
  readonly target: SweepPoint['target'] | null;
  /** Which of several commands; null where there is one. */
  readonly variant: string | null;
  readonly size: string;
  readonly contextLength: number | null;
  readonly batch: number | null;
  readonly device: string | null;
  readonly compile: boolean | null;
  readonly precision: string | null;
  /** `forward`, `forward+backward`, `train`, or what a text calls its measure; "" for a whole run of a command. */
  readonly pass: string;
  readonly warmupNs: readonly number[];
  readonly stepNs: readonly number[];
  readonly phaseNs: Readonly<Partial<Record<StepPhase, readonly number[]>>>;
  /** Null where nothing was measured, and of a text where it has no figure. */
  readonly statistics: (Pick<StepStatistics, 'meanNs' | 'stdNs'> & Partial<StepStatistics>) | null;
  /** What to show instead of a figure, or beside it: "out of memory". */
  readonly problem: string | null;
  readonly message: string | null;
  readonly tokensPerSecond: number | null;
  readonly samplesPerSecond: number | null;
  readonly memory: PointMemory | null;
  readonly parameters: number | null;
  readonly parametersWithoutEmbedding: number | null;
}

/** Whether a profile can be taken of it: a command's process is not ours to record, and of a text there is none. */
export function canProfile({target}: Measurement): boolean {
  return target === 'reference' || target === 'callable';
}

/** What each kind of end is called in a table. */
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

/** The figure of a point that was measured, or could not be. */
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
    // "auto" is no device: the one that was chosen is.
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

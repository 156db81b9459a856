import type {PointResult} from './point-result.js';
import {stepStatistics} from './step-statistics.js';

/** A point in the command line's JSON; times are whole ns. */
export interface ContractRow {
  /** The size's name; for a callable its name, for a command what distinguishes it from the others. */
  readonly size: string;
  readonly contextLength: number | null;
  readonly batch: number | null;
  readonly pass: string | null;
  readonly precision: string | null;
  readonly device: string | null;
  readonly compile: boolean | null;
  readonly warmupSteps: number;
  readonly stepNs: readonly number[];
  readonly meanNs: number | null;
  readonly stdNs: number | null;
  readonly minNs: number | null;
  readonly medianNs: number | null;
  readonly error: string | null;
}

/** @param warmupSteps the sweep's number of warm-up steps */
export function contractRow({point, stepNs, device, error}: PointResult, warmupSteps: number): ContractRow {
  const statistics = stepStatistics(stepNs);
  const whole = (ns: number | null | undefined) => (ns === null || ns === undefined ? null : Math.round(ns));
  return {
    size: [point.variant, point.label].filter(text => text !== null && text !== '').join(' '),
    contextLength: point.contextLength,
    batch: point.batch,
    pass: point.pass,
    precision: point.precision,
    device: device ?? point.device,
    compile: point.compile,
    warmupSteps,
    stepNs,
    meanNs: whole(statistics?.meanNs),
    stdNs: whole(statistics?.stdNs),
    minNs: whole(statistics?.minNs),
    medianNs: whole(statistics?.medianNs),
    error,
  };
}

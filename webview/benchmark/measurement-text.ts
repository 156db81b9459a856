import {formatCount} from '../../src/core/format/count.js';
import {meanText, msText} from '../../src/core/benchmark/figure-text.js';
import {axisText, measurementAxes} from '../../src/core/benchmark/measurement-rows.js';
import type {Measurement} from '../../src/core/benchmark/measurement.js';
import {isUnsteady, stepStatistics} from '../../src/core/benchmark/step-statistics.js';
import {passTitle} from '../../src/core/benchmark/times-table.js';
import {say, t} from '../shared/translate.js';

/** Steps in their order, for a strip. */
export interface Strip {
  readonly title: string;
  readonly warmupNs: readonly number[];
  readonly stepNs: readonly number[];
}

/** Returns the strips of a point: as counted, and as it would have been with the warm-up steps. */
export function stripsOf({warmupNs, stepNs}: Measurement): Strip[] {
  if (stepNs.length === 0 && warmupNs.length === 0) return [];
  const measured = {title: t('Measured steps:'), warmupNs: [], stepNs};
  if (warmupNs.length === 0) return [measured];
  return [measured, {title: t('With warm-up:'), warmupNs, stepNs}];
}

/** Returns the properties that distinguish a measurement, in one line. */
export function measurementName(measurement: Measurement): string {
  return measurementAxes
    .map(axis => {
      const value = measurement[axis];
      if (value === null || value === '') return '';
      if (axis === 'contextLength') return t('context {0}', axisText(value));
      if (axis === 'batch') return t('batch {0}', axisText(value));
      if (axis === 'compile') return value === true ? t('compiled') : '';
      return axis === 'pass' ? say(passTitle(String(value))) : axisText(value);
    })
    .filter(text => text !== '')
    .join(', ');
}

/** Returns advice for steps that vary much. */
export function unsteadyText(): string {
  return t(
    'The steps vary by more than 25 % of their mean. Close other programs, add warm-up steps, or measure more steps.',
  );
}

/** Returns all data of a measurement, as names and values. */
export function figuresOf(measurement: Measurement): (readonly [string, string])[] {
  const {statistics, problem, message, memory, tokensPerSecond, samplesPerSecond, warmupNs, stepNs} = measurement;
  const warm = stepStatistics([...warmupNs, ...stepNs]);
  const rate = (perSecond: number | null) => (perSecond === null ? '' : formatCount(Math.round(perSecond)));
  const ms = (ns: number | undefined) => (ns === undefined ? '' : `${msText(ns)} ms`);
  const lines: (readonly [string, string])[] = [
    [t('What happened'), [problem, message].filter(text => text !== null).join(': ')],
    [t('Mean ± std'), statistics ? `${meanText(statistics)} ms` : ''],
    [t('Unsteady'), isUnsteady(statistics) ? unsteadyText() : ''],
    [t('Were warm-up counted'), warm && warmupNs.length > 0 ? `${meanText(warm)} ms` : ''],
    [t('Median'), ms(statistics?.medianNs)],
    [t('Least and most'), statistics?.minNs === undefined ? '' : `${ms(statistics.minNs)}, ${ms(statistics.maxNs)}`],
    [t('Tokens per second'), rate(tokensPerSecond)],
    [t('Samples per second'), samplesPerSecond === null ? '' : samplesPerSecond.toPrecision(4)],
    [t('Peak memory'), memory ? `${formatCount(Math.round(memory.peakBytes / 1e6))} MB ${memory.counts}` : ''],
    [t('Parameters'), measurement.parameters === null ? '' : formatCount(measurement.parameters)],
    [
      t('Without embedding'),
      measurement.parametersWithoutEmbedding === null ? '' : formatCount(measurement.parametersWithoutEmbedding),
    ],
  ];
  return lines.filter(([, text]) => text !== '');
}

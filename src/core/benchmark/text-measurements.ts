import type {BenchmarkResult, BenchmarkRun} from '../reports/benchmark-runs.js';
import {sampleTitle} from '../trace/text-table.js';
import type {Measurement} from './measurement.js';
import {stepStatistics} from './step-statistics.js';

/** Measurements that belong together, with notes for the reader. */
export interface MeasurementSet {
  readonly title: string;
  readonly note: string | null;
  readonly measurements: readonly Measurement[];
}

/** Samples are printed without a unit; in all known texts, they are ms. */
const sampleNs = 1e6;

/**
 * Returns the benchmarks of a saved text, a set for each table. Lists of samples form one set, and so do lines of means
 * and deviations, so that they are side by side. Differences and changes in the text are omitted, because they are
 * computed again.
 */
export function textMeasurements(runs: readonly BenchmarkRun[]): MeasurementSet[] {
  const samples = runs.filter(isSamples);
  const means = runs.filter(isMeans);
  const tables = runs.filter(run => !isSamples(run) && !isMeans(run));
  const sets: MeasurementSet[] = [
    ...tables.map(run => ({title: run.name || 'Benchmark', note: null, measurements: tableMeasurements(run)})),
    {
      title: 'Samples',
      note: 'The text names no unit for its samples: they are read as ms.',
      measurements: samples.flatMap(sampleMeasurements),
    },
    {title: 'Means and deviations', note: null, measurements: means.flatMap(meanMeasurements)},
  ];
  return sets
    .filter(({measurements}) => measurements.length > 0)
    .map(set => ({...set, measurements: set.measurements.map((one, id) => ({...one, id}))}));
}

function isSamples({results}: BenchmarkRun): boolean {
  return results.some(({parameters}) => Object.hasOwn(parameters, sampleTitle));
}

function isMeans({results}: BenchmarkRun): boolean {
  return results.every(({measure}) => measure === 'Mean' || measure === 'StdDev');
}

const blank: Omit<Measurement, 'size' | 'pass' | 'statistics' | 'problem'> = {
  id: 0,
  target: null,
  variant: null,
  contextLength: null,
  batch: null,
  device: null,
  compile: null,
  precision: null,
  warmupNs: [],
  stepNs: [],
  phaseNs: {},
  message: null,
  tokensPerSecond: null,
  samplesPerSecond: null,
  memory: null,
  parameters: null,
  parametersWithoutEmbedding: null,
};

function tableMeasurements({results}: BenchmarkRun): Measurement[] {
  return results
    .filter(({unit, measure}) => unit === 'ns' && !/difference|change|speed-?up/i.test(measure))
    .map(result => ({
      ...blank,
      ...parametersOf(result),
      ...measureOf(result.measure),
      statistics: result.value === null ? null : {meanNs: result.value, stdNs: result.deviation},
      problem: result.value === null && result.text !== '' ? result.text : null,
    }));
}

function sampleMeasurements({name, results}: BenchmarkRun): Measurement[] {
  return Array.from(new Set(results.map(({measure}) => measure)), measure => {
    const stepNs = results
      .filter(result => result.measure === measure && result.value !== null)
      .map(({value}) => (value ?? 0) * sampleNs);
    return {
      ...blank,
      size: name,
      pass: measureOf(measure).pass,
      stepNs,
      statistics: stepStatistics(stepNs),
      problem: null,
    };
  });
}

function meanMeasurements({name, results}: BenchmarkRun): Measurement[] {
  const rows = new Map<string, {mean: number | null; deviation: number | null}>();
  for (const {parameters, measure, value} of results) {
    const row = rows.get(parameters['Name'] ?? '') ?? {mean: null, deviation: null};
    rows.set(parameters['Name'] ?? '', row);
    row[measure === 'Mean' ? 'mean' : 'deviation'] = value;
  }
  return Array.from(rows, ([label, {mean, deviation}]) => ({
    ...blank,
    size: name,
    pass: measureOf(label).pass,
    statistics: mean === null ? null : {meanNs: mean, stdNs: deviation},
    problem: null,
  }));
}

function parametersOf({parameters}: BenchmarkResult): {readonly size: string; readonly contextLength: number | null} {
  const called = (pattern: RegExp) => Object.entries(parameters).find(([name]) => pattern.test(name))?.[1];
  const size = called(/^(model|size|model size)$/i) ?? Object.values(parameters).at(0) ?? '';
  const context = called(/^(context|sequence|seq)([ _-]?(length|len))?$/i) ?? '';
  return {size, contextLength: /^\d+$/.test(context) ? Number(context) : null};
}

/**
 * Parses the device, pass and precision in the header of a column; a header that is not recognised becomes the pass,
 * unchanged.
 */
function measureOf(measure: string): Pick<Measurement, 'device' | 'pass' | 'precision'> {
  const isForward = /forward|fwd/i.test(measure);
  const isBackward = /backward|bwd/i.test(measure);
  const both = isForward && isBackward ? 'forward+backward' : null;
  const one = isForward ? 'forward' : isBackward ? 'backward' : /train|full step/i.test(measure) ? 'train' : null;
  return {
    device: /\b(cpu|mps|cuda)\b/i.exec(measure)?.[0].toLowerCase() ?? null,
    pass: both ?? one ?? measure,
    precision: precisionNames.find(([, pattern]) => pattern.test(measure))?.[0] ?? null,
  };
}

const precisionNames: readonly (readonly [precision: string, pattern: RegExp])[] = [
  ['fp32', /no mixed precision|full precision|fp32|float32/i],
  ['tf32', /tf32/i],
  ['bf16', /bf16|bfloat16/i],
  ['fp16', /fp16|float16|half/i],
];

import type {BenchmarkResult, BenchmarkRun} from '../reports/benchmark-runs.js';
import {sampleTitle} from '../trace/text-table.js';
import type {Measurement} from './measurement.js';
import {stepStatistics} from './step-statistics.js';

/** Measurements that belong together, with what a reader must know of them. */
export interface MeasurementSet {
  readonly title: string;
  readonly note: string | null;
  readonly measurements: readonly Measurement[];
}

/** Samples are printed without a unit; those of the texts that are known are ms. */
const sampleNs = 1e6;

/**
 * The benchmarks of a text that somebody kept, each table a set; lists of samples are one set, and so are lines of means
 * and deviations, so that they stand side by side. Differences and changes in the text are left out: they follow.
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

/** What the header of a column says of device, pass and precision; what cannot be told is the pass as it stands there. */
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

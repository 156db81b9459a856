import {variants, type Variant} from './block-parts.js';
import {numberOf, objectOf, present, wordOf} from './config-values.js';
import {EstimateError} from './estimate-error.js';
import type {EstimateInput} from './estimate.js';
import {modelConfig, shapeOf, type ModelConfig} from './model-config.js';
import type {Parallelism} from './parallelism.js';
import {precisions, type Precision} from './precision.js';
import {systemConfig, systemOf, type SystemConfig} from './system-config.js';

/** What to estimate, as given in a file or by flags; absent values have defaults. @see docs/estimate.md#file */
export interface EstimateConfig {
  readonly model?: ModelConfig;
  readonly system?: SystemConfig;
  readonly parallelism?: ParallelismConfig;
  readonly precision?: Precision;
  readonly variant?: Variant;
}

/** The kind of parallelism, and its degrees. */
interface ParallelismConfig {
  readonly kind?: Parallelism['kind'];
  readonly tensor?: number;
  readonly sequence?: number;
  readonly expert?: number;
  readonly rows?: number;
  readonly columns?: number;
  readonly depth?: number;
  readonly inner?: number;
}

export const parallelismKinds = ['1D', '2D', '2.5D', '3D'] as const satisfies readonly Parallelism['kind'][];
const degrees = ['tensor', 'sequence', 'expert', 'rows', 'columns', 'depth', 'inner'] as const;

/** Reads a configuration from any source. @throws EstimateError */
export function estimateConfig(value: unknown): EstimateConfig {
  const place = 'The estimate';
  const values = objectOf(value, place, ['model', 'system', 'parallelism', 'precision', 'variant']);
  return present<EstimateConfig>({
    model: values['model'] === undefined ? undefined : modelConfig(values['model']),
    system: values['system'] === undefined ? undefined : systemConfig(values['system']),
    parallelism: values['parallelism'] === undefined ? undefined : parallelismConfig(values['parallelism']),
    precision: wordOf(values, 'precision', place, precisions),
    variant: wordOf(values, 'variant', place, variants),
  });
}

/** Returns the first configuration, overridden by the second. */
export function mergeConfigs(base: EstimateConfig, over: EstimateConfig): EstimateConfig {
  return {
    ...base,
    ...over,
    model: {...base.model, ...over.model},
    system: mergeSystems(base.system ?? {}, over.system ?? {}),
    parallelism: mergeParallelisms(base.parallelism ?? {}, over.parallelism ?? {}),
  };
}

/** A peak replaces that of its own precision. */
function mergeSystems(base: SystemConfig, over: SystemConfig): SystemConfig {
  return {
    ...base,
    ...over,
    matrixFlopsPerSecond: {...base.matrixFlopsPerSecond, ...over.matrixFlopsPerSecond},
    vectorFlopsPerSecond: {...base.vectorFlopsPerSecond, ...over.vectorFlopsPerSecond},
  };
}

/** Another kind has other degrees: none remains. */
function mergeParallelisms(base: ParallelismConfig, over: ParallelismConfig): ParallelismConfig {
  const isOtherKind = over.kind !== undefined && over.kind !== (base.kind ?? usualDegrees.kind);
  return isOtherKind ? over : {...base, ...over};
}

/** Returns the input for an estimate. @throws EstimateError */
export function estimateInput(config: EstimateConfig): EstimateInput {
  return {
    shape: shapeOf(config.model ?? {}),
    system: systemOf(config.system ?? {}),
    parallelism: parallelismOf(config.parallelism ?? {}),
    precision: config.precision ?? 'fp16',
    variant: config.variant ?? 'corrected',
  };
}

function parallelismConfig(value: unknown): ParallelismConfig {
  const place = 'The parallelism';
  const values = objectOf(value, place, ['kind', ...degrees]);
  return present<ParallelismConfig>({
    kind: wordOf(values, 'kind', place, parallelismKinds),
    ...Object.fromEntries(degrees.map(key => [key, numberOf(values, key, place)])),
  });
}

const usualDegrees = {kind: '1D', tensor: 1, expert: 1, rows: 1, columns: 1, depth: 1, inner: 1} as const;

const degreesOf: Readonly<Record<Parallelism['kind'], readonly (typeof degrees)[number][]>> = {
  '1D': ['tensor', 'sequence', 'expert'],
  '2D': ['rows', 'columns'],
  '2.5D': ['rows', 'columns', 'depth'],
  '3D': ['rows', 'columns', 'inner'],
};

/** Sequences are split like tensors unless specified. @throws EstimateError for a degree of another kind */
function parallelismOf(config: ParallelismConfig): Parallelism {
  const {kind, tensor, expert, rows, columns, depth, inner} = {...usualDegrees, ...config};
  const foreign = degrees.find(degree => (config[degree] ?? 1) !== 1 && !degreesOf[kind].includes(degree));
  if (foreign !== undefined) {
    throw new EstimateError(`${kind} parallelism takes no ${foreign} degree: it has ${degreesOf[kind].join(', ')}.`);
  }
  switch (kind) {
    case '1D':
      return {kind, tensor, sequence: config.sequence ?? tensor, expert};
    case '2D':
      return {kind, rows, columns, depth: 1};
    case '2.5D':
      return {kind, rows, columns, depth};
    case '3D':
      return {kind, rows, columns, inner};
  }
}

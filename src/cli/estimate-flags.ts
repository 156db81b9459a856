import {estimateConfig, parallelismKinds, type EstimateConfig} from '../core/estimate/estimate-config.js';
import {EstimateError} from '../core/estimate/estimate-error.js';
import {precisions, type Precision} from '../core/estimate/precision.js';
import {UsageError, type CommandOptions} from './command.js';

/** What a flag takes: a number, yes or no, or one of some words, which are checked where the configuration is. */
type Takes = 'number' | 'yes-no' | readonly string[];

/** Where in a configuration a flag goes, and what it takes. */
type Flag = readonly [part: 'model' | 'system' | 'parallelism' | null, key: string, takes: Takes];

const flags: Readonly<Record<string, Flag>> = {
  model: ['model', 'preset', ['MODEL']],
  batch: ['model', 'batch', 'number'],
  length: ['model', 'length', 'number'],
  embedding: ['model', 'embedding', 'number'],
  hidden: ['model', 'hidden', 'number'],
  heads: ['model', 'heads', 'number'],
  'key-value-heads': ['model', 'keyValueHeads', 'number'],
  'head-width': ['model', 'headWidth', 'number'],
  depth: ['model', 'depth', 'number'],
  norm: ['model', 'norm', ['layer-norm', 'rms-norm']],
  mlp: ['model', 'mlp', ['plain', 'gated']],
  attention: ['model', 'attention', ['plain', 'flash']],
  causal: ['model', 'isCausal', 'yes-no'],
  bias: ['model', 'hasBias', 'yes-no'],
  dropout: ['model', 'hasDropout', 'yes-no'],
  experts: ['model', 'experts', 'number'],
  'experts-per-token': ['model', 'expertsPerToken', 'number'],
  'expert-layers': ['model', 'expertLayers', 'number'],
  system: ['system', 'preset', ['SYSTEM']],
  'hbm-gbps': ['system', 'hbmGBps', 'number'],
  'nvlink-gbps': ['system', 'nvlinkGBps', 'number'],
  'infiniband-gbps': ['system', 'infinibandGBps', 'number'],
  'nvlink-domain-size': ['system', 'nvlinkDomainSize', 'number'],
  parallelism: ['parallelism', 'kind', parallelismKinds],
  'tensor-parallel': ['parallelism', 'tensor', 'number'],
  'sequence-parallel': ['parallelism', 'sequence', 'number'],
  'expert-parallel': ['parallelism', 'expert', 'number'],
  precision: [null, 'precision', precisions],
  variant: [null, 'variant', ['printed']],
};

/** Flags whose figure belongs to the precision that is asked for. */
const peakFlags = {'matrix-tflops': 'matrixTflops', 'vector-tflops': 'vectorTflops'} as const;

export const estimateFlags: CommandOptions = Object.fromEntries(
  [...Object.keys(flags), ...Object.keys(peakFlags), 'grid'].map(name => [name, {type: 'string'} as const]),
);

/** Those of the model and its precision alone. */
export const modelFlags: CommandOptions = Object.fromEntries(
  Object.entries(flags)
    .filter(([, [part, key]]) => part === 'model' || key === 'precision')
    .map(([name]) => [name, {type: 'string'} as const]),
);

/** The flags, for the help: those that it begins with are left out. */
export const estimateUsage = wrapped(
  [
    ...Object.entries(flags)
      .filter(([name]) => !['model', 'system', 'tensor-parallel', 'variant'].includes(name))
      .map(([name, [, , takes]]) => `[--${name} ${wordsOf(takes)}]`),
    ...Object.keys(peakFlags).map(name => `[--${name} N]`),
    '[--grid 4x4|4x4x2]',
  ],
  {indent: 6, width: 120},
);

/**
 * What the flags say, as a configuration.
 *
 * @param filePrecision the precision of the file that they stand beside
 * @throws UsageError
 */
export function configOfFlags(
  options: Readonly<Record<string, string | boolean | undefined>>,
  filePrecision: Precision = 'fp16',
): EstimateConfig {
  const parts: Record<string, Record<string, unknown>> = {model: {}, system: {}, parallelism: {}};
  const top: Record<string, unknown> = {};
  for (const [name, [part, key, takes]] of Object.entries(flags)) {
    const text = options[name];
    if (typeof text !== 'string') continue;
    (part === null ? top : (parts[part] ?? top))[key] = valueOf(name, text, takes);
  }
  for (const [name, key] of Object.entries(peakFlags)) {
    const text = options[name];
    if (typeof text !== 'string') continue;
    const precision = typeof options['precision'] === 'string' ? options['precision'] : filePrecision;
    parts['system'] = {...parts['system'], [key]: {[precision]: valueOf(name, text, 'number')}};
  }
  parts['parallelism'] = {...parts['parallelism'], ...gridOf(options['grid'], parts['parallelism']?.['kind'])};
  try {
    return estimateConfig({...parts, ...top});
  } catch (error) {
    if (error instanceof EstimateError) throw new UsageError(error.message, {cause: error});
    throw error;
  }
}

/** What a flag says. @throws UsageError */
export function valueOf(name: string, text: string, takes: Takes): string | number | boolean {
  if (typeof takes === 'object') return text;
  if (takes === 'yes-no') {
    if (text === 'yes' || text === 'no') return text === 'yes';
    throw new UsageError(`--${name} takes yes or no; not "${text}".`);
  }
  const number = text.trim() === '' ? NaN : Number(text);
  if (Number.isFinite(number)) return number;
  throw new UsageError(`--${name} takes a number, not "${text}".`);
}

/** The sides of a grid: rows, columns, and depth (2.5D) or the inner side (3D). @throws UsageError */
function gridOf(text: string | boolean | undefined, kind: unknown): Readonly<Record<string, unknown>> {
  if (typeof text !== 'string') return {};
  const match = /^(\d+)x(\d+)(?:x(\d+))?$/.exec(text);
  if (!match) throw new UsageError(`--grid takes two or three numbers like 4x4 or 4x4x2; not "${text}".`);
  const [rows, columns, third] = match.slice(1).map(Number);
  const isFlat = match[3] === undefined;
  if (kind === '1D' || (kind === '2D' && !isFlat))
    throw new UsageError(`--grid ${text} does not go with --parallelism ${kind}.`);
  if (isFlat) return {kind: kind ?? '2D', rows, columns};
  return kind === '2.5D' ? {kind, rows, columns, depth: third} : {kind: '3D', rows, columns, inner: third};
}

function wordsOf(takes: Takes): string {
  if (takes === 'number') return 'N';
  return takes === 'yes-no' ? 'yes|no' : takes.join('|');
}

/** Words in lines of no more than so many letters. */
function wrapped(words: readonly string[], {indent, width}: {readonly indent: number; readonly width: number}): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && indent + last.length + 1 + word.length <= width) lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(word);
  }
  return lines.map(line => ' '.repeat(indent) + line).join('\n');
}

import {mergeConfigs} from '../core/estimate/estimate-config.js';
import {EstimateError} from '../core/estimate/estimate-error.js';
import {shapeOf} from '../core/estimate/model-config.js';
import {precisions} from '../core/estimate/precision.js';
import {optimizers, trainingMemory, trainingSetup, type TrainingMemory} from '../core/estimate/training-memory.js';
import type {EstimateBeside, EstimateRow} from '../core/memory-snapshot/estimate-beside.js';
import {formatBytes} from '../core/memory-snapshot/format-bytes.js';
import {UsageError, type CommandOptions, type OptionValues} from './command.js';
import {readEstimateFile} from './estimate-file.js';
import {configOfFlags, modelFlags, valueOf} from './estimate-flags.js';
import {formatRows, type Column} from './report.js';

/** Where in a training setup a flag goes, and what it takes. */
const trainingFlags = {
  vocabulary: ['vocabulary', 'number'],
  tied: ['isTied', 'yes-no'],
  'weight-precision': ['weightPrecision', precisions],
  optimizer: ['optimizer', optimizers],
} as const;

/** What `memory` takes to set an estimate beside what was measured. */
export const memoryEstimateFlags: CommandOptions = {
  ...modelFlags,
  config: {type: 'string'},
  ...Object.fromEntries(Object.keys(trainingFlags).map(name => [name, {type: 'string'} as const])),
};

/** Those flags, for the help. */
export const memoryEstimateUsage = `      [--model MODEL | --config FILE.json] [--batch N] [--length N] … (the model, as in estimate) [--precision ${precisions.join('|')}]
      [--vocabulary N] [--tied yes|no] [--weight-precision ${precisions.join('|')}] [--optimizer ${optimizers.join('|')}]`;

/** What the model that the flags name takes to train; null where they name none. @throws UsageError; TraceError */
export async function estimateOfFlags(options: OptionValues): Promise<TrainingMemory | null> {
  const given = Object.keys(memoryEstimateFlags).filter(name => options[name] !== undefined);
  if (given.length === 0) return null;
  const {config: path} = options;
  const file = typeof path === 'string' ? await readEstimateFile(path) : {};
  const setup = Object.entries(trainingFlags).flatMap(([name, [key, takes]]) => {
    const text = options[name];
    return typeof text === 'string' ? [[key, valueOf(name, text, takes)] as const] : [];
  });
  try {
    const {model = {}, precision = 'fp16'} = mergeConfigs(file, configOfFlags(options));
    return trainingMemory({shape: shapeOf(model), precision}, trainingSetup(Object.fromEntries(setup)));
  } catch (error) {
    if (error instanceof EstimateError) throw new UsageError(error.message, {cause: error});
    throw error;
  }
}

/** The estimate as a table for people, with what its figures mean. */
export function estimateBesideText({rows, text}: EstimateBeside): string {
  return `\n${text}\n\n${formatRows(rows, columns, 'table')}`;
}

const bytes = (key: keyof EstimateRow & `${string}Bytes`, title: string): Column<EstimateRow> => ({
  key,
  title,
  value: row => row[key],
  text: row => (row[key] === null ? '–' : formatBytes(row[key])),
});

const columns: readonly Column<EstimateRow>[] = [
  bytes('estimatedBytes', 'Estimated'),
  bytes('measuredBytes', 'Measured'),
  bytes('unexplainedBytes', 'Unexplained'),
  {key: 'part', title: 'Part', value: ({part}) => part},
];

import type {ParseArgsOptionsConfig} from 'node:util';
import {
  flameLevels,
  flameModes,
  flamePasses,
  flameWeights,
  isOfThreads,
  type FlameQuery,
} from '../core/flame/flame-graph.js';
import type {Trace} from '../core/trace/trace.js';
import {oneOf, UsageError} from './command.js';
import {selectionOf, selectionOptions, selectionUsage} from './selection.js';

/** The options that choose the contents of a flame graph. */
export const flameOptions = {
  weight: {type: 'string'},
  mode: {type: 'string'},
  focus: {type: 'string'},
  levels: {type: 'string'},
  pass: {type: 'string'},
  fold: {type: 'boolean'},
  'no-fold': {type: 'boolean'},
  ...selectionOptions,
} as const satisfies ParseArgsOptionsConfig;

export const flameUsage = `[--weight ${flameWeights.join('|')}] [--mode ${flameModes.join('|')}] [--focus NAME]
      [--levels ${flameLevels.join(',')}] [--pass ${flamePasses.join('|')}] [--fold|--no-fold]
      ${selectionUsage}`;

/** The flame graph that the options of a command name. @throws UsageError */
export function flameQueryOf(options: Readonly<Record<string, string | boolean | undefined>>): FlameQuery {
  const mode = oneOf('mode', options['mode'], flameModes, 'merged');
  const {focus} = options;
  if (typeof focus === 'string' && mode !== 'sandwich') throw new UsageError('--focus goes with --mode sandwich.');
  const weight = oneOf('weight', options['weight'], flameWeights, 'gpu-work');
  const pass = oneOf('pass', options['pass'], flamePasses, 'all');
  if (pass !== 'all' && isOfThreads(weight)) {
    throw new UsageError(`--pass tells GPU work apart: it does not go with --weight ${weight}.`);
  }
  return {
    weight,
    mode,
    ...levelsOf(options['levels']),
    pass,
    ...foldOf(options),
    selection: selectionOf(options),
    ...(typeof focus === 'string' ? {focus} : {}),
  };
}

/**
 * Returns the query for a profile. Without a chosen weight and without GPU work, it is CPU time, as in the view.
 *
 * @param weight the option as it was given
 */
export function queryOfProfile(trace: Trace, query: FlameQuery, weight: string | boolean | undefined): FlameQuery {
  const hasGpuWork = trace.gpuOperations.length > 0;
  return weight === undefined && !hasGpuWork && query.pass === 'all' ? {...query, weight: 'cpu'} : query;
}

/** Without a choice, identical layers are one block where modules are shown. */
function foldOf(options: Readonly<Record<string, string | boolean | undefined>>): Pick<FlameQuery, 'isFolded'> {
  const [isFolded, isApart] = [options['fold'] === true, options['no-fold'] === true];
  if (isFolded && isApart) throw new UsageError('--fold and --no-fold exclude each other.');
  return isFolded || isApart ? {isFolded} : {};
}

function levelsOf(value: string | boolean | undefined): Pick<FlameQuery, 'levels'> {
  if (typeof value !== 'string') return {};
  const words = value.split(',');
  for (const word of words) oneOf('levels', word, flameLevels, 'ranges');
  return {levels: flameLevels.filter(level => words.includes(level))};
}

import {isFields, type JsonFields} from '../../src/core/base/read-json.js';
import type {Selection} from '../../src/core/scope/selection.js';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import type {ShownSelection} from '../../src/protocol/view-messages.js';
import {
  flameLevels,
  flameModes,
  flamePasses,
  flameWeights,
  isOfThreads,
  type FlameQuery,
} from '../../src/core/flame/flame-graph.js';
import {storedSelection, storedStack} from '../shared/stored-selection.js';

/** A flame graph of one profile, as it is looked at. */
export interface FlamePicture {
  readonly query: FlameQuery;
  /** Names from the root to the block that fills the width. */
  readonly path: readonly string[];
}

/**
 * Returns the valid part of a stored choice, which another version may have written. The selection and the focus belong
 * to one profile, and are dropped.
 */
export function storedQuery(stored: unknown): FlameQuery | null {
  const choice = isFields(stored) ? stored : {};
  const weight = flameWeights.find(value => value === choice['weight']);
  if (!weight) return null;
  const {levels, isFolded} = choice;
  return {
    weight,
    mode: flameModes.find(value => value === choice['mode'] && value !== 'sandwich') ?? 'merged',
    pass: flamePasses.find(value => value === choice['pass']) ?? 'all',
    ...(Array.isArray(levels) && {levels: flameLevels.filter(level => levels.includes(level))}),
    ...(typeof isFolded === 'boolean' && {isFolded}),
  };
}

/** Returns the valid part of the picture that was stored of a profile; null if there is none. */
export function storedPicture({query: stored, path}: JsonFields): FlamePicture | null {
  const query = storedQuery(stored);
  if (!query || !isFields(stored)) return null;
  const {mode, focus, selection, stack} = stored;
  return {
    query: {
      ...query,
      ...(mode === 'sandwich' && {mode}),
      ...(typeof focus === 'string' && {focus}),
      selection: storedSelection(selection),
      ...(isFields(stack) && {stack: storedStack(stack)}),
    },
    path: Array.isArray(path) ? path.filter(name => typeof name === 'string') : [],
  };
}

/**
 * Returns the same picture for another rank's file: steps and ranges keep their names; the rest of a selection belongs
 * to one file.
 */
export function queryOfRank({selection = {}, ...query}: FlameQuery, steps: readonly {number: number}[]): FlameQuery {
  const {step, range} = selection;
  const hasStep = step !== undefined && steps.some(({number}) => number === step);
  return {...query, selection: {...(hasStep && {step}), ...(range !== undefined && {range})}};
}

/** Returns the same picture of a whole profile: it may lack the name in the selection or the focus. */
export function wholeQuery({weight, mode = 'merged', pass = 'all', ...query}: FlameQuery): FlameQuery {
  return {weight, mode: mode === 'sandwich' ? 'merged' : mode, pass, ...shapeOf(query)};
}

/** Returns the chosen levels and folding; the default depends on the profile. */
function shapeOf({levels, isFolded}: Pick<FlameQuery, 'levels' | 'isFolded'>): Pick<FlameQuery, 'levels' | 'isFolded'> {
  return {...(levels && {levels}), ...(isFolded !== undefined && {isFolded})};
}

/**
 * Returns the same picture of a selection; with a name, its callers and callees by GPU work, whatever levels were
 * shown.
 */
export function queryOfSelection(
  {weight, mode = 'merged', ...query}: FlameQuery,
  {selection, stack, focus}: ShownSelection,
): FlameQuery {
  const of = {selection, ...(selection.range !== undefined && {stack})};
  if (focus === null) return {weight, mode: mode === 'sandwich' ? 'merged' : mode, ...shapeOf(query), ...of};
  return {weight: isOfThreads(weight) ? 'gpu-work' : weight, mode: 'sandwich', focus, ...of};
}

/**
 * Returns the same picture of another selection. If the range differs, the stack of the earlier picture no longer
 * applies.
 */
export function queryWithSelection({stack, ...query}: FlameQuery, selection: Selection): FlameQuery {
  return {...query, selection, ...(stack && selection.range === query.selection?.range && {stack})};
}

/**
 * Returns the same picture of a single range, within a window if one is given. The focused name and the pass are
 * dropped, because they were not chosen for this range.
 */
export function queryOfRange(
  {weight, mode = 'merged', ...query}: FlameQuery,
  range: string,
  window: TimeWindow | null,
): FlameQuery {
  return {weight, mode: mode === 'sandwich' ? 'merged' : mode, ...shapeOf(query), selection: {range, ...window}};
}

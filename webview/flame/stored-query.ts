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

/**
 * The choice that was stored, as far as it makes sense: a later version may read it. What is of one profile alone, the
 * selection and the focus, is not taken over.
 */
export function storedQuery(stored: unknown): FlameQuery | null {
  const choice = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Record<string, unknown>>;
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

/** The same picture of another rank's file: steps and ranges have its names, too; the rest of a selection is one file's. */
export function queryOfRank({selection = {}, ...query}: FlameQuery, steps: readonly {number: number}[]): FlameQuery {
  const {step, range} = selection;
  const hasStep = step !== undefined && steps.some(({number}) => number === step);
  return {...query, selection: {...(hasStep && {step}), ...(range !== undefined && {range})}};
}

/** The same picture of a whole profile: what is looked for, in the selection or the midst, may be nothing of it. */
export function wholeQuery({weight, mode = 'merged', pass = 'all', ...query}: FlameQuery): FlameQuery {
  return {weight, mode: mode === 'sandwich' ? 'merged' : mode, pass, ...shapeOf(query)};
}

/** What levels and which folding were chosen: what is usual for a profile is asked of each. */
function shapeOf({levels, isFolded}: Pick<FlameQuery, 'levels' | 'isFolded'>): Pick<FlameQuery, 'levels' | 'isFolded'> {
  return {...(levels && {levels}), ...(isFolded !== undefined && {isFolded})};
}

/** The same picture of a selection; with a name, its callers and callees by what the GPU did, whatever levels were shown. */
export function queryOfSelection(
  {weight, mode = 'merged', ...query}: FlameQuery,
  {selection, stack, focus}: ShownSelection,
): FlameQuery {
  const of = {selection, ...(selection.range !== undefined && {stack})};
  if (focus === null) return {weight, mode: mode === 'sandwich' ? 'merged' : mode, ...shapeOf(query), ...of};
  return {weight: isOfThreads(weight) ? 'gpu-work' : weight, mode: 'sandwich', focus, ...of};
}

/** The same picture of another selection: another range is one of the picture's own. */
export function queryWithSelection({stack, ...query}: FlameQuery, selection: Selection): FlameQuery {
  return {...query, selection, ...(stack && selection.range === query.selection?.range && {stack})};
}

/** The same picture of a range alone, in a window where one is given; what was asked of a name, or of one pass, is none of the range's. */
export function queryOfRange(
  {weight, mode = 'merged', ...query}: FlameQuery,
  range: string,
  window: TimeWindow | null,
): FlameQuery {
  return {weight, mode: mode === 'sandwich' ? 'merged' : mode, ...shapeOf(query), selection: {range, ...window}};
}

import {buckets} from '../../src/core/attribution/site-chains.js';
import type {TableTab} from '../../src/core/tabs/tab-list.js';

/**
 * The actions on a row: show the kernels of a range, the duration of each run, the names that are folded into it, the
 * row in another view, or what could change about it.
 */
export type RowAction = 'kernels' | 'durations' | 'timeline' | 'flame' | 'source' | 'what-if' | 'unfold';

const actions: Readonly<Record<TableTab['row'], readonly RowAction[]>> = {
  range: ['kernels', 'timeline', 'flame', 'source', 'what-if'],
  kernel: ['durations', 'timeline', 'flame', 'source', 'what-if'],
  operator: ['timeline', 'flame', 'source', 'what-if'],
  step: ['timeline', 'flame'],
  operation: ['durations', 'timeline', 'flame', 'source', 'what-if'],
  call: ['durations', 'timeline'],
  plain: [],
};

/**
 * Returns the actions on a row, in the order of the buttons. Work outside of ranges has a row, but no place as a whole.
 */
export function rowActions(row: TableTab['row'], name: string, isFolded = false): readonly RowAction[] {
  if (row === 'range' && buckets.some(bucket => bucket === name)) return [];
  return isFolded ? ['unfold', ...actions[row]] : actions[row];
}

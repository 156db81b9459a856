import {buckets} from '../../src/core/attribution/site-chains.js';
import type {TableTab} from '../../src/core/tabs/tab-list.js';

/** What can be done with a row: see the kernels of a range, how long each run took, the names that are folded into it, the row elsewhere, or what could be different about it. */
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

/** What leads on from a row, in the order of the buttons. Work of no range has a row, and is nowhere as one. */
export function rowActions(row: TableTab['row'], name: string, isFolded = false): readonly RowAction[] {
  if (row === 'range' && buckets.some(bucket => bucket === name)) return [];
  return isFolded ? ['unfold', ...actions[row]] : actions[row];
}

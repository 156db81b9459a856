import {say} from '../base/say.js';
import {formatDuration} from '../format/duration.js';
import {allocateColumns} from '../table/table.js';
import {flameSchema, type FlameGraph} from '../flame/flame-graph.js';
import type {DifferenceMeasure, DifferenceSide} from '../flame/flame-difference.js';
import type {ComparedFlames} from './compare-flames.js';

/**
 * Returns a differential flame graph: blocks are as wide as their time on one side, and show their change in colour and
 * text. A note states the work that only the other side has.
 *
 * @see docs/metrics.md#flame-difference
 */
export function differenceGraph(
  {tree, difference, notes}: ComparedFlames,
  side: DifferenceSide,
  measure: DifferenceMeasure,
): FlameGraph {
  const {length, parent, name, kind} = tree;
  const {workNs, calls} = side === 'before' ? difference.before : difference.after;
  const columns = {...allocateColumns(flameSchema, length), parent, name, kind};
  columns.total.set(workNs);
  columns.workNs.set(workNs);
  columns.self.set(workNs);
  columns.operations.set(calls);
  columns.slice.fill(-1);
  columns.busyNs.fill(NaN);
  columns.firstNs.fill(NaN);
  columns.lastNs.fill(NaN);
  for (let block = 1; block < length; block++) columns.self[parent[block]] -= workNs[block];
  // Sums of fractions leave rounding errors.
  for (let block = 0; block < length; block++) if (columns.self[block] < 1e-6) columns.self[block] = 0;
  return {
    ...{weight: 'gpu-work', mode: 'merged', names: tree.names, total: workNs[0]},
    nodes: {length, ...columns},
    notes: [...notes, ...hiddenNote({tree, difference, notes}, side)],
    difference: {...difference, side, measure},
  };
}

/** Returns a note about the work that has no width because it is not on this side. */
function hiddenNote({tree, difference}: ComparedFlames, side: DifferenceSide): string[] {
  const [own, other] =
    side === 'before' ? [difference.before, difference.after] : [difference.after, difference.before];
  let hiddenNs = 0;
  for (let block = 1; block < tree.length; block++) {
    const isTop = own.workNs[block] === 0 && own.workNs[tree.parent[block]] > 0;
    if (isTop) hiddenNs += other.workNs[block];
  }
  if (hiddenNs === 0) return [];
  return [
    say(
      side === 'before'
        ? '{0} of work is new and has no width here: show the time after to see it.'
        : '{0} of work is gone and has no width here: show the time before to see it.',
      formatDuration(hiddenNs),
    ),
  ];
}

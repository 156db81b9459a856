import {say} from '../../base/say.js';
import {formatCount} from '../../format/count.js';
import {least} from '../../table/extremes.js';
import {getOrAdd} from '../../table/get-or-add.js';
import {kindIndex} from '../../trace/slices.js';
import type {Trace} from '../../trace/trace.js';
import {byBound, type Bound, type ChangeEffect} from './change.js';
import type {ReplayPlan} from './replay-plan.js';

/**
 * Merges CPU operators that are repeated inside ranges into one call each, on all their data. The fixed cost of a call
 * is then paid once, and so is the Python code in between. The fixed cost is assumed to be most of the shortest call.
 *
 * @param ranges slices of threads
 */
export function fuseOperators(plan: ReplayPlan, bound: Bound, ranges: readonly number[]): ChangeEffect {
  const {slices} = plan.trace;
  let calls = 0;
  for (const range of ranges) {
    const rangeNs = slices.durationNs[range];
    const ofName = new Map<number, number[]>();
    for (const row of operatorsIn(plan.trace, range))
      getOrAdd(ofName, slices.name[row], () => []).push(slices.durationNs[row]);
    const repeated = [...ofName.values()].filter(({length}) => length > 1);
    if (repeated.length === 0 || rangeNs === 0) continue;
    let leftNs = 0;
    for (const durations of ofName.values()) {
      const sumNs = durations.reduce((sum, ns) => sum + ns, 0);
      const ownNs = least(durations) * byBound(bound, 0.9, 1, 0.5);
      leftNs += sumNs - (durations.length - 1) * ownNs;
      calls += durations.length > 1 ? durations.length : 0;
    }
    plan.scaleSlices([range], Math.min(1, leftNs / rangeNs));
  }
  if (calls === 0) return {unknown: say('no operator is repeated inside it')};
  return {
    basis: say(
      '{0} calls of operators become one call per operator and range. The fixed cost of a call is 90 % of the shortest one (at best 100 %, at worst 50 %)',
      formatCount(calls),
    ),
  };
}

/** Returns the outermost operators inside a range on its thread. */
function operatorsIn({slices, tracks}: Trace, range: number): number[] {
  const endNs = slices.startNs[range] + slices.durationNs[range];
  const {endSlice} = tracks[slices.track[range]];
  const found: number[] = [];
  let doneNs = -Infinity;
  for (let row = range + 1; row < endSlice && slices.startNs[row] < endNs; row++) {
    if (slices.kind[row] !== kindIndex.cpu_op || slices.startNs[row] < doneNs) continue;
    doneNs = slices.startNs[row] + slices.durationNs[row];
    found.push(row);
  }
  return found;
}

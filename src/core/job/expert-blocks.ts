import {median} from '../base/median.js';
import {firstWhere} from '../table/search.js';
import {kindIndex, taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {expertOf} from './expert-loads.js';

/** One pass through the experts of a layer, on the CPU. */
export interface ExpertBlock {
  readonly layer: string;
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * The layer with experts that a call belongs to, and whether the call sends data to the experts or collects their
 * results.
 */
export interface CallLayer {
  readonly layer: string | null;
  readonly isDispatch: boolean;
}

/**
 * Returns the passes through the experts of layers, in order: consecutive ranges named as experts of one layer, each
 * expert once.
 *
 * @param processes processes whose ranges count; null for all
 */
export function expertBlocks({slices, strings, tracks}: Trace, processes: ReadonlySet<number> | null): ExpertBlock[] {
  const kinds = new Set([...taggedRangeKinds].map(kind => kindIndex[kind]));
  const named = new Map<number, ReturnType<typeof expertOf>>();
  const blocks: {layer: string; startNs: number; endNs: number; experts: Set<number>}[] = [];
  for (let row = 0; row < slices.length; row++) {
    if (!kinds.has(slices.kind[row]) || processes?.has(tracks[slices.track[row]].process) === false) continue;
    const name = slices.name[row];
    let found = named.get(name);
    if (found === undefined) named.set(name, (found = expertOf(strings.get(name))));
    if (found === null) continue;
    const {layer, expert} = found;
    const [startNs, endNs] = [slices.startNs[row], slices.startNs[row] + slices.durationNs[row]];
    const last = blocks.at(-1);
    if (last?.layer === layer && !last.experts.has(expert)) {
      last.experts.add(expert);
      last.endNs = Math.max(last.endNs, endNs);
    } else blocks.push({layer, startNs, endNs, experts: new Set([expert])});
  }
  return blocks.sort((a, b) => a.startNs - b.startNs);
}

/**
 * Returns a function that finds the layer of a call: the one whose experts run nearest before or after it, within the
 * usual (median) distance between passes.
 *
 * @param blocks in order of start
 * @see docs/metrics.md#job-exchanges
 */
export function layersOfCalls(blocks: readonly ExpertBlock[]): (calledNs: number) => CallLayer {
  const gaps = blocks.slice(1).map(({startNs}, at) => Math.max(0, startNs - blocks[at].endNs));
  const furthestNs = gaps.length === 0 ? Infinity : median(gaps);
  return calledNs => {
    const next = firstWhere(0, blocks.length, at => blocks[at].startNs > calledNs);
    const afterNs = next > 0 ? Math.max(0, calledNs - blocks[next - 1].endNs) : Infinity;
    const beforeNs = next < blocks.length ? blocks[next].startNs - calledNs : Infinity;
    if (!(Math.min(afterNs, beforeNs) <= furthestNs) || blocks.length === 0) return {layer: null, isDispatch: false};
    const isDispatch = beforeNs < afterNs;
    return {layer: blocks[isDispatch ? next : next - 1].layer, isDispatch};
  };
}

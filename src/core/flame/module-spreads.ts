import type {Ranges} from '../attribution/ranges.js';
import {moduleLabels} from '../figures/module-labels.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';
import {spreadOf, type Spread} from './fold-flame.js';
import type {FlameSamples} from './flame-samples.js';

/**
 * Returns the spread of the totals of modules that are folded into each block.
 *
 * @param blockOf range → its block, -1 for none
 */
export function moduleSpreads(
  trace: Trace,
  {slice, parent}: Ranges,
  samples: FlameSamples,
  blockOf: Int32Array,
): Map<number, Spread> {
  const totals = new Float64Array(slice.length);
  for (let at = 0; at < samples.length; at++)
    if (samples.range[at] >= 0) totals[samples.range[at]] += samples.weight[at];
  const {moduleOf} = moduleLabels(trace);
  const totalsOf = new Map<number, Map<number, number>>();
  // A range's parents come before it.
  for (let range = slice.length - 1; range >= 0; range--) {
    if (parent[range] >= 0) totals[parent[range]] += totals[range];
    const module = moduleOf(slice[range]);
    if (module < 0 || blockOf[range] <= 0) continue;
    const modules = getOrAdd(totalsOf, blockOf[range], () => new Map<number, number>());
    modules.set(module, (modules.get(module) ?? 0) + totals[range]);
  }
  const several = [...totalsOf].filter(([, modules]) => modules.size > 1);
  return new Map(several.map(([block, modules]) => [block, spreadOf([...modules.values()])]));
}

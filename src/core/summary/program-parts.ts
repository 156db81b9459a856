import {say} from '../base/say.js';
import {modulesShown} from '../figures/modules-shown.js';
import {rangeTree} from '../questions/range-tree.js';
import {filterOfName} from '../scope/range-filter.js';
import type {Selection} from '../scope/selection.js';
import {isPyTorchRange} from '../source/pytorch-ranges.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';

/** A part of the program that people ask about: a pass of training, or a range of their own. */
export interface ProgramPart {
  readonly text: string;
  readonly selection: Pick<Selection, 'pass' | 'range'>;
}

/** A list to choose from is not longer. */
const mostRanges = 12;

/**
 * Returns the parts of the program whose work the summary can be narrowed to: the passes, where there is backward work,
 * and the person's own ranges with the most GPU work. Steps, and ranges that differ by a number only, are left out.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function programParts(trace: Trace): ProgramPart[] {
  const {nodes} = rangeTree(trace, 'profile');
  const hasBackward = nodes.some(({backwardGpuWorkNs}) => backwardGpuWorkNs > 0);
  const passes: ProgramPart[] = hasBackward
    ? [
        {text: say('Forward pass'), selection: {pass: 'forward'}},
        {text: say('Backward pass'), selection: {pass: 'backward'}},
      ]
    : [];
  if (modulesShown(trace) === 'shown') return passes;
  const workNs = new Map<string, number>();
  const alike = new Map<string, Set<string>>();
  for (const {name, isFolded, gpuWorkNs, backwardGpuWorkNs} of nodes) {
    if (isFolded || isPyTorchRange(name) || gpuWorkNs + backwardGpuWorkNs === 0) continue;
    workNs.set(name, (workNs.get(name) ?? 0) + gpuWorkNs + backwardGpuWorkNs);
    getOrAdd(alike, withoutNumbers(name), () => new Set<string>()).add(name);
  }
  const ranges = [...workNs]
    .filter(([name]) => alike.get(withoutNumbers(name))?.size === 1)
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostRanges)
    .map(([name]) => ({text: say('Range {0}', name), selection: {range: filterOfName(name)}}));
  return [...passes, ...ranges];
}

/** Repeated layers are told apart by numbers alone. */
function withoutNumbers(name: string): string {
  return name.replace(/\d+/g, '*');
}

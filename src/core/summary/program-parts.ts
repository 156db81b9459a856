import {say} from '../base/say.js';
import {modulesShown} from '../figures/modules-shown.js';
import {rangeTree} from '../questions/range-tree.js';
import {filterOfName} from '../scope/range-filter.js';
import type {Selection} from '../scope/selection.js';
import {isPyTorchRange} from '../source/pytorch-ranges.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';

/** A part of the program of interest to users: a pass of training, or a range of their own. */
export interface ProgramPart {
  readonly text: string;
  readonly selection: Pick<Selection, 'pass' | 'range'>;
}

/** The greatest length of the list. */
const mostRanges = 12;

/**
 * Returns the parts of the program to which the summary can be limited: the passes, if there is backward work, and the
 * user's own ranges with the most GPU work. Excludes steps, and ranges that differ only by a number.
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

/** Removes numbers, by which repeated layers differ. */
function withoutNumbers(name: string): string {
  return name.replace(/\d+/g, '*');
}

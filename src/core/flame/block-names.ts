import {foldName} from '../names/operator-name.js';
import {moduleLabels} from '../figures/module-labels.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';

/** How blocks are named. */
export interface BlockNaming {
  /** Names as they are: in the order of time each range is a block. */
  readonly isInTimeOrder: boolean;
  /** Whether identical layers are one block. */
  readonly isFolded: boolean;
}

/** Row of the slices table → what its block is called. */
export function blockNames(trace: Trace, {isInTimeOrder, isFolded}: BlockNaming): (row: number) => string {
  const {slices, strings} = trace;
  const asItIs = (row: number) => strings.get(slices.name[row]);
  if (isInTimeOrder) return asItIs;
  const labels = isFolded ? moduleLabels(trace) : null;
  // Names are few and rows many.
  const texts = new Map<number, string>();
  return row => labels?.of(row) ?? getOrAdd(texts, slices.name[row], () => foldName(asItIs(row)));
}

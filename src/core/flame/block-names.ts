import {foldName} from '../names/operator-name.js';
import {moduleLabels} from '../figures/module-labels.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';

/** The naming of blocks. */
export interface BlockNaming {
  /** Whether names are unchanged: in time order, each range is a block. */
  readonly isInTimeOrder: boolean;
  /** Whether identical layers are one block. */
  readonly isFolded: boolean;
}

/** Returns a function that maps a row of the slices table to its block's name. */
export function blockNames(trace: Trace, {isInTimeOrder, isFolded}: BlockNaming): (row: number) => string {
  const {slices, strings} = trace;
  const asItIs = (row: number) => strings.get(slices.name[row]);
  if (isInTimeOrder) return asItIs;
  const labels = isFolded ? moduleLabels(trace) : null;
  // There are few names and many rows.
  const texts = new Map<number, string>();
  return row => labels?.of(row) ?? getOrAdd(texts, slices.name[row], () => foldName(asItIs(row)));
}

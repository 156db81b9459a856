import {insideNs} from '../attribution/chosen.js';
import {kindMask, type SliceKind, type SliceTable} from '../trace/slices.js';
import {TextGroups} from './group-index.js';
import {GroupedValues} from './group-statistics.js';
import type {NamedGroups} from './operation-groups.js';
import type {ReportSource} from './report-source.js';

export type CallGroups = Pick<NamedGroups, 'names' | 'statistics'>;

/**
 * Returns the slices of some kinds that are in scope, grouped by name, or by the text that `textOf` makes of the name
 * if `isByText` is set. Otherwise names with equal texts form separate groups.
 */
export function callsByName(
  {trace, scope}: ReportSource,
  kinds: readonly SliceKind[],
  textOf: (name: string) => string,
  {isByText = false} = {},
): CallGroups {
  const {slices, strings} = trace;
  const isWanted = kindMask(new Set(kinds));
  const keys = new TextGroups();
  const groupOfName = keys.byNumber(strings.length, name => (isByText ? textOf(strings.get(name)) : strings.get(name)));
  const sizes: number[] = [];
  eachRow(slices, isWanted, scope.slices, row => {
    const group = groupOfName(slices.name[row]);
    if (group === sizes.length) sizes.push(0);
    sizes[group]++;
  });
  const durationNs = new GroupedValues(sizes);
  eachRow(slices, isWanted, scope.slices, row => {
    durationNs.add(groupOfName(slices.name[row]), insideNs(slices.startNs[row], slices.durationNs[row], scope));
  });
  return {names: isByText ? keys.texts : keys.texts.map(textOf), statistics: durationNs.takeStatistics()};
}

/** Calls `take` with each row of a wanted kind whose mask is 1. */
function eachRow(
  {kind, length}: SliceTable,
  isWanted: Uint8Array,
  mask: Uint8Array | null,
  take: (row: number) => void,
): void {
  for (let row = 0; row < length; row++) {
    if (isWanted[kind[row]] === 1 && (mask === null || mask[row] === 1)) take(row);
  }
}

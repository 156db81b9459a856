import {insideNs} from '../attribution/chosen.js';
import {rowsOfKinds} from '../attribution/ranges.js';
import {release} from '../table/table.js';
import type {SliceKind} from '../trace/slices.js';
import {TextGroups} from './group-index.js';
import {groupStatistics} from './group-statistics.js';
import type {NamedGroups} from './operation-groups.js';
import type {ReportSource} from './report-source.js';

export type CallGroups = Pick<NamedGroups, 'names' | 'statistics'>;

/**
 * The slices of some kinds that are in scope, by name, or by the text that `textOf` makes of it where `isByText` says so:
 * of names with equal texts each is a group otherwise.
 */
export function callsByName(
  {trace, scope}: ReportSource,
  kinds: readonly SliceKind[],
  textOf: (name: string) => string,
  {isByText = false} = {},
): CallGroups {
  const {slices, strings} = trace;
  const rows = rowsOfKinds(trace, new Set(kinds));
  const keys = new TextGroups();
  const groupOfName = keys.byNumber(strings.length, name => (isByText ? textOf(strings.get(name)) : strings.get(name)));
  const groupOf = new Int32Array(rows.length).fill(-1);
  const durationNs = new Float64Array(rows.length);
  for (let call = 0; call < rows.length; call++) {
    const row = rows[call];
    if (scope.slices !== null && scope.slices[row] === 0) continue;
    groupOf[call] = groupOfName(slices.name[row]);
    durationNs[call] = insideNs(slices.startNs[row], slices.durationNs[row], scope);
  }
  const names = isByText ? keys.texts : keys.texts.map(textOf);
  const statistics = groupStatistics(durationNs, {groupOf, length: names.length});
  release(rows, groupOf, durationNs);
  return {names, statistics};
}

import {insideNs} from '../attribution/chosen.js';
import {nameInRows, type Naming} from '../attribution/name-fold.js';
import {release} from '../table/table.js';
import type {Trace} from '../trace/trace.js';
import {GroupedValues, groupSizes, type Groups, type GroupStatistics} from './group-statistics.js';
import type {RangeSet} from './range-set.js';
import type {ReportSource} from './report-source.js';

/** Ranges of one name and style. */
interface RangeGroup {
  readonly name: string;
  readonly isStartEnd: boolean;
  /** "PushPop" or "StartEnd". */
  readonly style: string;
}

/** The groups of ranges by name and style, and the group of each range. */
export interface RangeGroups {
  readonly groups: readonly RangeGroup[];
  readonly groupOf: Groups['groupOf'];
}

/** How long ranges were open, by name and style; ranges partly outside the window count the time inside, ns. */
export interface RangeStatistics {
  readonly groups: readonly RangeGroup[];
  readonly statistics: GroupStatistics;
}

/** Returns the statistics behind the summaries of ranges. */
export function rangeStatistics(
  {trace, scope}: Pick<ReportSource, 'trace' | 'scope'>,
  ranges: RangeSet,
  naming: Naming,
): RangeStatistics {
  const {groups, groupOf} = groupByNameAndStyle(trace, ranges, naming);
  const durationNs = new GroupedValues(groupSizes({groupOf, length: groups.length}));
  for (let range = 0; range < ranges.length; range++) {
    durationNs.add(groupOf[range], insideNs(ranges.startNs(range), ranges.durationNs(range), scope));
  }
  release(groupOf);
  return {groups, statistics: durationNs.takeStatistics()};
}

/** Groups ranges by their name in rows and their style, in the order in which they first come. */
export function groupByNameAndStyle({slices, strings}: Trace, ranges: RangeSet, naming: Naming): RangeGroups {
  const groups: RangeGroup[] = [];
  // Two numbers per name: push/pop and start/end.
  const known = new Int32Array(2 * strings.length).fill(-1);
  const groupOf = new Int32Array(ranges.length);
  for (let range = 0; range < ranges.length; range++) {
    const name = nameInRows(naming, slices.name[ranges.slice[range]]);
    const isStartEnd = ranges.isStartEnd(range);
    const key = 2 * name + (isStartEnd ? 1 : 0);
    if (known[key] < 0) {
      const group = {name: naming.textOf(name), isStartEnd, style: ranges.styleOf(range)};
      known[key] = groups.push(group) - 1;
    }
    groupOf[range] = known[key];
  }
  return {groups, groupOf};
}

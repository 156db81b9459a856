import {displayName} from '../names/slice-name.js';
import {shortKernelName} from '../names/short-kernel-name.js';
import type {Trace} from '../trace/trace.js';
import {isIn, type SearchPlace} from './search-slices.js';

/** The slices of one name that a search finds in one place. */
export interface SearchGroup {
  readonly name: string;
  /** As in lists: a kernel's short name, else the name. */
  readonly shortName: string;
  readonly in: Exclude<SearchPlace, 'all'>;
  readonly count: number;
  /** The sum of their durations in ns. */
  readonly totalNs: number;
}

/** The results of a search, by name. */
export interface SearchGroups {
  /** Groups on the GPU first, then elsewhere. In each place, the longest total comes first, ties by name. */
  readonly groups: readonly SearchGroup[];
  /** The number of omitted groups. */
  readonly omitted: number;
  readonly gpuCount: number;
  readonly elsewhereCount: number;
}

const mostGroups = 200;

/**
 * Returns the matching names with the number and total time of their slices, on the GPU's streams and elsewhere.
 *
 * @param fits string index → 1 for matching names
 */
export function searchGroups(trace: Trace, fits: Uint8Array): SearchGroups {
  const gpu = groupsIn(trace, fits, 'gpu');
  const elsewhere = groupsIn(trace, fits, 'elsewhere');
  const all = [...gpu, ...elsewhere];
  return {
    groups: all.slice(0, mostGroups),
    omitted: Math.max(0, all.length - mostGroups),
    gpuCount: countOf(gpu),
    elsewhereCount: countOf(elsewhere),
  };
}

function countOf(groups: readonly SearchGroup[]): number {
  return groups.reduce((sum, {count}) => sum + count, 0);
}

function groupsIn(trace: Trace, fits: Uint8Array, place: SearchGroup['in']): SearchGroup[] {
  const {slices, strings} = trace;
  const counts = new Float64Array(fits.length);
  const totals = new Float64Array(fits.length);
  for (const track of trace.tracks) {
    if (!isIn(track, place)) continue;
    for (let row = track.firstSlice; row < track.endSlice; row++) {
      const name = slices.name[row];
      if (fits[name] !== 1) continue;
      counts[name]++;
      totals[name] += slices.durationNs[row];
    }
  }
  const groups: SearchGroup[] = [];
  counts.forEach((count, at) => {
    if (count === 0) return;
    const name = displayName(strings.get(at));
    const shortName = place === 'gpu' ? shortKernelName(name) : name;
    groups.push({name, shortName, in: place, count, totalNs: totals[at] ?? 0});
  });
  return groups.sort((a, b) => b.totalNs - a.totalNs || (a.name < b.name ? -1 : 1));
}

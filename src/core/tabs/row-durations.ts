import type {RangeChoice} from '../attribution/ranges.js';
import type {Selection} from '../scope/selection.js';
import type {Trace} from '../trace/trace.js';
import {chosenSlices, sliceOfRow} from './row-place.js';
import type {TableTab} from './tab-list.js';

/** A slice that takes far longer than the others of its row. */
interface Outlier {
  readonly slice: number;
  readonly startNs: number;
  readonly durationNs: number;
}

/** The distribution of the durations of a row's slices. @see docs/metrics.md#durations */
export interface RowDurations {
  readonly count: number;
  readonly leastNs: number;
  readonly lowerNs: number;
  readonly medianNs: number;
  readonly upperNs: number;
  readonly mostNs: number;
  /** The number of slices in each of several equal intervals from `leastNs` to `binsToNs`; outliers are in none. */
  readonly bins: readonly number[];
  readonly binsToNs: number;
  /** Longer slices are outliers. */
  readonly outlierAboveNs: number;
  readonly outliers: number;
  readonly outlierNs: number;
  /** The longest of them, in the order of their duration. */
  readonly longest: readonly Outlier[];
}

const mostBins = 40;
const shownOutliers = 5;
/** Tukey's outer fence: in a normal distribution, one value in 400,000 is beyond it. */
const fence = 3;

/**
 * Returns the distribution of the durations of a row's slices; null if the selection has none.
 *
 * @throws TraceError `selection/no-match`
 * @see docs/metrics.md#durations
 */
export function rowDurations(
  trace: Trace,
  row: TableTab['row'],
  name: string,
  selection: Selection = {},
  choice?: RangeChoice,
): RowDurations | null {
  const {slices} = trace;
  const isIn = chosenSlices(trace, selection, choice);
  const isOfRow = sliceOfRow(trace, row, name);
  const found: number[] = [];
  for (let slice = 0; slice < slices.length; slice++) if (isOfRow(slice) && isIn(slice)) found.push(slice);
  return found.length === 0 ? null : durationSpread(trace, found);
}

/** Returns the distribution of the durations of some slices, at least one. Sorts the list. */
export function durationSpread({slices}: Trace, found: number[]): RowDurations {
  const sorted = found.sort((a, b) => slices.durationNs[a] - slices.durationNs[b] || a - b);
  return spread(
    sorted,
    Float64Array.from(sorted, slice => slices.durationNs[slice]),
    slices.startNs,
  );
}

/** @param durations durations of `sorted`, the shortest first */
function spread(sorted: readonly number[], durations: Float64Array, startNs: Float64Array): RowDurations {
  const count = durations.length;
  const [lowerNs, medianNs, upperNs] = [0.25, 0.5, 0.75].map(part => quantile(durations, part));
  // If durations are nearly equal, only those of twice the length are outliers, so that rounding is not.
  const outlierAboveNs = Math.max(upperNs + fence * (upperNs - lowerNs), 2 * medianNs);
  const firstOutlier = count - countAbove(durations, outlierAboveNs);
  const [leastNs, mostNs, binsToNs] = [durations[0], durations[count - 1], durations[firstOutlier - 1]];
  const bins = new Array<number>(Math.min(mostBins, Math.max(1, binsToNs - leastNs))).fill(0);
  const widthNs = Math.max(1, binsToNs - leastNs) / bins.length;
  let outlierNs = 0;
  durations.forEach((ns, at) => {
    if (at >= firstOutlier) outlierNs += ns;
    else bins[Math.min(bins.length - 1, Math.floor((ns - leastNs) / widthNs))]++;
  });
  const longest = sorted
    .slice(Math.max(firstOutlier, count - shownOutliers))
    .reverse()
    .map((slice, at) => ({slice, startNs: startNs[slice], durationNs: durations[count - 1 - at]}));
  const outliers = count - firstOutlier;
  return {
    ...{count, leastNs, lowerNs, medianNs, upperNs, mostNs},
    ...{bins, binsToNs, outlierAboveNs, outliers, outlierNs, longest},
  };
}

function countAbove(sorted: Float64Array, limit: number): number {
  let first = sorted.length;
  while (first > 0 && sorted[first - 1] > limit) first--;
  return sorted.length - first;
}

/** Interpolates linearly between two values. */
function quantile(sorted: Float64Array, part: number): number {
  const at = (sorted.length - 1) * part;
  const below = Math.floor(at);
  const above = Math.min(sorted.length - 1, below + 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below);
}

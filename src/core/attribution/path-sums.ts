import {PairIndex} from '../table/pair-index.js';
import {TableBuilder, type Table} from '../table/table.js';
import type {Trace} from '../trace/trace.js';
import type {Ranges} from './ranges.js';

/**
 * A row per distinct call path of ranges, in the order of its first range, so that parents precede children. `slice` is
 * the slice of that range. The figures are sums over the ranges of the path in the whole trace.
 *
 *     row  parent  name                  slice  count  cpuWallNs  cpuSelfNs
 *      0       -1  "train_step"              4      3      27000      15000
 *      1        0  "layer_0"                 5      3      12000       4000
 *      2        1  "attention_sublayer"      9      6       8000       8000
 */
const pathSumSchema = {
  count: 'f64',
  cpuWallNs: 'f64',
  cpuSelfNs: 'f64',
  parent: 'i32',
  name: 'i32',
  slice: 'i32',
} as const;
export type PathSums = Table<typeof pathSumSchema>;

/** Paths are numbered in 16 bits. */
export const mostPaths = 1 << 16;

/** The call paths of ranges. */
export interface PathsOfRanges {
  readonly paths: PathSums;
  /** Range → path. */
  readonly ofRange: Uint16Array;
  /**
   * Whether two ranges of one path that are open at the same time take turns in having children; `cpuSelfNs` is then
   * not to be used.
   */
  readonly isInterleaved: boolean;
}

/** Returns the paths of ranges, and the sums of their CPU time; null if there are more than `mostPaths`. */
export function pathsOfRanges({slices, strings}: Trace, {slice, parent}: Ranges): PathsOfRanges | null {
  const {startNs, durationNs, name: nameAt} = slices;
  const builder = new TableBuilder(pathSumSchema, 64);
  const ofRange = new Uint16Array(slice.length);
  const pathOf = new PairIndex();
  /** Name → the path that was found last. Most ranges of a name have the same path as the one before. */
  const last = new Int32Array(strings.length).fill(-1);
  /** Path → its range that had a child last, and the end of that range's children so far. */
  const open = {range: new Int32Array(mostPaths).fill(-1), coveredToNs: new Float64Array(mostPaths)};
  let {count, cpuWallNs, cpuSelfNs, parent: parentOf} = builder.columns;
  let isInterleaved = false;
  for (let range = 0; range < slice.length; range++) {
    const row = slice[range];
    const outer = parent[range];
    // A parent starts no later than its child, so it comes first.
    const around = outer < 0 ? -1 : ofRange[outer];
    const name = nameAt[row];
    let path = last[name];
    if (path < 0 || parentOf[path] !== around) {
      path = pathOf.get(around, name);
      if (path < 0) {
        if (builder.length === mostPaths) return null;
        path = builder.add();
        ({count, cpuWallNs, cpuSelfNs, parent: parentOf} = builder.columns);
        builder.columns.name[path] = name;
        builder.columns.slice[path] = row;
        parentOf[path] = around;
        pathOf.set(around, name, path);
      }
      last[name] = path;
    }
    ofRange[range] = path;
    const ns = durationNs[row];
    count[path]++;
    cpuWallNs[path] += ns;
    cpuSelfNs[path] += ns;
    if (outer < 0) continue;
    const beginNs = startNs[row];
    const endNs = beginNs + ns;
    if (open.range[around] !== outer) {
      isInterleaved ||= outer < open.range[around];
      open.range[around] = outer;
      open.coveredToNs[around] = beginNs;
    }
    // Children of a range are sorted by start, and may overlap without nesting: one number holds their union.
    const coveredNs = open.coveredToNs[around];
    if (endNs <= coveredNs) continue;
    cpuSelfNs[around] -= endNs - (beginNs > coveredNs ? beginNs : coveredNs);
    open.coveredToNs[around] = endNs;
  }
  return {paths: builder.finish(), ofRange, isInterleaved};
}

import {PairIndex} from '../table/pair-index.js';
import {TableBuilder, type Table} from '../table/table.js';
import type {Trace} from '../trace/trace.js';
import {nameInRows, type Naming} from './name-fold.js';
import type {Ranges} from './ranges.js';

/** Ranges in groups: one group per name, per call path, or per instance. */
export interface RangeGroups {
  readonly length: number;
  /** Range → group, -1 for ranges without a group. */
  readonly groupOf: Int32Array;
}

/** Returns one group per distinct name, in the order of their first range; `name` is the string index by group. */
export function groupByName({slices, strings}: Trace, {slice}: Ranges): RangeGroups & {readonly name: number[]} {
  const name: number[] = [];
  const groupOfName = new Int32Array(strings.length).fill(-1);
  const groupOf = new Int32Array(slice.length);
  for (let range = 0; range < slice.length; range++) {
    const own = slices.name[slice[range]];
    if (groupOfName[own] < 0) groupOfName[own] = name.push(own) - 1;
    groupOf[range] = groupOfName[own];
  }
  return {length: name.length, groupOf, name};
}

/**
 * A node per distinct call path of ranges, parents before children.
 *
 *     row  parent  name
 *      0       -1  "train_step"
 *      1        0  "layer_0"
 *      2        1  "attention_sublayer"
 */
const pathSchema = {parent: 'i32', name: 'i32'} as const;
export type PathTable = Table<typeof pathSchema>;

/**
 * Returns one group per distinct path of names from the outermost range down.
 *
 * @param numberOfRow maps a row of the slices table to a number for its name, which `paths` stores
 */
export function groupByPath(
  {slices}: Trace,
  ranges: Ranges,
  {nameOf}: Pick<Naming, 'nameOf'> = {nameOf: null},
  numberOfRow = (row: number): number => (nameOf === null ? slices.name[row] : nameOf[slices.name[row]]),
): RangeGroups & {readonly paths: PathTable} {
  const paths = new TableBuilder(pathSchema, 64);
  const nodes = new PairIndex();
  const groupOf = new Int32Array(ranges.slice.length);
  for (let range = 0; range < groupOf.length; range++) {
    // A parent starts no later than its child, so it precedes it in the slices and already has its group.
    const parent = ranges.parent[range] < 0 ? -1 : groupOf[ranges.parent[range]];
    const name = numberOfRow(ranges.slice[range]);
    let node = nodes.get(parent, name);
    if (node < 0) nodes.set(parent, name, (node = paths.push({parent, name})));
    groupOf[range] = node;
  }
  return {length: paths.length, groupOf, paths: paths.finish()};
}

/** Returns a group for each path of folded names, in the order of the first path; `ofPath` maps a path to its group. */
export function foldPaths(
  paths: PathTable,
  naming: Naming,
): {readonly length: number; readonly ofPath: Int32Array; readonly name: Int32Array; readonly paths: PathTable} {
  const folded = new TableBuilder(pathSchema, 64);
  const groupOf = new PairIndex();
  const ofPath = new Int32Array(paths.length);
  for (let path = 0; path < ofPath.length; path++) {
    // Parents precede children.
    const parent = paths.parent[path] < 0 ? -1 : ofPath[paths.parent[path]];
    const name = nameInRows(naming, paths.name[path]);
    let group = groupOf.get(parent, name);
    if (group < 0) groupOf.set(parent, name, (group = folded.push({parent, name})));
    ofPath[path] = group;
  }
  const table = folded.finish();
  return {length: table.length, ofPath, name: table.name, paths: table};
}

/** Returns one group per range, for `--by instance`. */
export function groupByInstance(ranges: Ranges): RangeGroups {
  return {length: ranges.slice.length, groupOf: Int32Array.from(ranges.slice.keys())};
}

/** Limits of the paths shown: a file can nest 100,000 ranges, whose full paths would take gigabytes. */
export const mostPathNames = 64;
const mostPathLetters = 2000;

/**
 * Returns a path as text, outermost first: `train_step/layer_0/attention_sublayer`. A path that is too deep or too long
 * begins with "…" in place of its outer names.
 */
export function pathText(naming: Naming, paths: PathTable, node: number): string {
  return pathNames(naming, paths, node).join('/');
}

/** Returns the names of such a path, outermost first. */
export function pathNames({textOf}: Naming, paths: PathTable, node: number): readonly string[] {
  const names: string[] = [];
  let letters = 0;
  let at = node;
  for (; at >= 0; at = paths.parent[at]) {
    const name = textOf(paths.name[at]);
    letters += name.length + 1;
    if (names.length === mostPathNames || (names.length > 0 && letters > mostPathLetters)) break;
    names.push(name);
  }
  if (at >= 0) names.push('…');
  return names.reverse();
}

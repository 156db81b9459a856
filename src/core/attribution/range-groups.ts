import {TableBuilder, type Table} from '../table/table.js';
import type {Trace} from '../trace/trace.js';
import type {Ranges} from './ranges.js';

/** Ranges put together: one group per name, per call path, or per instance. */
export interface RangeGroups {
  readonly length: number;
  /** Range → group, -1 for ranges of no group. */
  readonly groupOf: Int32Array;
}

/** One group per distinct name; `name` is the string index by group. */
export function groupByName({slices}: Trace, ranges: Ranges): RangeGroups & {readonly name: number[]} {
  const groups = new Map<number, number>();
  const groupOf = ranges.slice.map(row => {
    const group = groups.get(slices.name[row]) ?? groups.size;
    groups.set(slices.name[row], group);
    return group;
  });
  return {length: groups.size, groupOf, name: [...groups.keys()]};
}

/**
 * A node per distinct call path of ranges, parents before children.
 *
 *     row  parent  name
 *      0       -1  "train_step"
 *      1        0  "layer_0"
 *      2        1  "attention_sublayer"
 */
export const pathSchema = {parent: 'i32', name: 'i32'} as const;
export type PathTable = Table<typeof pathSchema>;

/** One group per distinct path of names from the outermost range down. */
export function groupByPath({slices}: Trace, ranges: Ranges): RangeGroups & {readonly paths: PathTable} {
  const paths = new TableBuilder(pathSchema, 64);
  const nodes = new Map<string, number>();
  const groupOf = new Int32Array(ranges.slice.length).fill(-1);
  for (let range = 0; range < groupOf.length; range++) resolve(range);
  return {length: paths.length, groupOf, paths: paths.finish()};

  function resolve(range: number): number {
    if (groupOf[range] >= 0) return groupOf[range];
    // A parent starts no later than its child, so it stands earlier in the order of the slices and is resolved first.
    const parent = ranges.parent[range] < 0 ? -1 : groupOf[ranges.parent[range]];
    const name = slices.name[ranges.slice[range]];
    const key = `${String(parent)} ${String(name)}`;
    const node = nodes.get(key) ?? paths.push({parent, name});
    nodes.set(key, node);
    return (groupOf[range] = node);
  }
}

/** One group per range: what `--by instance` shows. */
export function groupByInstance(ranges: Ranges): RangeGroups {
  return {length: ranges.slice.length, groupOf: ranges.slice.map((_, range) => range)};
}

/** A path as one text, outermost first: `train_step/layer_0/attention_sublayer`. */
export function pathText({strings}: Trace, paths: PathTable, node: number): string {
  const names: string[] = [];
  for (let at = node; at >= 0; at = paths.parent[at]) names.push(strings.get(paths.name[at]));
  return names.reverse().join('/');
}

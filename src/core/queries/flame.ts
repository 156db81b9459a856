import {groupByPath} from '../attribution/range-groups.js';
import {foldName} from '../format/operator-name.js';
import {displayName} from '../format/slice-name.js';
import {PairIndex} from '../table/pair-index.js';
import {TableBuilder, type Table} from '../table/table.js';
import type {Trace} from '../trace/trace.js';
import type {Attribution} from '../attribution/attribute.js';
import {backwardUnmatched, siteFlag} from '../attribution/credit.js';
import {backwardSorts} from './backward-unmatched.js';
import {attributionOf} from './ranges.js';

export const flameWeights = ['gpu-work', 'cpu'] as const;
export type FlameWeight = (typeof flameWeights)[number];

/** What a block of the flame graph stands for. */
export const flameKinds = ['root', 'range', 'backward', 'bucket', 'operation'] as const;
export type FlameKind = (typeof flameKinds)[number];

/**
 * A node per block, parents before children; row 0 is the root.
 *
 *     row  parent  name          kind       selfNs  count
 *      0       -1  "GPU work"    root            0      1
 *      1        0  "train_step"  range           0      3
 *      2        1  "(backward)"  backward        0      3
 *      3        2  "gemm"        operation    9000     12
 *
 * A block's width is its own `selfNs` and that of all below it. `count` is instances of a range, operations of a kernel.
 */
export const flameSchema = {parent: 'i32', name: 'i32', kind: 'u8', selfNs: 'f64', count: 'f64'} as const;
export type FlameTable = Table<typeof flameSchema>;

export interface FlameGraph {
  readonly weight: FlameWeight;
  readonly nodes: FlameTable;
  readonly names: readonly string[];
  /** What the root's width is: all GPU work, or the wall time of the outermost ranges. */
  readonly totalNs: number;
}

/**
 * Ranges by call path, as wide as the GPU work credited to them or as their CPU wall time.
 *
 * By GPU work the leaves are kernels, copies and memsets by name; what autograd launched for a range stands in a block
 * "(backward)" below it, and work outside ranges in one block per reason, so that the root is all GPU work.
 */
export function flameGraph(trace: Trace, weight: FlameWeight): FlameGraph {
  const attribution = attributionOf(trace);
  const builder = new FlameBuilder();
  const root = builder.node(-1, weight === 'cpu' ? 'CPU wall time of tagged ranges' : 'GPU work', 'root');
  const {groupOf, paths} = groupByPath(trace, attribution.ranges);
  const nodeOfPath = Array.from(paths.name, () => 0);
  for (let path = 0; path < paths.length; path++) {
    const parent = paths.parent[path] < 0 ? root : nodeOfPath[paths.parent[path]];
    nodeOfPath[path] = builder.node(parent, foldName(trace.strings.get(paths.name[path])), 'range');
  }
  for (const path of groupOf) builder.addCount(nodeOfPath[path]);
  if (weight === 'cpu') addCpuTime(trace, attribution, groupOf, nodeOfPath, builder);
  else addGpuWork(trace, attribution, groupOf, nodeOfPath, builder);
  return builder.finish(weight);
}

/** A range's own time is its wall time without that of the ranges right below it, and never negative. */
function addCpuTime(
  {slices}: Trace,
  {ranges}: Attribution,
  groupOf: Int32Array,
  nodeOfPath: readonly number[],
  builder: FlameBuilder,
): void {
  const {slice, parent} = ranges;
  const selfNs = new Float64Array(slice.length);
  for (let range = 0; range < slice.length; range++) {
    const wallNs = slices.durationNs[slice[range]];
    selfNs[range] += wallNs;
    if (parent[range] >= 0) selfNs[parent[range]] -= wallNs;
  }
  for (let range = 0; range < slice.length; range++) {
    builder.addSelf(nodeOfPath[groupOf[range]], Math.max(0, selfNs[range]));
  }
}

function addGpuWork(
  trace: Trace,
  attribution: Attribution,
  groupOf: Int32Array,
  nodeOfPath: readonly number[],
  builder: FlameBuilder,
): void {
  const {slices, gpuOperations, strings} = trace;
  const {sites, credit} = attribution;
  const sortOf = backwardSorts(trace, attribution);
  // (place, name in the trace) → leaf: names are made presentable once.
  const leaves = new PairIndex();
  const placeOfSite = new Int32Array(credit.range.length).fill(-1);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const slice = gpuOperations.slice[operation];
    const site = sites.siteOf[operation];
    let place = site < 0 ? builder.node(0, '(no launch call)', 'bucket') : placeOfSite[site];
    if (place < 0) placeOfSite[site] = place = placeOf(site);
    // What one call launches may be of several sorts.
    if (site >= 0 && credit.range[site] === backwardUnmatched) {
      place = builder.node(place, sortOf(operation), 'bucket');
    }
    let leaf = leaves.get(place, slices.name[slice]);
    if (leaf < 0) {
      leaf = builder.node(place, displayName(strings.get(slices.name[slice])), 'operation');
      leaves.set(place, slices.name[slice], leaf);
    }
    builder.addSelf(leaf, slices.durationNs[slice]);
    builder.addCount(leaf);
  }

  function placeOf(site: number): number {
    const range = credit.range[site];
    if (range === backwardUnmatched) return builder.node(0, '(backward, unmatched)', 'bucket');
    const place = range < 0 ? builder.node(0, '(outside any range)', 'bucket') : nodeOfPath[groupOf[range]];
    const {flags} = credit;
    const below = (flags[site] & siteFlag.backward) === 0 ? place : builder.node(place, '(backward)', 'backward');
    return (flags[site] & siteFlag.recompute) === 0 ? below : builder.node(below, '(recompute)', 'backward');
  }
}

class FlameBuilder {
  readonly #nodes = new TableBuilder(flameSchema, 256);
  readonly #names: string[] = [];
  readonly #nameIndex = new Map<string, number>();
  readonly #nodeByKey = new PairIndex();

  /** The child of `parent` with this name and kind. */
  node(parent: number, name: string, kind: FlameKind): number {
    const nameIndex = this.#nameOf(name);
    const kindIndex = flameKinds.indexOf(kind);
    const key = nameIndex * flameKinds.length + kindIndex;
    let node = this.#nodeByKey.get(parent, key);
    if (node < 0) {
      node = this.#nodes.push({parent, name: nameIndex, kind: kindIndex, selfNs: 0, count: 0});
      this.#nodeByKey.set(parent, key, node);
    }
    return node;
  }

  addSelf(node: number, ns: number): void {
    this.#nodes.columns.selfNs[node] += ns;
  }

  addCount(node: number): void {
    this.#nodes.columns.count[node]++;
  }

  finish(weight: FlameWeight): FlameGraph {
    const nodes = this.#nodes.finish();
    return {weight, nodes, names: this.#names, totalNs: nodes.selfNs.reduce((sum, ns) => sum + ns, 0)};
  }

  #nameOf(name: string): number {
    let index = this.#nameIndex.get(name);
    if (index === undefined) {
      index = this.#names.push(name) - 1;
      this.#nameIndex.set(name, index);
    }
    return index;
  }
}

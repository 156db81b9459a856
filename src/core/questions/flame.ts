import {say} from '../base/say.js';
import {rangeChoiceOf} from '../attribution/range-stack.js';
import type {RangeChoice} from '../attribution/ranges.js';
import {TraceError} from '../base/errors.js';
import {formatCount} from '../format/count.js';
import type {BlockNaming} from '../flame/block-names.js';
import {cpuSamples} from '../flame/cpu-samples.js';
import {flameFigures, flameTotals} from '../flame/flame-figures.js';
import {
  isOfThreads,
  type FlameGraph,
  type FlameLevel,
  type FlameQuery,
  type FlameTable,
  usualLevels,
} from '../flame/flame-graph.js';
import {flameRootName} from '../flame/flame-root.js';
import type {FlameSamples} from '../flame/flame-samples.js';
import {FlameTreeBuilder, mostBlocks, type FlameTree} from '../flame/flame-tree.js';
import {foldFlame, type Spread} from '../flame/fold-flame.js';
import {gpuSamples} from '../flame/gpu-samples.js';
import {modulesShown} from '../figures/modules-shown.js';
import {moduleSpreads} from '../flame/module-spreads.js';
import {memorySamples} from '../flame/memory-samples.js';
import {countInstances} from '../flame/range-instances.js';
import {invertFlame, sandwichFlame} from '../flame/invert-flame.js';
import {taggedRangeKinds, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {hasDevicesAlone} from '../scope/processes.js';
import {attributionOf} from '../scope/attribution-of.js';
import {choose} from '../scope/selection.js';

/** Samples in the blocks of a tree. */
interface Picture {
  readonly tree: FlameTree;
  readonly samples: FlameSamples;
  /** For each sample, its block; in a sandwich, one list for each side. */
  readonly places: readonly Int32Array[];
  readonly spreads: ReadonlyMap<number, Spread>;
}

/**
 * Returns the call paths for which the GPU worked: ranges and modules → operator → operation, as wide as the chosen
 * weight.
 *
 * Work outside ranges is in a block per reason. The root is therefore all that was chosen; by GPU work, it equals the
 * sum of `gpuSelfNs` and `backwardGpuSelfNs` of `rangeRows`.
 *
 * @throws TraceError `selection/no-match`, `trace/too-many-open-ranges`
 * @see docs/metrics.md#flame
 */
export function flameGraph(trace: Trace, query: FlameQuery): FlameGraph {
  return flamePicture(trace, query).graph;
}

/** A flame graph, and the samples behind its blocks. */
export interface FlamePicture {
  readonly graph: FlameGraph;
  readonly samples: FlameSamples;
  /** For each sample, its innermost block; -1 for none. */
  readonly blockOf: Int32Array;
}

/**
 * Returns a flame graph with its samples.
 *
 * @param isLeftOut 1 for each sample that counts in no block
 * @throws TraceError as `flameGraph`
 */
export function flamePicture(
  trace: Trace,
  query: FlameQuery,
  isLeftOut?: (samples: FlameSamples) => Uint8Array,
): FlamePicture {
  const {weight, mode = 'merged', pass = 'all'} = query;
  const levels = new Set(query.levels ?? usualLevels(modulesShown(trace)));
  const attribution = attributionOf(trace, rangesFor(query, levels));
  const chosen = choose(
    trace,
    query.stack ? attributionOf(trace, rangeChoiceOf(query.stack)) : attribution,
    query.selection ?? {},
  );
  const naming = namingFor(query, levels);
  const hasIdle = weight === 'gpu-busy' && canBeIdle(trace, query);
  const builder = new FlameTreeBuilder(flameRootName({...query, levels: [...levels]}, hasIdle), naming.isInTimeOrder);
  const samples = flameSamples();
  if (isLeftOut) leaveOut(samples, isLeftOut(samples));
  const tree = builder.finish();
  const picture = arrange({tree, samples, places: [samples.node], spreads: new Map()}, query);
  const devices = isOfThreads(weight) ? 0 : Math.max(1, trace.devices.length);
  const nodes = flameFigures(picture.tree, samples, picture.places, devices);
  addSpreads(nodes, picture.spreads);
  if (mode === 'merged' || mode === 'time') {
    const blockOf = countInstances(nodes, attribution.ranges, samples, picture.places[0], weight);
    if (naming.isFolded) addSpreads(nodes, moduleSpreads(trace, attribution.ranges, samples, blockOf));
  }
  const notes = fullNotes(builder);
  const graph = {weight, mode, nodes, names: picture.tree.names, total: nodes.total[0], notes};
  return {graph, samples, blockOf: picture.places[0]};

  function flameSamples(): FlameSamples {
    if (weight === 'cpu') return cpuSamples(trace, attribution, chosen, builder, naming);
    if (weight !== 'memory') {
      return gpuSamples(trace, attribution, {weight, pass, levels, chosen, hasIdle, naming}, builder);
    }
    return memorySamples(trace, attribution, {chosen, selection: query.selection ?? {}, naming}, builder);
  }
}

function leaveOut({node}: FlameSamples, isOut: Uint8Array): void {
  for (let at = 0; at < node.length; at++) if (isOut[at] === 1) node[at] = -1;
}

function fullNotes({isFull}: FlameTreeBuilder): string[] {
  if (!isFull) return [];
  return [
    `Only the first ${formatCount(mostBlocks)} blocks are shown: what came later is part of the blocks around it. Select less of the profile to see it.`,
  ];
}

/**
 * Returns the naming. In time order, each range is a block. Otherwise identical layers are one block if modules are
 * shown.
 */
function namingFor({mode, isFolded}: FlameQuery, levels: ReadonlySet<FlameLevel>): BlockNaming {
  const isInTimeOrder = mode === 'time';
  return {isInTimeOrder, isFolded: !isInTimeOrder && (isFolded ?? levels.has('modules'))};
}

/**
 * Returns the ranges. For weights of threads, operators are ranges, since they take time and memory themselves. For
 * weights of the GPU, they are the level below.
 */
function rangesFor({weight}: FlameQuery, levels: ReadonlySet<FlameLevel>): RangeChoice {
  const modules = levels.has('modules');
  const hasOperators = isOfThreads(weight) && levels.has('operators');
  if (!hasOperators && !modules) return {kinds: taggedRangeKinds};
  const tagged = levels.has('ranges') ? taggedRangeKinds : [];
  return {kinds: new Set<SliceKind>([...tagged, ...(hasOperators ? (['cpu_op'] as const) : [])]), modules};
}

/**
 * Returns whether time without work can be idle. It cannot if only some work of a device is selected, but it can within
 * a step, where people ask what the GPU waited for.
 */
function canBeIdle(trace: Trace, {pass = 'all', mode = 'merged', selection = {}}: FlameQuery): boolean {
  const {range, stream, process} = selection;
  if (process !== undefined && !hasDevicesAlone(trace, process)) return false;
  return pass === 'all' && mode !== 'sandwich' && range === undefined && stream === undefined;
}

function arrange(picture: Picture, {mode = 'merged', isFolded = false, focus}: FlameQuery): Picture {
  if (mode === 'time') return picture;
  const folded = isFolded ? fold(picture) : picture;
  if (mode === 'inverted') {
    const {tree, nodeOf} = invertFlame(folded.tree, blocksWithOwn(folded));
    return {...folded, tree, places: [placesIn(nodeOf, folded)], spreads: new Map()};
  }
  if (mode !== 'sandwich') return folded;
  const {tree, calleeOf, callerOf} = sandwichFlame(folded.tree, focus ?? (largestName(folded) || rootName(folded)));
  if (focus !== undefined && tree.length === 1 && !calleeOf.includes(0)) {
    throw new TraceError('selection/no-match', say('No block of this flame graph is called "{0}".', focus));
  }
  return {...folded, tree, places: [placesIn(calleeOf, folded), placesIn(callerOf, folded)], spreads: new Map()};
}

function fold(picture: Picture): Picture {
  const {tree, nodeOf, spreads} = foldFlame(picture.tree, flameTotals(picture.tree, picture.samples));
  return {...picture, tree, places: [placesIn(nodeOf, picture)], spreads};
}

/** Returns each sample's block in a new tree. */
function placesIn(nodeOf: Int32Array, {places: [old]}: Picture): Int32Array {
  const moved = new Int32Array(old.length);
  for (let at = 0; at < moved.length; at++) moved[at] = old[at] < 0 ? -1 : nodeOf[old[at]];
  return moved;
}

function blocksWithOwn({tree, samples, places: [places]}: Picture): Uint8Array {
  const hasOwn = new Uint8Array(tree.length);
  for (let at = 0; at < samples.length; at++) if (places[at] >= 0) hasOwn[places[at]] = 1;
  return hasOwn;
}

/** Returns the name with the most weight of its own; the first if several are equal. */
function largestName({tree, samples, places: [places]}: Picture): string {
  const own = new Float64Array(tree.names.length);
  for (let at = 0; at < samples.length; at++) {
    if (places[at] > 0 && samples.slice[at] >= 0) own[tree.name[places[at]]] += samples.weight[at];
  }
  let largest = -1;
  for (let name = 0; name < own.length; name++) {
    if (own[name] > 0 && (largest < 0 || own[name] > own[largest])) largest = name;
  }
  return largest < 0 ? '' : tree.names[largest];
}

/** Returns the middle of a sandwich if nothing has the weight. */
function rootName({tree: {names, name}}: Picture): string {
  return names[name[0]];
}

function addSpreads(nodes: FlameTable, spreads: ReadonlyMap<number, Spread>): void {
  for (const [node, {members, least, most}] of spreads) {
    nodes.members[node] = members;
    nodes.least[node] = least;
    nodes.most[node] = most;
  }
}

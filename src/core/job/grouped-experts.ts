import {tensorAt, type OperatorInputs, type OperatorShapes} from '../figures/operator-inputs.js';
import {greatest} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import {kindIndex, taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {JobRank, RankGrouped} from './job-rank.js';

/** The experts of a layer that grouped products compute; shapes do not show which expert gets which token. */
export interface GroupedExperts {
  readonly layer: string;
  /** Experts of one rank; the most, if ranks differ. */
  readonly experts: number;
  /** Tokens that the experts of each rank received together. */
  readonly ranks: readonly {readonly rank: number; readonly tokens: number}[];
  /** The most divided by the mean over ranks; 1 is balanced. */
  readonly rankImbalance: number;
}

/** Grouped products of PyTorch; profilers record no shapes for other libraries'. */
const groupedProducts: ReadonlySet<string> = new Set([
  'aten::_grouped_mm',
  'aten::_scaled_grouped_mm',
  'aten::_scaled_grouped_mm_v2',
]);
const backward = 'autograd::engine::evaluate_function';

/** Returns whether a trace has grouped products. */
export function hasGroupedProducts({slices, strings}: Trace): boolean {
  return [...new Set(slices.name)].some(name => groupedProducts.has(strings.get(name)));
}

interface OpenRange {
  readonly name: string;
  readonly endNs: number;
  isCounted: boolean;
}

interface Thread {
  readonly ranges: OpenRange[];
  backwardEndNs: number;
}

/**
 * Returns the experts and tokens of the first grouped product in each range, summed by the range's name: the forward
 * product of tokens with the weights of several experts. A layer's other products have the same tokens.
 *
 * @param processes processes whose operators count; null for all
 * @see docs/metrics.md#job-grouped
 */
export function groupedTokens(
  trace: Trace,
  shapes: OperatorShapes | null | undefined,
  processes: ReadonlySet<number> | null,
): RankGrouped[] {
  if (!shapes || shapes.size === 0) return [];
  const {slices, strings, tracks} = trace;
  const isTagged = new Set([...taggedRangeKinds].map(kind => kindIndex[kind]));
  const threads = new Map<number, Thread>();
  const found = new Map<string, {experts: number; tokens: number}>();
  for (let row = 0; row < slices.length; row++) {
    const name = strings.get(slices.name[row]);
    const isProduct = groupedProducts.has(name);
    if (!isProduct && !isTagged.has(slices.kind[row]) && !name.startsWith(backward)) continue;
    if (processes?.has(tracks[slices.track[row]].process) === false) continue;
    const thread = getOrAdd(threads, slices.track[row], (): Thread => ({ranges: [], backwardEndNs: -Infinity}));
    const [startNs, endNs] = [slices.startNs[row], slices.startNs[row] + slices.durationNs[row]];
    if (!isProduct) {
      open(thread, name, startNs, endNs);
      continue;
    }
    const size = sizeOf(shapes.get(row));
    const range = size && uncounted(thread, startNs);
    if (!range) continue;
    range.isCounted = true;
    const layer = getOrAdd(found, layerOf(range.name), () => ({experts: 0, tokens: 0}));
    layer.experts = Math.max(layer.experts, size.experts);
    layer.tokens += size.tokens;
  }
  return [...found].map(([layer, {experts, tokens}]) => ({layer, experts, tokens}));
}

function open(thread: Thread, name: string, startNs: number, endNs: number): void {
  if (name.startsWith(backward)) thread.backwardEndNs = Math.max(thread.backwardEndNs, endNs);
  // A step is not a layer.
  else if (!name.startsWith('ProfilerStep#')) {
    innermost(thread, startNs);
    thread.ranges.push({name, endNs, isCounted: false});
  }
}

/** Returns the range in which a product is the first, in the forward pass; null for none. */
function uncounted(thread: Thread, atNs: number): OpenRange | null {
  const range = innermost(thread, atNs);
  return range?.isCounted === false && atNs >= thread.backwardEndNs ? range : null;
}

/** Drops ranges that have ended, and returns the innermost open one. */
function innermost({ranges}: Thread, atNs: number): OpenRange | null {
  while (ranges.length > 0 && ranges[ranges.length - 1].endNs <= atNs) ranges.pop();
  return ranges.at(-1) ?? null;
}

/** Reads `_grouped_mm(tokens, weights)`. The gradient of the weights is a product of two matrices, without experts. */
function sizeOf(inputs: OperatorInputs | undefined): {readonly experts: number; readonly tokens: number} | null {
  const [tokens, weights] = inputs ? [tensorAt(inputs, 0), tensorAt(inputs, 1)] : [];
  const width = tokens?.dims.at(-1) ?? 0;
  if (!tokens || weights?.dims.length !== 3 || width < 1) return null;
  return {experts: weights.dims[0], tokens: tokens.elements / width};
}

function layerOf(range: string): string {
  // A range called just "experts" is a layer of that name.
  return range.replace(/[./ _-]?(?<![a-z])(grouped[._ -]?)?experts?$/i, '') || range;
}

/** Returns how evenly the tokens of grouped products are spread over the ranks, the worst balanced layer first. */
export function groupedExperts(ranks: readonly JobRank[]): GroupedExperts[] {
  const layers = new Map<string, {experts: number; ranks: {rank: number; tokens: number}[]}>();
  for (const {rank, grouped} of ranks) {
    for (const {layer, experts, tokens} of grouped) {
      const known = getOrAdd(layers, layer, () => ({experts: 0, ranks: []}));
      known.experts = Math.max(known.experts, experts);
      known.ranks.push({rank, tokens});
    }
  }
  return [...layers]
    .map(([layer, known]) => ({layer, ...known, rankImbalance: imbalance(known.ranks.map(({tokens}) => tokens))}))
    .sort((a, b) => b.rankImbalance - a.rankImbalance || (a.layer < b.layer ? -1 : 1));
}

function imbalance(values: readonly number[]): number {
  const total = values.reduce((sum, value) => sum + value, 0);
  return total > 0 ? (greatest(values) * values.length) / total : 1;
}

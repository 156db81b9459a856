import {tensorAt, type OperatorInputs, type OperatorShapes} from '../figures/operator-inputs.js';
import {productSizesOf} from '../roofline/product-costs.js';
import {getOrAdd} from '../table/get-or-add.js';
import {kindIndex, taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {expertOf} from './expert-loads.js';
import type {RankTokens} from './job-rank.js';

/** The last events of a thread that determine tokens. */
interface Thread {
  /** Tokens × choices of the last `topk`, and its number of experts; null once experts consumed them. */
  routed: {tokens: number; experts: number} | null;
  /** The open range of an expert, until its first product. */
  open: {layer: string; expert: number; endNs: number} | null;
}

/** Returns whether a trace has ranges of experts, so that operator shapes give their tokens. */
export function hasExperts({slices, strings}: Trace): boolean {
  const isTagged = new Set([...taggedRangeKinds].map(kind => kindIndex[kind]));
  const names = new Set<number>();
  slices.kind.forEach((kind, row) => {
    if (isTagged.has(kind)) names.add(slices.name[row]);
  });
  return [...names].some(name => expertOf(strings.get(name)) !== null);
}

/**
 * Returns the tokens that each expert received, and those that the routers of each layer assigned. An expert's tokens
 * are the rows of the first product in each of its ranges; a router's are the rows of the `topk` before the experts ×
 * its k. Empty if no product in a range of experts has known shapes.
 *
 * @param processes processes whose ranges count; null for all
 * @see docs/metrics.md#job-tokens
 */
export function expertTokens(
  trace: Trace,
  shapes: OperatorShapes | null | undefined,
  processes: ReadonlySet<number> | null,
): RankTokens[] {
  if (!shapes || shapes.size === 0) return [];
  const {slices, strings, tracks} = trace;
  const isTagged = new Set([...taggedRangeKinds].map(kind => kindIndex[kind]));
  const counts = new Counts();
  const threads = new Map<number, Thread>();
  for (let row = 0; row < slices.length; row++) {
    const inputs = shapes.get(row);
    if (!inputs && !isTagged.has(slices.kind[row])) continue;
    if (processes?.has(tracks[slices.track[row]].process) === false) continue;
    const thread = getOrAdd(threads, slices.track[row], (): Thread => ({routed: null, open: null}));
    const [name, startNs] = [strings.get(slices.name[row]), slices.startNs[row]];
    if (inputs) operate(thread, counts, {name, startNs, inputs});
    else enterExpert(thread, counts, {name, endNs: startNs + slices.durationNs[row]});
  }
  return counts.all();
}

interface Operator {
  readonly name: string;
  readonly startNs: number;
  readonly inputs: OperatorInputs;
}

function operate(thread: Thread, counts: Counts, {name, startNs, inputs}: Operator): void {
  if (name === 'aten::topk') thread.routed = routedBy(inputs);
  if (!thread.open || startNs >= thread.open.endNs) return;
  const rows = rowsOf(name, inputs);
  if (rows === null) return;
  counts.add(thread.open.layer, thread.open.expert, rows);
  thread.open = null;
}

function enterExpert(thread: Thread, counts: Counts, {name, endNs}: {name: string; endNs: number}): void {
  const found = expertOf(name);
  if (!found) return;
  const {layer, expert} = found;
  // A `topk` over fewer experts had another purpose.
  if (thread.routed && expert < thread.routed.experts) counts.add(layer, null, thread.routed.tokens);
  thread.routed = null;
  thread.open = {layer, expert, endNs};
  counts.add(layer, expert, 0);
}

/** Tokens by layer and expert; the key null is the layer's router. */
class Counts {
  readonly #layers = new Map<string, Map<number | null, number>>();

  add(layer: string, expert: number | null, tokens: number): void {
    const experts = getOrAdd(this.#layers, layer, () => new Map<number | null, number>());
    experts.set(expert, (experts.get(expert) ?? 0) + tokens);
  }

  /** Returns all counts, without layers in which no expert has a product with shapes. */
  all(): RankTokens[] {
    return [...this.#layers].flatMap(([layer, experts]) =>
      [...experts].some(([expert, tokens]) => expert !== null && tokens > 0)
        ? [...experts].map(([expert, tokens]) => ({layer, expert, tokens}))
        : [],
    );
  }
}

/** Reads `topk(scores, k)` over the last dimension of the scores. */
function routedBy(inputs: OperatorInputs): Thread['routed'] {
  const scores = tensorAt(inputs, 0);
  const k = Number(inputs.values[1] || NaN);
  const experts = scores?.dims.at(-1) ?? 0;
  if (!scores || experts < 1 || !Number.isSafeInteger(k) || k < 1) return null;
  return {tokens: (scores.elements / experts) * k, experts};
}

/** Returns the rows that a product multiplies with weights; null for other operators. */
function rowsOf(name: string, inputs: OperatorInputs): number | null {
  if (name === 'aten::linear') {
    const rows = tensorAt(inputs, 0);
    const width = rows?.dims.at(-1) ?? 0;
    return rows && width > 0 ? rows.elements / width : null;
  }
  const sizes = productSizesOf(name, inputs);
  return sizes && sizes.batch * sizes.m;
}

import {getOrAdd} from '../table/get-or-add.js';
import {greatest} from '../table/extremes.js';
import type {JobRank} from './job-rank.js';

/** How the work of a layer's experts is spread. */
export interface ExpertLoad {
  /** What stands before the expert in its range's name: "model.layers.3.mlp". */
  readonly layer: string;
  /** By expert: its number, its work on all ranks that have it, and the rank that does most of it. */
  readonly experts: readonly {
    readonly expert: number;
    readonly gpuWorkNs: number;
    readonly rank: number;
    /** What it was given on all ranks; null if shapes do not tell it. */
    readonly tokens: number | null;
  }[];
  /** Ranks with the work of their experts of this layer. */
  readonly ranks: readonly {readonly rank: number; readonly gpuWorkNs: number}[];
  /** The most loaded expert's work by the mean of all; 1 is balanced. */
  readonly expertImbalance: number;
  /** The same of ranks. */
  readonly rankImbalance: number;
  /** The same of the experts' tokens; null if those of one are not known. */
  readonly tokenImbalance: number | null;
  /** Tokens × choices that the layer's routers gave out on all ranks; null if shapes do not tell it on each rank. */
  readonly routedTokens: number | null;
  /** At least so many of them no expert was given: they overflowed its capacity. Null if a rank of the job is not here. */
  readonly droppedTokens: number | null;
}

/** `layers.3.mlp.experts.5`, `layer3/expert_5`, `experts[5]`, `expert 5`; what is inside an expert is a part of it. */
const expertName = /^(.*?)[./ _-]?(?<![a-z])experts?[._/ #:[-]{0,2}(\d{1,5})\b\]?$/i;

/** Returns which expert of which layer a range or module is by its name; null for none. */
export function expertOf(name: string): {readonly layer: string; readonly expert: number} | null {
  const found = expertName.exec(name);
  return found && {layer: found[1], expert: Number(found[2])};
}

/**
 * Returns how evenly the experts of each layer work, by the names of ranges and modules; the worst balanced layer first.
 * Empty where no range is named as an expert.
 *
 * @see docs/metrics.md#job-experts
 */
export function expertLoads(ranks: readonly JobRank[]): ExpertLoad[] {
  const layers = new Map<string, Map<number, Map<number, number>>>();
  for (const {rank, ranges} of ranks) {
    for (const {name, gpuWorkNs, cpuWallNs} of ranges) {
      const found = expertOf(name);
      if (!found) continue;
      const experts = getOrAdd(layers, found.layer, () => new Map<number, Map<number, number>>());
      const byRank = getOrAdd(experts, found.expert, () => new Map<number, number>());
      byRank.set(rank, (byRank.get(rank) ?? 0) + (gpuWorkNs ?? cpuWallNs));
    }
  }
  return [...layers]
    .filter(([, experts]) => experts.size > 1)
    .map(([layer, experts]) => loadOf(layer, experts, tokensOf(ranks, layer)))
    .sort((a, b) => b.expertImbalance - a.expertImbalance || (a.layer < b.layer ? -1 : 1));
}

/** Tokens of a layer by expert, and what its routers gave out. */
interface LayerTokens {
  readonly given: ReadonlyMap<number, number>;
  readonly routed: number | null;
  /** Whether every rank of the job is here. */
  readonly isWhole: boolean;
}

function tokensOf(ranks: readonly JobRank[], layer: string): LayerTokens {
  const given = new Map<number, number>();
  let routed: number | null = 0;
  for (const {tokens} of ranks) {
    const own = tokens.filter(one => one.layer === layer);
    for (const {expert, tokens: count} of own) if (expert !== null) given.set(expert, (given.get(expert) ?? 0) + count);
    const router = own.find(({expert}) => expert === null);
    routed = routed === null || !router ? null : routed + router.tokens;
  }
  return {given, routed, isWhole: ranks.every(({worldSize}) => worldSize === ranks.length)};
}

function loadOf(
  layer: string,
  byExpert: ReadonlyMap<number, ReadonlyMap<number, number>>,
  {given, routed, isWhole}: LayerTokens,
): ExpertLoad {
  const rankWorkNs = new Map<number, number>();
  const experts = [...byExpert]
    .sort(([a], [b]) => a - b)
    .map(([expert, byRank]) => {
      for (const [rank, ns] of byRank) rankWorkNs.set(rank, (rankWorkNs.get(rank) ?? 0) + ns);
      const [[rank]] = [...byRank].sort(([, a], [, b]) => b - a);
      return {expert, rank, gpuWorkNs: sum(byRank.values()), tokens: given.get(expert) ?? null};
    });
  const expertImbalance = imbalance(experts.map(({gpuWorkNs}) => gpuWorkNs));
  const ranks = [...rankWorkNs].map(([rank, gpuWorkNs]) => ({rank, gpuWorkNs}));
  const tokens = experts.flatMap(one => (one.tokens === null ? [] : [one.tokens]));
  const areKnown = tokens.length === experts.length;
  return {
    ...{layer, experts, ranks, expertImbalance, rankImbalance: imbalance([...rankWorkNs.values()])},
    tokenImbalance: areKnown ? imbalance(tokens) : null,
    routedTokens: routed,
    droppedTokens: areKnown && isWhole && routed !== null ? Math.max(0, routed - sum(tokens)) : null,
  };
}

function imbalance(values: readonly number[]): number {
  const total = sum(values);
  return total > 0 ? (greatest(values) * values.length) / total : 1;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

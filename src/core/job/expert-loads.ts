import {getOrAdd} from '../table/get-or-add.js';
import {greatest} from '../table/extremes.js';
import type {JobRank} from './job-rank.js';
import {rangeMeasure} from './rank-spread.js';

/** The distribution of work over a layer's experts. */
export interface ExpertLoad {
  /** The part of the range's name before the expert: "model.layers.3.mlp". */
  readonly layer: string;
  /** Each expert's number, its work on all ranks that have it, and the rank that does most of it. */
  readonly experts: readonly {
    readonly expert: number;
    readonly gpuWorkNs: number;
    readonly rank: number;
    /** Tokens routed to it on all ranks; null if no recorded shapes give them. */
    readonly tokens: number | null;
  }[];
  /** Ranks with the work of their experts in this layer. */
  readonly ranks: readonly {readonly rank: number; readonly gpuWorkNs: number}[];
  /** The most loaded expert's work divided by the mean of all experts; 1 is balanced. */
  readonly expertImbalance: number;
  /** The same for ranks. */
  readonly rankImbalance: number;
  /** The same for the experts' tokens; null if an expert's tokens are unknown. */
  readonly tokenImbalance: number | null;
  /** Tokens × choices that the layer's routers assigned on all ranks; null if a rank's shapes do not give them. */
  readonly routedTokens: number | null;
  /**
   * Routed tokens that no expert received (a lower bound): they exceeded its capacity. Null if a rank of the job is
   * missing.
   */
  readonly droppedTokens: number | null;
}

/** Matches `layers.3.mlp.experts.5`, `layer3/expert_5`, `experts[5]`, `expert 5`, but nothing inside an expert. */
const expertName = /^(.*?)[./ _-]?(?<![a-z])experts?[._/ #:[-]{0,2}(\d{1,5})\b\]?$/i;

/** Returns the layer and expert that the name of a range or module denotes; null for none. */
export function expertOf(name: string): {readonly layer: string; readonly expert: number} | null {
  const found = expertName.exec(name);
  return found && {layer: found[1], expert: Number(found[2])};
}

/**
 * Returns how evenly the experts of each layer work, by the names of ranges and modules; the worst balanced layer
 * first. Empty if no range is named as an expert.
 *
 * @see docs/metrics.md#job-experts
 */
export function expertLoads(ranks: readonly JobRank[]): ExpertLoad[] {
  const layers = new Map<string, Map<number, Map<number, number>>>();
  const {measure} = rangeMeasure(ranks);
  for (const {rank, ranges} of ranks) {
    for (const {name, gpuWorkNs, cpuWallNs} of ranges) {
      const found = expertOf(name);
      if (!found) continue;
      const experts = getOrAdd(layers, found.layer, () => new Map<number, Map<number, number>>());
      const byRank = getOrAdd(experts, found.expert, () => new Map<number, number>());
      byRank.set(rank, (byRank.get(rank) ?? 0) + (measure === 'gpuWork' ? (gpuWorkNs ?? 0) : cpuWallNs));
    }
  }
  return [...layers]
    .filter(([, experts]) => experts.size > 1)
    .map(([layer, experts]) => loadOf(layer, experts, tokensOf(ranks, layer)))
    .sort((a, b) => b.expertImbalance - a.expertImbalance || (a.layer < b.layer ? -1 : 1));
}

/** A layer's tokens by expert, and the number that its routers assigned. */
interface LayerTokens {
  readonly given: ReadonlyMap<number, number>;
  readonly routed: number | null;
  /** Whether every rank of the job is loaded. */
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

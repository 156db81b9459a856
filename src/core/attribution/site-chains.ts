import type {Attribution} from './attribute.js';
import {backwardUnmatched, outsideAnyRange, siteFlag} from './credit.js';
import {GroupChains} from './group-chains.js';
import type {RangeGroups} from './range-groups.js';

/** Buckets for work that belongs to no range, by reason. They follow the groups in totals, in this order. */
export const buckets = ['(outside any range)', '(no launch call)', '(backward, unmatched)'] as const;
export const noLaunchBucket = buckets.indexOf('(no launch call)');
const backwardBucket = buckets.indexOf('(backward, unmatched)');

/** The groups that count the work launched at each site; no group counts it both as forward and as backward work. */
export interface SiteChains {
  readonly chains: GroupChains;
  /** Site → chain of the groups, or of the bucket, that count its work as launched inside them. */
  readonly forward: Int32Array;
  /** Site → chain of the groups that count its work as backward: those around the forward operator. */
  readonly backward: Int32Array;
  /** Site → credited group or bucket, -1 if the credited range has no group. */
  readonly target: Int32Array;
}

export function chainsOfSites(
  {stacks, own, overlay, credit}: Pick<Attribution, 'stacks' | 'own' | 'overlay' | 'credit'>,
  groups: RangeGroups,
): SiteChains {
  const chains = new GroupChains();
  const ofStack = chains.ofStacks(stacks, groups.groupOf);
  const chainOf = (stack: number) => (stack < 0 ? -1 : ofStack[stack]);
  const {length} = own;
  const forward = new Int32Array(length);
  const backward = new Int32Array(length).fill(-1);
  const target = new Int32Array(length);
  for (let site = 0; site < length; site++) {
    target[site] = creditedGroup(credit.range[site], groups);
    const bucket = target[site] >= groups.length ? target[site] : -1;
    let chain = chainOf(own[site]);
    if (overlay[site] >= 0) chain = chains.joined(chain, ofStack[overlay[site]]);
    if (credit.forwardSlice[site] < 0) {
      forward[site] = chains.inside(chain, bucket);
      continue;
    }
    // A group around both ends counts the work as the credited range does.
    const around = chainOf(credit.forward[site]);
    const isBackward = (credit.flags[site] & siteFlag.backward) !== 0;
    forward[site] = isBackward ? chains.without(chain, around) : chain;
    backward[site] = isBackward ? chains.inside(around, bucket) : chains.without(around, chain);
  }
  return {chains, forward, backward, target};
}

/** Returns the group of a credited range (-1 if it has none), or the bucket. */
function creditedGroup(range: number, {groupOf, length}: RangeGroups): number {
  if (range === outsideAnyRange) return length;
  return range === backwardUnmatched ? length + backwardBucket : groupOf[range];
}

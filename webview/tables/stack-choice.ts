import type {RangeStack, StackChoices, StackKind} from '../../src/core/attribution/range-stack.js';
import {taggedRangeKinds} from '../../src/core/trace/slices.js';

/** What counts as a range, among the kinds and domains of a profile. */
export interface StackChoice {
  readonly kinds: readonly StackKind[];
  /** Null for all. */
  readonly domain: string | null;
  /** Folded names whose rows are shown separately; null if no name is folded. */
  readonly unfolded: readonly string[] | null;
}

/** Returns the choice that corresponds to a stack; parts that the profile lacks are replaced by the default. */
export function choiceOf({kinds, domain, fold}: RangeStack, choices: StackChoices): StackChoice {
  const kept = kinds && choices.kinds.filter(kind => kinds.includes(kind));
  const isGone = kept === undefined || (kept.length === 0 && kinds?.length !== 0);
  return {
    kinds: isGone ? choices.kinds.filter(kind => taggedRangeKinds.has(kind)) : kept,
    domain: domain !== undefined && choices.domains.includes(domain) ? domain : null,
    unfolded: fold?.unfolded ?? null,
  };
}

/** Returns the stack of a choice; empty for the default. */
export function stackOf({kinds, domain, unfolded}: StackChoice, choices: StackChoices): RangeStack {
  const isUsual = choices.kinds.every(kind => taggedRangeKinds.has(kind) === kinds.includes(kind));
  return {
    ...(!isUsual && {kinds}),
    ...(domain !== null && {domain}),
    ...(unfolded && {fold: {unfolded, layers: true}}),
  };
}

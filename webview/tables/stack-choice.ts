import type {RangeStack, StackChoices, StackKind} from '../../src/core/attribution/range-stack.js';
import {taggedRangeKinds} from '../../src/core/trace/slices.js';

/** What is chosen to count as a range, of what a profile has. */
export interface StackChoice {
  readonly kinds: readonly StackKind[];
  /** Null for all. */
  readonly domain: string | null;
  /** Folded names whose rows are shown apart; null where no name is folded. */
  readonly unfolded: readonly string[] | null;
}

/** The choice that makes a stack, as far as a profile has what it is made of; the usual one in place of what it has not. */
export function choiceOf({kinds, domain, fold}: RangeStack, choices: StackChoices): StackChoice {
  const kept = kinds && choices.kinds.filter(kind => kinds.includes(kind));
  const isGone = kept === undefined || (kept.length === 0 && kinds?.length !== 0);
  return {
    kinds: isGone ? choices.kinds.filter(kind => taggedRangeKinds.has(kind)) : kept,
    domain: domain !== undefined && choices.domains.includes(domain) ? domain : null,
    unfolded: fold?.unfolded ?? null,
  };
}

/** The stack that a choice makes; nothing where it is the usual. */
export function stackOf({kinds, domain, unfolded}: StackChoice, choices: StackChoices): RangeStack {
  const isUsual = choices.kinds.every(kind => taggedRangeKinds.has(kind) === kinds.includes(kind));
  return {
    ...(!isUsual && {kinds}),
    ...(domain !== null && {domain}),
    ...(unfolded && {fold: {unfolded, layers: true}}),
  };
}

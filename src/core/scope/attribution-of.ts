import {attribute, type Attribution} from '../attribution/attribute.js';
import {condensedBytes} from '../attribution/condensed.js';
import type {RangeChoice} from '../attribution/ranges.js';
import {arrayBytes, derived, derivedKey, derivedLately} from '../trace/derived.js';
import {taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** The user's ranges, all domains in one stack. */
const taggedRanges: RangeChoice = {kinds: taggedRangeKinds};

/**
 * The number of cached choices. There may be as many as subsets of kinds, each with as much memory as the trace has
 * launches.
 */
const mostChosen = 4;

const chosenAttributionKey = derivedKey<Attribution>('chosen attribution');

const attributionKey = derivedKey<Attribution>('attribution');

/**
 * Returns the attribution of a choice of ranges. Every view needs it, so it is cached: for the usual ranges with the
 * trace, for other choices only the last few.
 */
export function attributionOf(trace: Trace, choice: RangeChoice = taggedRanges): Attribution {
  const keyOf = ({kinds, domain, operators, modules = false}: RangeChoice) =>
    JSON.stringify([[...kinds].sort(), domain ?? null, [...(operators ?? [])].sort(), modules]);
  const key = keyOf(choice);
  const make = () => attribute(trace, choice);
  return key === keyOf(taggedRanges)
    ? derived(trace, attributionKey, make, bytesOf)
    : derivedLately(trace, chosenAttributionKey, key, mostChosen, make, bytesOf);
}

/** Counts the condensed attribution, which the first question about the whole trace adds. */
function bytesOf(attribution: Attribution): number {
  return arrayBytes(attribution) + condensedBytes(attribution);
}

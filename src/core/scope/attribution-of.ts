import {attribute, type Attribution} from '../attribution/attribute.js';
import type {RangeChoice} from '../attribution/ranges.js';
import {derived, derivedKey, derivedLately} from '../trace/derived.js';
import {taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** Ranges that a person named, all domains in one stack. */
const taggedRanges: RangeChoice = {kinds: taggedRangeKinds};

/** There may be as many choices as subsets of kinds, each with as much memory as the trace has launches. */
const mostChosen = 4;

const chosenAttributionKey = derivedKey<Attribution>('chosen attribution');

const attributionKey = derivedKey<Attribution>('attribution');

/**
 * Attribution is asked for by every view, and is the same until the choice changes: that of the usual ranges is kept with
 * the trace, of others the few that were asked for last.
 */
export function attributionOf(trace: Trace, choice: RangeChoice = taggedRanges): Attribution {
  const keyOf = ({kinds, domain, operators, modules = false}: RangeChoice) =>
    JSON.stringify([[...kinds].sort(), domain ?? null, [...(operators ?? [])].sort(), modules]);
  const key = keyOf(choice);
  const make = () => attribute(trace, choice);
  return key === keyOf(taggedRanges)
    ? derived(trace, attributionKey, make)
    : derivedLately(trace, chosenAttributionKey, key, mostChosen, make);
}

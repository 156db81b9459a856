import {moduleCalls} from '../attribution/module-calls.js';
import {parseOperatorName} from '../names/operator-name.js';
import {moduleOfRange} from '../source/module-forward.js';
import {isPyTorchRange} from '../source/pytorch-ranges.js';
import {derived, derivedKey} from '../trace/derived.js';
import {namesThat} from '../trace/names-that.js';
import {kindMask, taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** Whether a view shows modules: none were recorded, they are shown on request, or shown by default. */
export type ModulesShown = 'none' | 'offered' | 'shown';

const modulesShownKey = derivedKey<ModulesShown>('modules shown');

/**
 * Returns whether modules are shown by default, which they are if the profile has no user-defined range.
 *
 * @see docs/metrics.md#modules-sum
 */
export function modulesShown(trace: Trace): ModulesShown {
  return derived(
    trace,
    modulesShownKey,
    () => findOut(trace),
    () => 0,
  );
}

function findOut(trace: Trace): ModulesShown {
  if (moduleCalls(trace).length === 0) return 'none';
  const {kind, length} = trace.slices;
  const isTagged = kindMask(taggedRangeKinds);
  const isOfTools = namesThat(
    trace,
    text => isPyTorchRange(text) || moduleOfRange(text) !== null || parseOperatorName(text) !== null,
  );
  for (let row = 0; row < length; row++) if (isTagged[kind[row]] === 1 && !isOfTools(row)) return 'offered';
  return 'shown';
}

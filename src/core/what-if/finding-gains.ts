import type {Finding} from '../findings/rules/finding.js';
import type {Trace} from '../trace/trace.js';
import {ReplayPlan} from './changes/replay-plan.js';
import {parseChange} from './changes/parse-change.js';
import {refusals} from './refusals.js';
import {wholeWindow} from './replay/replay-windows.js';
import {simulate} from './replay/simulate.js';
import {replayOf} from './replay/trace-replay.js';

/** The change that fixes what a rule finds. Other rules have none whose gain can be predicted from a profile alone. */
const changes: Readonly<Record<string, string>> = {
  'idle/data-loader': 'data-loader=0',
  'idle/synchronisation': 'remove-sync',
  'idle/launch-bound': 'launch-cost=0.1',
  'communication/exposed': 'overlap-communication',
  'precision/fp32-products': 'precision=bf16',
  'attention/not-fused': 'attention=fused',
  'kernels/elementwise': 'fuse=*',
  'ranks/uneven': 'balanced-ranks',
};

/** Returns the change that fixes what a rule finds, in the syntax of the command line; null if there is none. */
export function changeOfRule(rule: string): string | null {
  return Object.hasOwn(changes, rule) ? changes[rule] : null;
}

/** Returns whether a change fixes a finding, so that a replay may predict its gain. */
export function isPredictable({rule}: Pick<Finding, 'rule'>): boolean {
  return changeOfRule(rule) !== null;
}

/** Up to this error, a whole profile's replay is good; beyond it, no gain is predicted. */
const mostError = 0.1;

/**
 * Returns the predicted gain of fixing each finding, in ns of the whole profile, from the first to the last GPU
 * operation: the replay without the change minus the replay with it. At least 0, and at most the finding's own upper
 * bound. Null if no change fixes it, or if the replay is not good enough.
 *
 * @see docs/metrics.md#replay
 */
export function findingGains(
  trace: Trace,
  findings: readonly Pick<Finding, 'rule' | 'gainAtMostNs'>[],
): (number | null)[] {
  const nothing = findings.map(() => null);
  if (!findings.some(isPredictable) || trace.gpuOperations.length === 0) return nothing;
  if (refusals(trace).length > 0) return nothing;
  const replay = replayOf(trace);
  const window = wholeWindow(trace, replay);
  const lengthOf = (ns?: Float64Array) => {
    const {startNs, endNs} = window.within(simulate(replay.graph, ns ? {ns} : {}));
    return endNs - startNs;
  };
  const replayedNs = lengthOf();
  if (Math.abs(replayedNs - window.measuredNs) > mostError * window.measuredNs) return nothing;
  return findings.map(({rule, gainAtMostNs}) => {
    const change = parseChange(changeOfRule(rule) ?? '');
    if (typeof change === 'string') return null;
    const plan = new ReplayPlan(trace, replay);
    if ('unknown' in change.alter(plan, 'likely')) return null;
    const gainNs = Math.max(0, Math.round(replayedNs - lengthOf(plan.ns)));
    return Math.min(gainNs, gainAtMostNs ?? gainNs);
  });
}

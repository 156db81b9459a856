import {operatorFinder} from '../../figures/operator-of-operation.js';
import {noDetails} from '../../figures/report-details.js';
import type {System} from '../../estimate/system.js';
import {reportInput, type ReportInput} from '../../figures/report-input.js';
import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {workingOperators} from '../../roofline/costed-operators.js';
import {rooflineNs, systemOfTrace} from '../../roofline/roofs.js';
import {wholeTrace} from '../../scope/report-scope.js';
import type {ChangeEffect, ChangeKind} from './change.js';
import {namedWork, noDataSheet, nothingCalled} from './named-work.js';
import type {ReplayPlan} from './replay-plan.js';

/** Makes kernels as fast as the data sheet allows. */
export const atRoof: ChangeKind = {
  word: 'at-roof',
  usage: 'at-roof=NAME',
  meaning:
    'kernels called NAME, or those of ranges, operators, functions or lines called NAME, take what the roofs of the GPU allow for the shapes of their operators',
  make: name => (name === '' ? 'needs the name of a kernel or a range' : plan => moveToRoof(plan, name)),
};

/** Returns whether predicting a change requires the shapes of operators. */
export const needsShapes = (change: string): boolean => change.startsWith(`${atRoof.word}=`);

/**
 * Makes the kernels of each operator take as long in total as the roofs allow. Operators that are faster do not change.
 */
function moveToRoof(plan: ReplayPlan, name: string): ChangeEffect {
  const {trace, shapes} = plan;
  const work = namedWork(plan, name);
  if (!work) return nothingCalled(name);
  const system = systemOfTrace(trace)?.preset;
  if (!system) return noDataSheet();
  if (!shapes || shapes.size === 0) return {unknown: say('the profile has no shapes of operators')};
  const input = reportInput({trace, details: {...noDetails, shapes}, scope: wholeTrace});
  const factors = roofFactors(input, system.system);
  const operatorOf = operatorFinder(trace, input.tables.launchSites, input.tables.operatorStacks);
  let known = 0;
  let all = 0;
  for (let operation = 0; operation < trace.gpuOperations.length; operation++) {
    if (!work.has(operation)) continue;
    all++;
    const factor = factors.get(operatorOf(operation));
    if (factor === undefined) continue;
    known++;
    plan.scaleOperation(operation, factor);
  }
  if (known === 0) return {unknown: say('no shapes tell what the kernels of "{0}" compute and move', name)};
  return {
    basis: say(
      '{0} of {1}, including the backward pass, take the least time that the data sheet of {2} allows for the shapes of their operators. The others do not change',
      known,
      counted(all, '{0} GPU operation', '{0} GPU operations'),
      system.id,
    ),
  };
}

/** Operator (row of `slices`) → its least time on the roofs as a fraction of its GPU work, at most 1. */
function roofFactors(input: ReportInput, system: System): Map<number, number> {
  const factors = new Map<number, number>();
  for (const {slice, cost, gpuWorkNs} of workingOperators(input).operators) {
    const leastNs = cost && rooflineNs(cost.flops, cost.bytes, cost.precision, system);
    if (leastNs !== null && gpuWorkNs > 0) factors.set(slice, Math.min(1, leastNs / gpuWorkNs));
  }
  return factors;
}

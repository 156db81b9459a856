import {formatCount} from '../format/count.js';
import type {WorkRecord} from './process-record.js';
import {difference, doubt, evidence, type Reason} from './reason.js';

const trainingMode = 'training mode, with gradients';

/**
 * Returns the differences in the kind of work of two runs: steps, shapes, data types, training, operations. None of
 * them shows that results are the same.
 *
 * @param areValuesSame whether results were the same; fewer operations or calls are then acceptable
 */
export function compareWorkKinds(base: WorkRecord, changed: WorkRecord, areValuesSame: boolean): readonly Reason[] {
  const reasons = [
    training(base, changed),
    steps(base, changed, areValuesSame),
    shapes(base, changed, areValuesSame),
    dtypes(base, changed),
    operations(base, changed, areValuesSame),
    base.device === changed.device
      ? null
      : doubt('machine', `BASE ran on ${base.device}, CHANGED on ${changed.device}.`),
  ].filter(reason => reason !== null);
  return reasons;
}

function isTraining({counts}: WorkRecord): boolean {
  return counts.train > 0 || counts.backward > 0;
}

function training(base: WorkRecord, changed: WorkRecord): Reason | null {
  if (isTraining(base) && changed.counts.backward === 0 && base.counts.backward > 0) {
    return difference('training', 'BASE trains; CHANGED computes no gradients.');
  }
  if (isTraining(base) && base.modes.includes(trainingMode) && !changed.modes.includes(trainingMode)) {
    return difference('training', 'BASE calls its model in training mode, CHANGED in evaluation mode.');
  }
  if (!isTraining(base) && isTraining(changed)) return difference('training', 'CHANGED trains; BASE does not.');
  return null;
}

function steps({counts: base}: WorkRecord, {counts: changed}: WorkRecord, areValuesSame: boolean): Reason | null {
  if (base.train !== changed.train) {
    return difference(
      'steps',
      `BASE takes ${formatCount(base.train)} optimizer steps, CHANGED ${formatCount(changed.train)}.`,
    );
  }
  if (base.train > 0) return evidence('steps', `Both take ${formatCount(base.train)} optimizer steps.`);
  if (base.backward !== changed.backward && !areValuesSame) {
    return difference(
      'steps',
      `BASE has ${formatCount(base.backward)} backward passes, CHANGED ${formatCount(changed.backward)}.`,
    );
  }
  return null;
}

function shapes(base: WorkRecord, changed: WorkRecord, areValuesSame: boolean): Reason | null {
  const [before, after] = [[...base.shapes.keys()].sort(), [...changed.shapes.keys()].sort()];
  if (before.join('\n') === after.join('\n')) return null;
  if (base.inputElements === changed.inputElements && areValuesSame) {
    return evidence('shapes', 'Inputs have other shapes, with as many elements in all and the same results.');
  }
  const [some, other] = [before, after].map(list => list.slice(0, 3).join('; ') || 'none');
  return difference('shapes', `Inputs of the model differ: ${some} at BASE, ${other} at CHANGED.`);
}

function dtypes(base: WorkRecord, changed: WorkRecord): Reason | null {
  const [before, after] = [typesOf(base), typesOf(changed)];
  if (before !== after) return difference('dtypes', `Data types differ: ${before} at BASE; ${after} at CHANGED.`);
  if (base.precision !== changed.precision) {
    return difference('dtypes', `Precision differs: ${base.precision} at BASE, ${changed.precision} at CHANGED.`);
  }
  return null;
}

/** Returns the types of tensors, and the types in which products and convolutions are computed. */
function typesOf({dtypes: types, flops}: WorkRecord): string {
  const computed = flops ? [...flops].filter(([, count]) => count > 0).map(([type]) => type) : [];
  const products = computed.length > 0 ? `, products in ${computed.sort().join(' and ')}` : '';
  return `tensors of ${[...types].sort().join(' and ') || 'no type'}${products}`;
}

function operations(base: WorkRecord, changed: WorkRecord, areValuesSame: boolean): Reason | null {
  if (!base.flops || !changed.flops) return null;
  const [before, after] = [sumOf(base.flops), sumOf(changed.flops)];
  if (before === after) {
    return before === 0
      ? null
      : evidence('operations', `Both compute ${before.toExponential(2)} floating-point operations.`);
  }
  const sentence = `BASE computes ${before.toExponential(2)} floating-point operations, CHANGED ${after.toExponential(2)}`;
  return areValuesSame
    ? evidence('operations', `${sentence}, with the same results.`)
    : difference('operations', `${sentence}.`);
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

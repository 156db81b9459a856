import type {RunRecord} from './run-record.js';
import {comparePrinted, type PrintedVerdict} from './printed-output.js';
import type {SameRecord, WorkRecord} from './process-record.js';
import {difference, doubt, evidence, type Reason} from './reason.js';

/** Relative differences up to this come from adding in another order. */
const roundingPart = 1e-4;

/**
 * Returns what the results of two runs show about their work: by the user's function if there is one, else bit for bit
 * by parameters, losses or outputs, else by the printed output.
 *
 * @param again a second run of the base, if there was one: differences to it are ignored
 * @param tolerance how far numbers of the user's function may differ, as a fraction of the largest of them
 */
export function compareValues(base: RunRecord, changed: RunRecord, again: RunRecord | null, tolerance: number): Reason {
  if (base.same || changed.same) return compareSame(base.same, changed.same, tolerance);
  const [before, after] = [base.work, changed.work];
  if (before && after && hasValues(before) && hasValues(after)) return compareWork(before, after, again?.work ?? null);
  return printedReason(comparePrinted(base.printed, changed.printed, again?.printed ?? null));
}

function printedReason(printed: PrintedVerdict): Reason {
  switch (printed) {
    case 'equal':
      return evidence('outputs', 'Both printed the same, apart from times.');
    case 'different':
      return difference('outputs', 'They printed different results.');
    case 'nothing':
      return doubt(
        'nothing-to-compare',
        'Neither run leaves a result to compare: print one, or name a function that returns it with --same module:function.',
      );
  }
}

function compareSame(base: SameRecord | null, changed: SameRecord | null, tolerance: number): Reason {
  if (!base || !changed)
    return doubt('nothing-to-compare', 'The function that --same names was not called in both runs.');
  if ('error' in base)
    return doubt('nothing-to-compare', `The function that --same names failed at BASE: ${base.error}`);
  if ('error' in changed)
    return difference('outputs', `The function that --same names failed at CHANGED: ${changed.error}`);
  if (base.structure !== changed.structure || base.numbers.length !== changed.numbers.length) {
    return difference('outputs', 'The function that --same names returns values of other types or shapes.');
  }
  if (base.numbers.length === 0 && base.structure === 'None') {
    return doubt('nothing-to-compare', 'The function that --same names returns nothing.');
  }
  if (base.digest === changed.digest)
    return evidence('outputs', 'The function that --same names returns the same, bit for bit.');
  const apart = farthestApart(base.numbers, changed.numbers);
  return apart <= tolerance
    ? evidence(
        'outputs',
        `The function that --same names returns the same within ${partText(tolerance)} (${partText(apart)} apart).`,
      )
    : difference(
        'outputs',
        `What the function that --same names returns is ${partText(apart)} apart; ${partText(tolerance)} is allowed.`,
      );
}

/** Returns whether a process's work has results that can be compared bit for bit. */
function hasValues({counts, losses}: WorkRecord): boolean {
  return counts.train > 0 || losses.length > 0 || counts.infer > 0;
}

function compareWork(base: WorkRecord, changed: WorkRecord, again: WorkRecord | null): Reason {
  const told = valuesOf(base);
  const [one, other] = [told.of(base), told.of(changed)];
  if (one.digest === other.digest) return evidence('outputs', `${told.what} are the same, bit for bit.`);
  if (again && told.of(again).digest !== one.digest) {
    return doubt(
      'not-deterministic',
      `${told.what} differ between two runs of BASE: set a seed, or name a function with --same module:function.`,
    );
  }
  const apart = farthestApart(one.numbers, other.numbers);
  return apart <= roundingPart
    ? doubt(
        'outputs',
        `${told.what} differ in their last digits (${partText(apart)}): --same module:function names what must be the same within a tolerance.`,
      )
    : difference('outputs', `${told.what} differ.`);
}

interface Values {
  readonly what: string;
  readonly of: (work: WorkRecord) => {readonly digest: string; readonly numbers: readonly number[]};
}

/** Returns what is compared for a kind of work. */
function valuesOf(base: WorkRecord): Values {
  if (base.counts.train > 0) {
    return {
      what: 'The trained parameters',
      of: ({parameters: {digest, norms}}) => ({digest, numbers: norms}),
    };
  }
  if (base.losses.length > 0) {
    return {what: 'The losses', of: ({losses}) => ({digest: losses.join(' '), numbers: losses})};
  }
  return {what: 'The outputs of the model', of: ({outputs}) => ({digest: outputs.digest, numbers: [outputs.norm]})};
}

/**
 * Returns the largest difference of two lists of numbers, as a fraction of the largest number; infinite if their
 * lengths differ.
 */
function farthestApart(some: readonly number[], others: readonly number[]): number {
  if (some.length !== others.length) return Infinity;
  let [apart, largest] = [0, 0];
  for (const [at, one] of some.entries()) {
    const other = others[at] ?? NaN;
    if (Object.is(one, other) || one === other) continue;
    apart = Math.max(apart, Number.isFinite(one - other) ? Math.abs(one - other) : Infinity);
  }
  for (const one of some) if (Number.isFinite(one)) largest = Math.max(largest, Math.abs(one));
  return apart === 0 ? 0 : apart / largest;
}

function partText(part: number): string {
  return Number.isFinite(part) ? part.toExponential(1) : 'too far';
}

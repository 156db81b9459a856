import {plural} from '../../format/count.js';
import type {Trace} from '../../trace/trace.js';
import {byBound, factorOf, type ChangeKind} from './change.js';
import {rowsThat} from './rows-that.js';

/** Scales the time of the data loader. */
export const dataLoader: ChangeKind = {
  word: 'data-loader',
  usage: 'data-loader=FACTOR',
  meaning: 'waiting for the data loader takes FACTOR of its time; 0: a batch is always there',
  make: value => {
    const factor = factorOf(value);
    if (typeof factor === 'string') return factor;
    return (plan, bound) => {
      const rows = loaderRows(plan.trace);
      if (rows.length === 0) return {unknown: 'the profile has no data loader'};
      plan.scaleSlices(rows, byBound(bound, ...leftOf(factor, plan.trace.gpuOperations.length > 0)));
      if (factor < 1) plan.scaleThreads(byBound(bound, 1 + workersNeed, 1, 1 + 2 * workersNeed));
      return {
        basis: `${plural(rows.length, 'wait')} for a batch; of what is saved, handing batches over and workers that need the CPU, too, take back a tenth (nothing at the least, 35 % at the most; 15 % and half of it where the CPU computes); other CPU time grows by 5 % (0 to 10 %)`,
      };
    };
  },
};

/** Workers share caches and memory with the launching threads, which slow down by this fraction. */
export const workersNeed = 0.05;

/**
 * Returns the remaining share of the time spent waiting for the loader: expected, least, greatest. A slower loader
 * takes exactly the requested factor.
 */
function leftOf(factor: number, hasGpu: boolean): [likely: number, least: number, most: number] {
  if (factor >= 1) return [factor, factor, factor];
  const [likely, least, most] = handedOver(hasGpu).map(share => factor + (1 - factor) * share);
  return [likely, least, most];
}

/** Returns the time to hand over a batch, as a share of making it; more if workers compete for the CPU. */
export function handedOver(hasGpu: boolean): [likely: number, least: number, most: number] {
  return hasGpu ? [0.1, 0, 0.35] : [0.15, 0, 0.5];
}

/** Returns slices in which a thread makes a batch, or waits for one. */
export function loaderRows(trace: Trace): number[] {
  return rowsThat(trace, name => name.startsWith('enumerate(Data'));
}

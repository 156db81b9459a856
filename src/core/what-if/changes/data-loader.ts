import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import type {Trace} from '../../trace/trace.js';
import {byBound, factorOf, type ChangeEffect, type ChangeKind} from './change.js';
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
      if (rows.length === 0) return noLoader();
      const hasGpu = plan.trace.gpuOperations.length > 0;
      plan.scaleSlices(rows, byBound(bound, ...leftOf(factor, hasGpu)));
      if (factor < 1) plan.scaleThreads(byBound(bound, 1 + workersNeed, 1, 1 + 2 * workersNeed));
      return {
        basis: say(
          hasGpu
            ? '{0}. Handing batches over, and workers that use the CPU, take back 10 % of what is saved (at best nothing, at worst 35 %). Other CPU time grows by 5 % (0 to 10 %)'
            : '{0}. Handing batches over, and workers that use the CPU, take back 15 % of what is saved (at best nothing, at worst 50 %). Other CPU time grows by 5 % (0 to 10 %)',
          waitsText(rows.length),
        ),
      };
    };
  },
};

/** Returns the effect where no thread waits for batches. */
export const noLoader = (): ChangeEffect => ({unknown: say('the profile has no data loader')});

/** Returns how many waits for batches a change is about. */
export const waitsText = (waits: number): string => counted(waits, '{0} wait for a batch', '{0} waits for a batch');

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

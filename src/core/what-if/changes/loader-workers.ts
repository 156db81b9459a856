import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {getOrAdd} from '../../table/get-or-add.js';
import {byBound, type Bound, type ChangeEffect, type ChangeKind} from './change.js';
import {handedOver, loaderRows, noLoader, waitsText, workersNeed} from './data-loader.js';
import {rowsThat} from './rows-that.js';
import type {ReplayPlan} from './replay-plan.js';

/** More workers than any machine has cores. */
const mostWorkers = 1024;

/** Makes a number of workers load batches while the program continues. */
export const loaderWorkers: ChangeKind = {
  word: 'loader-workers',
  usage: 'loader-workers=N',
  meaning: 'N workers make batches beside the program, which made them itself; each has a core',
  make: value => {
    const workers = Number(value);
    if (!/^\d+$/.test(value) || workers < 1 || workers > mostWorkers) {
      return `needs a number of workers from 1 to ${String(mostWorkers)}, not "${value}"`;
    }
    return (plan, bound) => shareLoading(plan, bound, workers);
  },
};

/**
 * Shares the loading among workers. If a batch takes L and the rest of a step R, then N workers deliver a batch every L
 * ÷ N, so a step waits L ÷ N - R, and at least the time to hand the batch over.
 */
function shareLoading(plan: ReplayPlan, bound: Bound, workers: number): ChangeEffect {
  const rows = loaderRows(plan.trace);
  if (rows.length === 0) return noLoader();
  if (hasWorkers(plan)) {
    return {unknown: say('workers already make the batches, and how long they take for one is not in the profile')};
  }
  const {loadNs, restNs} = loadAndRest(plan, rows);
  if (loadNs === 0) return {unknown: say('loading takes no time')};
  const [handed, least, most] = handedOver(plan.trace.gpuOperations.length > 0);
  const beside = (loadNs / workers - restNs) / loadNs;
  const left = byBound(bound, Math.max(handed, beside), Math.max(least, beside), Math.max(most, 1 / workers));
  plan.scaleSlices(rows, Math.min(1, left));
  plan.scaleThreads(byBound(bound, 1 + workersNeed, 1, 1 + 2 * workersNeed));
  return {
    basis: say(
      '{0}. {1} on cores of their own make batches during the rest of the step. Handing a batch over takes at least {2} % of the time (at best nothing; at worst {3} %, or no overlap). Other CPU time grows by 5 % (0 to 10 %)',
      waitsText(rows.length),
      counted(workers, '{0} worker', '{0} workers'),
      100 * handed,
      100 * most,
    ),
  };
}

/** Returns whether the program waits for batches made by workers. The workers' own time is not its waiting time. */
function hasWorkers({trace}: ReplayPlan): boolean {
  return rowsThat(trace, name => /^enumerate\(Data.*MultiProcessing/.test(name)).length > 0;
}

/** Returns the loading time on the threads that load, and the time in between; the last batch has none after it. */
function loadAndRest({trace}: ReplayPlan, rows: readonly number[]): {loadNs: number; restNs: number} {
  const {startNs, durationNs, track} = trace.slices;
  const ofTrack = new Map<number, number[]>();
  for (const row of rows) getOrAdd(ofTrack, track[row], () => []).push(row);
  let loadNs = 0;
  let restNs = 0;
  for (const own of ofTrack.values()) {
    const counted = own.length > 1 ? own.slice(0, -1) : own;
    const ownNs = counted.reduce((sum, row) => sum + durationNs[row], 0);
    loadNs += ownNs;
    if (own.length > 1) restNs += startNs[own[own.length - 1]] - startNs[own[0]] - ownNs;
  }
  return {loadNs, restNs};
}

import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {lowerBound} from '../../table/search.js';
import {namesThat} from '../../trace/names-that.js';
import {byBound, factorOf, type ChangeEffect, type ChangeKind} from './change.js';
import {coverOf, isInside, launchedIn} from './launched-in.js';
import {namedSlices} from './named-slices.js';
import {namedWork, nothingCalled} from './named-work.js';
import type {ReplayPlan} from './replay-plan.js';
import {rowsThat} from './rows-that.js';

const isReading = (name: string) => /^aten::(?:item|_local_scalar_dense|is_nonzero)$/.test(name);
const isToHost = (name: string) => /DtoH|Device-to-Host|DeviceToHost/i.test(name);

/** Removes the waits of threads for the GPU. */
export const removeSync: ChangeKind = {
  word: 'remove-sync',
  usage: 'remove-sync[=NAME]',
  meaning:
    'no thread waits for the GPU: synchronisations, `.item()` and copies to the host return at once; with NAME: those in it',
  make: name => (plan, bound) => dropWaits(plan, name, byBound(bound, 0, 0, 1)),
};

function dropWaits(plan: ReplayPlan, name: string, costFactor: number): ChangeEffect {
  const {trace, replay} = plan;
  const work = namedWork(plan, name);
  if (!work) return nothingCalled(name);
  const isHostCopy = namesThat(trace, isToHost);
  let waits = 0;
  replay.calls.forEach((call, at) => {
    const copies = call.awaited.filter(operation => call.operations.includes(operation));
    const isCopyToHost = copies.some(operation => isHostCopy(trace.gpuOperations.slice[operation]));
    if (!call.waits && !isCopyToHost) return;
    if (!work.isCovered(call.track, call.startNs)) return;
    if (copies.length > 0 && !isCopyToHost) return;
    waits++;
    plan.drop(replay.callEnd[at], 'sync');
    for (const dependency of plan.dependenciesInto(replay.callEnd[at], 'cpu')) plan.ns[dependency] *= costFactor;
  });
  const {track, startNs} = trace.slices;
  const reads = rowsThat(trace, isReading).filter(row => work.isCovered(track[row], startNs[row]));
  scaleReads(plan, reads, costFactor);
  if (costFactor === 0) for (const operation of launchedIn(trace, replay, reads)) plan.scaleOperation(operation, 0);
  if (waits + reads.length === 0) {
    return {
      unknown:
        name === ''
          ? say('the profile has no call that waits for the GPU')
          : say('"{0}" has no call that waits for the GPU', name),
    };
  }
  return {
    basis: say(
      '{0} and {1} take no time (at worst, their own cost stays)',
      counted(waits, '{0} call that waits', '{0} calls that wait'),
      counted(reads.length, '{0} operator that reads a value', '{0} operators that read a value'),
    ),
  };
}

/** Reads at most this far apart are in one loop, and the time in between is Python code that reads, ns. */
const longestBetweenReadsNs = 20_000;

/** Scales consecutive reads, together with the Python code between them. */
function scaleReads(plan: ReplayPlan, reads: readonly number[], factor: number): void {
  for (const [track, {length, startNs, durationNs, totalNs}] of coverOf(plan.trace, reads)) {
    const durations = durationNs.map((ns, at) => {
      const gapNs = at + 1 < length ? startNs[at + 1] - startNs[at] - ns : Infinity;
      return gapNs > longestBetweenReadsNs ? ns : ns + gapNs;
    });
    plan.scaleTime(track, {length, startNs, durationNs: Float64Array.from(durations), totalNs}, factor);
  }
}

/** Scales the time of launches. */
export const launchCost: ChangeKind = {
  word: 'launch-cost',
  usage: 'launch-cost=FACTOR',
  meaning: 'calls that launch, and the delay until the operation starts, take FACTOR of their time',
  make: value => {
    const factor = factorOf(value);
    if (typeof factor === 'string') return factor;
    return (plan, bound) => scaleLaunches(plan, factor, bound === 'most');
  },
};

function scaleLaunches(plan: ReplayPlan, factor: number, callsAlone: boolean) {
  const {replay} = plan;
  let launches = 0;
  replay.calls.forEach((call, at) => {
    if (call.operations.length === 0 || call.awaited.length > 0) return;
    launches++;
    for (const dependency of plan.dependenciesInto(replay.callEnd[at], 'cpu')) plan.ns[dependency] *= factor;
    if (callsAlone) return;
    for (const operation of call.operations) {
      for (const dependency of plan.dependenciesInto(replay.operationStart[operation], 'launch'))
        plan.ns[dependency] *= factor;
    }
  });
  if (launches === 0) return {unknown: say('the profile has no launching calls')};
  return {
    basis: counted(
      launches,
      '{0} launching call. Operators and Python around it do not change (at worst, the delay until the start does not either)',
      '{0} launching calls. Operators and Python around them do not change (at worst, the delay until the start does not either)',
    ),
  };
}

/** The time to launch a graph if nothing better is known, ns. */
const graphLaunchNs = 10_000;

/** Turns the launches inside a range into one graph. */
export const graph: ChangeKind = {
  word: 'graph',
  usage: 'graph=RANGE',
  meaning: 'everything that RANGE launches is captured once, and launched as one CUDA graph',
  make: name => {
    if (name === '') return 'needs the name of a range';
    return (plan, bound) => captureRange(plan, name, byBound(bound, 0, 0, 0.2));
  },
};

function captureRange(plan: ReplayPlan, name: string, cpuFactor: number) {
  const {trace, replay} = plan;
  const rows = namedSlices(trace, name).ofThreads;
  if (rows.length === 0) return {unknown: say('nothing on a thread is called "{0}"', name)};
  const cover = coverOf(trace, rows);
  const inside = replay.calls.filter(({track, startNs}) => isInside(cover.get(track) ?? none, startNs));
  if (inside.every(({operations}) => operations.length === 0)) return {unknown: say('"{0}" launches nothing', name)};
  if (inside.some(({waits, awaited}) => waits || awaited.length > 0)) {
    return {unknown: say('"{0}" waits for the GPU, which a graph cannot contain', name)};
  }
  plan.scaleSlices(rows, cpuFactor);
  const begun = new Set<string>();
  replay.calls.forEach(({track, startNs}, at) => {
    const times = cover.get(track) ?? none;
    if (!isInside(times, startNs)) return;
    const instance = `${String(track)} ${String(lowerBound(times.startNs, startNs + 1))}`;
    if (begun.has(instance)) return;
    begun.add(instance);
    for (const dependency of plan.dependenciesInto(replay.callEnd[at], 'cpu')) plan.ns[dependency] += graphLaunchNs;
  });
  return {
    basis: counted(
      begun.size,
      '{0} graph, launched in 10 µs instead of the CPU time of the range. Kernels do not change (at worst, a fifth of the CPU time stays)',
      '{0} graphs, launched in 10 µs each instead of the CPU time of the range. Kernels do not change (at worst, a fifth of the CPU time stays)',
    ),
  };
}

const none = {length: 0, startNs: new Float64Array(), durationNs: new Float64Array(), totalNs: 0};

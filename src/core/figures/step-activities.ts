import {stepsOf} from '../scope/steps.js';
import {kindIndex, kindMask, taggedRangeKinds, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {unionOfSets, type IntervalSet} from '../trace/interval-sets.js';
import type {Intervals} from '../trace/intervals.js';
import {isCommunicationKernel} from '../names/kernel-class.js';

/** The activities of a step; each moment counts towards the first one under way. */
export const stepActivities = ['kernel', 'memcpy', 'memset', 'communication', 'runtime', 'dataLoader', 'cpu'] as const;
type Activity = (typeof stepActivities)[number];

/** PyTorch's names for waiting for the next batch. */
const dataLoader = /^enumerate\(Data(?:Loader\)#.*\.__next__$|Pipe\)#)/;
const isApiCall = kindMask(new Set<SliceKind>(['cuda_runtime', 'cuda_driver']));
const isCpuWork = kindMask(new Set<SliceKind>(['cpu_op', ...taggedRangeKinds]));

/**
 * Returns when a process was busy with its activities: element k is the union of activities 0 to k, so that the time it
 * has in addition to element k - 1 belongs to activity k alone.
 *
 * @param process index into `Trace.processes`
 * @param chosen mask of the operations that count (1); null for all
 */
export function coverOfActivities(trace: Trace, process: number, chosen: Uint8Array | null): IntervalSet[] {
  const drafts: Readonly<Record<Activity, IntervalDraft>> = {
    kernel: new IntervalDraft(),
    memcpy: new IntervalDraft(),
    memset: new IntervalDraft(),
    communication: new IntervalDraft(),
    runtime: new IntervalDraft(),
    dataLoader: new IntervalDraft(),
    cpu: new IntervalDraft(),
  };
  addGpuOperations(trace, process, chosen, drafts);
  addThreads(trace, process, drafts);
  const covers: IntervalSet[] = [];
  for (const activity of stepActivities) covers.push(unionOfSets([...covers.slice(-1), drafts[activity].finish()]));
  return covers;
}

function addGpuOperations(
  {slices, strings, gpuOperations}: Trace,
  process: number,
  chosen: Uint8Array | null,
  drafts: Readonly<Record<Activity, IntervalDraft>>,
): void {
  const activityOf = byName(strings.length, name =>
    isCommunicationKernel(strings.get(name)) ? drafts.communication : drafts.kernel,
  );
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (gpuOperations.process[operation] !== process || chosen?.[operation] === 0) continue;
    const slice = gpuOperations.slice[operation];
    const kind = slices.kind[slice];
    const startNs = slices.startNs[slice];
    const draft =
      kind === kindIndex.gpu_memcpy
        ? drafts.memcpy
        : kind === kindIndex.gpu_memset
          ? drafts.memset
          : activityOf(slices.name[slice]);
    draft.add(startNs, startNs + slices.durationNs[slice]);
  }
}

function addThreads(trace: Trace, process: number, drafts: Readonly<Record<Activity, IntervalDraft>>): void {
  const {slices, strings, tracks} = trace;
  const activityOf = byName(strings.length, name => {
    const text = strings.get(name);
    if (dataLoader.test(text)) return drafts.dataLoader;
    return text.startsWith('gloo:') ? drafts.communication : drafts.cpu;
  });
  const steps = new Set(stepsOf(trace).map(({slice}) => slice));
  for (const track of tracks) {
    if (track.process !== process) continue;
    for (let slice = track.firstSlice; slice < track.endSlice; slice++) {
      const kind = slices.kind[slice];
      const isCall = isApiCall[kind] === 1;
      if ((!isCall && isCpuWork[kind] === 0) || steps.has(slice)) continue;
      const startNs = slices.startNs[slice];
      const draft = isCall ? drafts.runtime : activityOf(slices.name[slice]);
      draft.add(startNs, startNs + slices.durationNs[slice]);
    }
  }
}

/** Caches a function of names, so that it is called once for each. */
function byName<Value>(names: number, valueOf: (name: number) => Value): (name: number) => Value {
  const known = new Array<Value | undefined>(names);
  return name => (known[name] ??= valueOf(name));
}

/** Collects intervals that come mostly in order; those that overlap the last one are merged at once. */
class IntervalDraft {
  readonly #startNs: number[] = [];
  readonly #endNs: number[] = [];

  add(startNs: number, endNs: number): void {
    const last = this.#startNs.length - 1;
    if (last >= 0 && startNs >= this.#startNs[last] && startNs <= this.#endNs[last]) {
      this.#endNs[last] = Math.max(this.#endNs[last], endNs);
      return;
    }
    this.#startNs.push(startNs);
    this.#endNs.push(endNs);
  }

  finish(): Intervals {
    return {
      length: this.#startNs.length,
      startNs: Float64Array.from(this.#startNs),
      durationNs: Float64Array.from(this.#endNs, (endNs, at) => endNs - this.#startNs[at]),
    };
  }
}

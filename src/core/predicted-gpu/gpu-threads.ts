import {stepsOf} from '../scope/steps.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** The threads of a recording whose operators would run on a GPU. */
export interface GpuThreads {
  /** Process → its thread that runs the steps. */
  readonly ofSteps: ReadonlyMap<number, number>;
  /** These threads, and autograd's threads, which run while these wait for them. */
  readonly all: ReadonlySet<number>;
}

/**
 * Returns, for each process with steps, the thread that runs them, and the threads with backward operators; for a
 * recording without steps, the thread of each process with the most operators. Other threads run concurrently: workers
 * of a data loader, prefetching.
 */
export function gpuThreads(trace: Trace): GpuThreads {
  const {slices, tracks, operators} = trace;
  const ofSteps = new Map<number, number>();
  for (const {slice, process} of stepsOf(trace)) {
    if (!ofSteps.has(process)) ofSteps.set(process, slices.track[slice]);
  }
  if (ofSteps.size === 0) for (const [process, track] of busiestThreads(trace)) ofSteps.set(process, track);
  const all = new Set(ofSteps.values());
  for (let row = 0; row < operators.length; row++) {
    if (!(operators.forwardThread[row] > 0)) continue;
    const track = slices.track[operators.slice[row]];
    if (ofSteps.has(tracks[track].process)) all.add(track);
  }
  return {ofSteps, all};
}

function busiestThreads({slices, tracks}: Trace): Map<number, number> {
  const counts = new Float64Array(tracks.length);
  for (let row = 0; row < slices.length; row++) if (slices.kind[row] === kindIndex.cpu_op) counts[slices.track[row]]++;
  const busiest = new Map<number, number>();
  tracks.forEach(({kind, process}, track) => {
    const known = busiest.get(process);
    if (kind !== 'thread' || counts[track] === 0) return;
    if (known === undefined || counts[track] > counts[known]) busiest.set(process, track);
  });
  return busiest;
}

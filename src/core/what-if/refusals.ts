import {launchSites} from '../attribution/launch-sites.js';
import {say} from '../base/say.js';
import {formatCount} from '../format/count.js';
import {formatPercent} from '../format/duration.js';
import {greatest, least} from '../table/extremes.js';
import {namesThat} from '../trace/names-that.js';
import type {Trace, TraceNote} from '../trace/trace.js';

/** The share of launches that may have no operation: every recording has some at its ends. */
const mostLost = 0.05;

const isKernelLaunch = (name: string) =>
  /^(?:cuda|cu|hip)\w*Launch(?:Cooperative)?Kernel|^hip\w*ModuleLaunchKernel/.test(name);
const isGraphLaunch = (name: string) => /^(?:cuda|cu|hip)GraphLaunch/.test(name);
const isCaptureBegin = (name: string) => /^(?:cuda|cu|hip)StreamBeginCapture/.test(name);
const isCaptureEnd = (name: string) => /^(?:cuda|cu|hip)StreamEndCapture/.test(name);

/** Returns why a trace cannot be replayed, one note per reason; empty if it can. */
export function refusals(trace: Trace): TraceNote[] {
  const {gpuOperations, counts} = trace;
  if (gpuOperations.length === 0) {
    if (counts.apiCalls + counts.cpuOps > 0) return [];
    const text = say('The profile has neither GPU operations nor operators, so nothing can be replayed.');
    return [{code: 'replay/nothing', text}];
  }
  const {graphs, graphsWithout, launches, launchesWithout} = countLaunches(trace);
  const notes: TraceNote[] = [];
  if (graphsWithout > 0) {
    const text = say(
      '{0} of {1} graph launches have no GPU operations in the profile. To replay it, record the nodes of graphs (nsys: --cuda-graph-trace=node).',
      formatCount(graphsWithout),
      formatCount(graphs),
    );
    notes.push({code: 'replay/graphs-without-nodes', text});
  }
  if (launchesWithout > mostLost * launches) {
    const text = say(
      '{0} of {1} kernel launches ({2}) have no kernel: the profiler lost events, so the GPU’s work is not known.',
      formatCount(launchesWithout),
      formatCount(launches),
      formatPercent(launchesWithout, launches),
    );
    notes.push({code: 'replay/lost-events', text});
  }
  const {siteOf} = launchSites(trace);
  if (siteOf.every(site => site < 0)) {
    const text = say('No GPU operation has its launch in the profile, so it is not known when one could have begun.');
    notes.push({code: 'replay/no-launches', text});
  }
  return notes;
}

/**
 * Counts launches between the first and the last one with an operation, except on captured streams, which run nothing.
 */
function countLaunches(trace: Trace) {
  const {callOf} = launchSites(trace);
  const {apiCalls, slices} = trace;
  const hasOperation = new Uint8Array(apiCalls.length);
  for (const call of callOf) if (call >= 0) hasOperation[call] = 1;
  const calls = outermostLaunches(trace, hasOperation);
  const launching = calls.filter(({isServed}) => isServed).map(({slice}) => slices.startNs[slice]);
  const [firstNs, lastNs] = [least(launching), greatest(launching)];
  const counts = {graphs: 0, graphsWithout: 0, launches: 0, launchesWithout: 0};
  for (const {slice, isGraph, isServed} of calls) {
    const startNs = slices.startNs[slice];
    if (startNs < firstNs) continue;
    if (isGraph) {
      counts.graphs++;
      if (!isServed) counts.graphsWithout++;
    } else if (startNs <= lastNs) {
      counts.launches++;
      if (!isServed) counts.launchesWithout++;
    }
  }
  return counts;
}

interface Launch {
  readonly slice: number;
  readonly isGraph: boolean;
  /** Whether it, or a call inside it, has an operation. */
  isServed: boolean;
}

/** Returns launches of kernels and graphs outside captures. A runtime call and the driver call inside it are one. */
function outermostLaunches(trace: Trace, hasOperation: Uint8Array): Launch[] {
  const {slices, apiCalls} = trace;
  const ofKernel = namesThat(trace, isKernelLaunch);
  const ofGraph = namesThat(trace, isGraphLaunch);
  const isCapturing = captures(trace);
  const found: Launch[] = [];
  let endNs = -Infinity;
  for (let call = 0; call < apiCalls.length; call++) {
    const slice = apiCalls.slice[call];
    const outer = found.at(-1);
    if (isCapturing(slice) || (!ofKernel(slice) && !ofGraph(slice))) continue;
    const isServed = hasOperation[call] === 1;
    if (outer && slices.track[outer.slice] === slices.track[slice] && slices.startNs[slice] < endNs) {
      outer.isServed ||= isServed;
      continue;
    }
    endNs = slices.startNs[slice] + slices.durationNs[slice];
    found.push({slice, isGraph: ofGraph(slice), isServed});
  }
  return found;
}

/** Returns a test of whether a thread captures a stream at a call. Ask in the order of the calls. */
function captures(trace: Trace): (slice: number) => boolean {
  const begins = namesThat(trace, isCaptureBegin);
  const ends = namesThat(trace, isCaptureEnd);
  const {track} = trace.slices;
  const capturing = new Set<number>();
  return slice => {
    if (begins(slice)) capturing.add(track[slice]);
    if (ends(slice)) capturing.delete(track[slice]);
    return capturing.has(track[slice]);
  };
}

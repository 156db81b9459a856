import {launchLinks} from '../attribution/link-launches.js';
import {namesThat} from '../trace/names-that.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** The kinds of a graph's nodes. */
export type NodeKind = 'kernel' | 'memcpy' | 'memset';

/** A graph captured from a stream: the calls that became its nodes, in order. */
export interface CapturedGraph {
  /** When the capture began, ns from the trace's origin. */
  readonly beginNs: number;
  /** Rows of `apiCalls`. */
  readonly calls: Int32Array;
  readonly kinds: readonly NodeKind[];
}

/**
 * Returns the kind of node that a call of CUDA, HIP or their drivers adds to a stream capture; null for other calls.
 */
function nodeKindOfCall(name: string): NodeKind | null {
  if (/Launch\w*Kernel/.test(name)) return 'kernel';
  if (name.includes('Memcpy')) return 'memcpy';
  return name.includes('Memset') ? 'memset' : null;
}

/** Returns the kind of a replay's GPU operation; null for a graph that was traced as a whole. */
export function nodeKindOfOperation(kind: number): NodeKind | null {
  if (kind === kindIndex.kernel) return 'kernel';
  if (kind === kindIndex.gpu_memcpy) return 'memcpy';
  return kind === kindIndex.gpu_memset ? 'memset' : null;
}

/**
 * Returns the graphs whose capture a trace shows, in the order in which the captures began.
 *
 * A capture lasts from `…StreamBeginCapture` to the next `…StreamEndCapture` on its thread. Its nodes are the calls of
 * its process in that time that started nothing on a GPU, since captured work does not run. If a runtime call contains
 * a driver call, only the outer one counts.
 */
export function capturedGraphs(trace: Trace): CapturedGraph[] {
  const {slices, tracks, apiCalls} = trace;
  const begins = namesThat(trace, name => name.includes('StreamBeginCapture'));
  const ends = namesThat(trace, name => name.includes('StreamEndCapture'));
  if (!apiCalls.slice.some(begins)) return [];
  const isNode = namesThat(trace, name => nodeKindOfCall(name) !== null);
  const hasWork = callsWithWork(trace);
  const order = Uint32Array.from(apiCalls.slice.keys()).sort(
    (a, b) => slices.startNs[apiCalls.slice[a]] - slices.startNs[apiCalls.slice[b]] || a - b,
  );
  const open = new Map<number, {beginNs: number; process: number; calls: number[]}>();
  const done: {beginNs: number; calls: number[]}[] = [];
  const nodeEndNs = new Float64Array(tracks.length).fill(-Infinity);
  for (const call of order) {
    const slice = apiCalls.slice[call];
    const track = slices.track[slice];
    const startNs = slices.startNs[slice];
    if (begins(slice)) open.set(track, {beginNs: startNs, process: apiCalls.process[call], calls: []});
    const own = open.get(track);
    if (own && ends(slice)) {
      open.delete(track);
      done.push(own);
    }
    if (!isNode(slice) || hasWork[call] === 1 || startNs < nodeEndNs[track]) continue;
    // Autograd's threads make calls for a capture that another thread began.
    const capture = own ?? [...open.values()].find(({process}) => process === apiCalls.process[call]);
    if (!capture) continue;
    capture.calls.push(call);
    nodeEndNs[track] = startNs + slices.durationNs[slice];
  }
  return done
    .filter(({calls}) => calls.length > 0)
    .sort((a, b) => a.beginNs - b.beginNs)
    .map(({beginNs, calls}) => ({
      beginNs,
      calls: Int32Array.from(calls),
      kinds: calls.map(call => nodeKindOfCall(trace.strings.get(slices.name[apiCalls.slice[call]])) ?? 'kernel'),
    }));
}

/** Call → 1 if a GPU operation has its id. */
function callsWithWork(trace: Trace): Uint8Array {
  const hasWork = new Uint8Array(trace.apiCalls.length);
  for (const call of launchLinks(trace).callOf) if (call >= 0) hasWork[call] = 1;
  return hasWork;
}

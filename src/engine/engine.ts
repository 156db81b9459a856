import {TraceError} from '../core/errors.js';
import {visibleSlices} from '../core/layout/visible-slices.js';
import {flameGraph} from '../core/queries/flame.js';
import {traceInfo} from '../core/queries/info.js';
import {lineTimings} from '../core/queries/line-timings.js';
import {rangePlace} from '../core/queries/range-places.js';
import {sliceDetails} from '../core/queries/slice-details.js';
import {trackSummaries} from '../core/queries/tracks.js';
import type {Trace} from '../core/trace/trace.js';
import {readSliceArguments} from '../importers/slice-arguments.js';
import {openTrace} from '../importers/open-trace.js';
import type {EngineRequests, ProfileId} from '../protocol/engine-messages.js';
import type {Handlers} from '../protocol/rpc.js';

/** Progress is reported at most this often: a message costs both ends. */
const progressIntervalMs = 50;

/** Opens traces and answers questions about them. One per window, in a worker. */
export function createEngine(): Handlers<EngineRequests> {
  const profiles = new Map<ProfileId, {readonly path: string; readonly trace: Trace}>();
  let nextId = 1;

  return {
    async 'profile/open'({path, unpackedLimit}, {signal, report}) {
      let reportedAtMs = 0;
      const trace = await openTrace(path, {
        signal,
        unpackedLimit,
        onProgress: progress => {
          const nowMs = performance.now();
          if (nowMs < reportedAtMs + progressIntervalMs) return;
          reportedAtMs = nowMs;
          report(progress);
        },
      });
      await stopIfCancelled(signal);
      // Attributes all GPU work, which takes a fifth of the opening.
      const info = traceInfo(trace);
      await stopIfCancelled(signal);
      const id = nextId++;
      profiles.set(id, {path, trace});
      return {id, info, tracks: trackSummaries(trace)};
    },
    'profile/close'({profile}) {
      profiles.delete(profile);
      return undefined;
    },
    'slices/visible': ({profile, window}) => visibleSlices(traceOf(profile), window),
    'slice/arguments': ({profile, slice}) => {
      const {path, trace} = profileOf(profile);
      return readSliceArguments(path, trace, slice);
    },
    'slice/details': ({profile, slice}) => sliceDetails(traceOf(profile), slice),
    'range/places': ({profile, patterns}) => rangePlace(traceOf(profile), patterns),
    'lines/timings': ({profile, patterns}) => lineTimings(traceOf(profile), patterns),
    flame: ({profile, weight}) => flameGraph(traceOf(profile), weight),
  };

  function profileOf(id: ProfileId): {readonly path: string; readonly trace: Trace} {
    const profile = profiles.get(id);
    if (!profile) throw new TraceError('profile/not-open', 'That profile is no longer open.');
    return profile;
  }

  function traceOf(id: ProfileId): Trace {
    return profileOf(id).trace;
  }
}

/**
 * Lets a cancel in that has come meanwhile: sorting and attributing do not return to the event loop. The answer to a call
 * that was cancelled is thrown away, and nobody would close what it opened.
 */
async function stopIfCancelled(signal: AbortSignal): Promise<void> {
  await new Promise(resolve => setImmediate(resolve));
  if (signal.aborted) throw new TraceError('import/cancelled', 'Opening was cancelled.');
}

import {gpuProjection} from '../layout/gpu-projection.js';
import {laneIndex} from '../layout/lane-index.js';
import {laneCountOf} from '../layout/lane-sections.js';
import type {CounterSummary, TimelineSummary, TrackSummary} from '../layout/timeline-summary.js';
import {counterRange} from '../layout/visible-counters.js';
import {instantCounts} from '../layout/visible-instants.js';
import {kernelClass} from '../names/kernel-class.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace, TraceMeta, Track} from '../trace/trace.js';
import {operationOfSlice} from '../figures/operation-of-slice.js';
import {processText} from '../scope/processes.js';

/** Returns the tracks and the counters of a timeline. */
export function timelineSummary(trace: Trace): TimelineSummary {
  return {tracks: trackSummaries(trace), counters: counterSummaries(trace)};
}

/**
 * Returns the non-empty tracks in the order of display: GPUs by number, then processes, the busiest first, then tracks
 * that belong to neither. Tracks of a group are consecutive, in the order of the trace; a GPU's projected ranges come
 * first.
 */
export function trackSummaries(trace: Trace): TrackSummary[] {
  const {sections} = laneIndex(trace);
  const projection = gpuProjection(trace);
  const instants = instantCounts(trace);
  const slicesOfProcess = new Float64Array(trace.processes.length);
  for (const {process, firstSlice, endSlice} of trace.tracks) {
    if (process >= 0) slicesOfProcess[process] += endSlice - firstSlice;
  }
  const purpose = streamPurposes(trace);
  const own = trace.tracks.map((track, at) =>
    summaryOf(trace, track, {
      track: at,
      name: purpose[at] === '' ? trackName(trace, track) : `${track.name} · ${purpose[at]}`,
      sections: sections[at],
      instantCount: instants[at + 1],
    }),
  );
  const projected = (projection?.tracks ?? []).map((track, at) =>
    summaryOf(trace, track, {
      track: trace.tracks.length + at,
      name: 'Ranges on the GPU',
      sections: projection?.index.sections[at] ?? [],
      instantCount: 0,
    }),
  );
  const ordered = inTimelineOrder(
    [
      ...(projection?.tracks ?? []).map((track, at) => ({summary: projected[at], track})),
      ...trace.tracks.map((track, at) => ({summary: own[at], track})),
    ].filter(({summary}) => summary.sliceCount + summary.instantCount > 0),
    slicesOfProcess,
  );
  return instants[0] === 0 ? ordered : [...ordered, wholeTrace(instants[0])];
}

/** A track, with its entry in a view. */
interface Listed {
  readonly summary: TrackSummary;
  readonly track: Pick<Track, 'device' | 'process'>;
}

/**
 * Sorts tracks into the order of display: GPUs by number, then processes, the busiest first, then tracks that belong to
 * neither. Tracks of one GPU or process keep their order.
 *
 * @param slicesOfProcess process → number of slices on its tracks
 */
export function inTimelineOrder(tracks: readonly Listed[], slicesOfProcess: Float64Array): TrackSummary[] {
  const rank = ({device, process}: Listed['track']): [section: number, order: number, tie: number] => {
    if (device >= 0) return [0, device, 0];
    return process >= 0 ? [1, -slicesOfProcess[process], process] : [2, 0, 0];
  };
  return tracks
    .map(({summary, track}, at) => ({summary, rank: rank(track), at}))
    .sort((a, b) => compare(a.rank, b.rank) || a.at - b.at)
    .map(({summary}) => summary);
}

function summaryOf(
  trace: Trace,
  track: Track,
  known: Pick<TrackSummary, 'track' | 'name' | 'sections' | 'instantCount'>,
): TrackSummary {
  const {kind, firstSlice, endSlice, device, process} = track;
  const {sections} = known;
  const laneCount = laneCountOf(sections);
  const operation = kind === 'stream' && endSlice > firstSlice ? operationOfSlice(trace, firstSlice) : -1;
  const stream = operation < 0 ? -1 : trace.gpuOperations.stream[operation];
  const group = groupOf(trace, device, process);
  return {...known, kind, group, device, stream, laneCount, sliceCount: endSlice - firstSlice};
}

/** Returns the track of markers that belong to the whole trace. */
function wholeTrace(instantCount: number): TrackSummary {
  const nothing = {device: -1, stream: -1, sections: [], laneCount: 0, sliceCount: 0};
  return {track: -1, kind: 'other', name: 'Markers', group: 'Whole trace', ...nothing, instantCount};
}

function counterSummaries(trace: Trace): CounterSummary[] {
  return trace.counters.flatMap(({name, unit, device, process, firstSample, endSample}, counter) =>
    endSample > firstSample
      ? [{counter, name, unit, device, group: groupOf(trace, device, process), ...counterRange(trace, counter)}]
      : [],
  );
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((value, i) => value - b[i]).find(difference => difference !== 0) ?? 0;
}

/** Returns a group's name: "GPU 0 · Tesla T4", "python3 (1234)", "Other"; with the rank of a distributed job. */
export function groupOf(
  {processes, devices, meta}: Pick<Trace, 'processes' | 'devices'> & {readonly meta: Pick<TraceMeta, 'rank'>},
  device: number,
  process: number,
): string {
  const rank = meta.rank === null ? '' : ` · rank ${String(meta.rank)}`;
  if (device >= 0) {
    const name = devices.find(({id}) => id === device)?.name;
    return `GPU ${String(device)}${name ? ` · ${name}` : ''}${rank}`;
  }
  if (process < 0) return 'Other';
  return processText(processes[process]) + rank;
}

/** Returns a thread's name. A process's first thread has its number. */
export function trackName(
  {processes}: Pick<Trace, 'processes'>,
  {kind, name, thread = -1, process}: Pick<Track, 'kind' | 'name' | 'process'> & {readonly thread?: number},
): string {
  const isMain = kind === 'thread' && process >= 0 && thread >= 0 && String(thread) === processes[process].pid;
  return isMain && !/main/i.test(name) ? `${name} · main` : name;
}

/** Returns how each stream spends most of its time: "compute", "communication", "copies"; "" for other tracks. */
function streamPurposes({tracks, slices, strings}: Trace): string[] {
  const isCommunication = new Int8Array(strings.length).fill(-1);
  return tracks.map(({kind, firstSlice, endSlice}) => {
    if (kind !== 'stream' || endSlice === firstSlice) return '';
    const ns = {compute: 0, communication: 0, copies: 0};
    for (let row = firstSlice; row < endSlice; row++) {
      const own = slices.kind[row];
      const name = slices.name[row];
      if (isCommunication[name] < 0) {
        isCommunication[name] = kernelClass(strings.get(name)) === 'communication' ? 1 : 0;
      }
      if (own === kindIndex.gpu_memcpy || own === kindIndex.gpu_memset) ns.copies += slices.durationNs[row];
      else if (isCommunication[name] === 1) ns.communication += slices.durationNs[row];
      else ns.compute += slices.durationNs[row];
    }
    if (ns.compute >= ns.communication && ns.compute >= ns.copies) return 'compute';
    return ns.communication >= ns.copies ? 'communication' : 'copies';
  });
}

import type {Trace, TrackKind} from '../trace/trace.js';

/** A track as a view lists it. */
export interface TrackSummary {
  /** Index of the track in the trace. */
  readonly track: number;
  readonly kind: TrackKind;
  readonly name: string;
  /** Heading under which it stands: a GPU, a process. */
  readonly group: string;
  readonly laneCount: number;
  readonly sliceCount: number;
}

/**
 * The tracks that hold slices, in the order of display: GPUs by number, then processes, the busiest first, then what
 * belongs to none. Tracks of a group stand together, in the order of the trace.
 */
export function trackSummaries(trace: Trace): TrackSummary[] {
  const slicesOfProcess = new Float64Array(trace.processes.length);
  for (const {process, firstSlice, endSlice} of trace.tracks) {
    if (process >= 0) slicesOfProcess[process] += endSlice - firstSlice;
  }
  const rank = (track: number): [section: number, order: number, tie: number] => {
    const {device, process} = trace.tracks[track];
    if (device >= 0) return [0, device, 0];
    return process >= 0 ? [1, -slicesOfProcess[process], process] : [2, 0, 0];
  };
  return trace.tracks
    .map((_, track) => track)
    .filter(track => trace.tracks[track].endSlice > trace.tracks[track].firstSlice)
    .sort((a, b) => compare(rank(a), rank(b)) || a - b)
    .map(track => {
      const {kind, name, laneCount, firstSlice, endSlice} = trace.tracks[track];
      return {track, kind, name, group: groupOf(trace, track), laneCount, sliceCount: endSlice - firstSlice};
    });
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((value, i) => value - b[i]).find(difference => difference !== 0) ?? 0;
}

/** "GPU 0 · Tesla T4", "python3 (1234)", "Other". */
function groupOf({tracks, processes, devices}: Trace, track: number): string {
  const {device, process} = tracks[track];
  if (device >= 0) {
    const name = devices.find(({id}) => id === device)?.name;
    return `GPU ${String(device)}${name ? ` · ${name}` : ''}`;
  }
  if (process < 0) return 'Other';
  const {pid, name} = processes[process];
  return name === '' ? `Process ${pid}` : `${name} (${pid})`;
}

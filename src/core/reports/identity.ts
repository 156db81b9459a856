import type {ReportDetails} from '../figures/report-details.js';
import type {Trace} from '../trace/trace.js';
import {numberOrNull, type Cell} from './report.js';

/** Returns the process id of a track, as a number if possible; null if the track has no process. */
export function processIdOf({tracks, processes}: Trace, track: number): Cell {
  const process = track < 0 ? -1 : tracks[track].process;
  if (process < 0) return null;
  const {pid} = processes[process];
  return /^\d{1,15}$/.test(pid) ? Number(pid) : pid;
}

/** Returns the thread id of a track; null if the track is not a thread's. */
export function threadIdOf({tracks}: Trace, track: number): Cell {
  return track < 0 ? null : numberOrNull(tracks[track].thread);
}

/** Returns the cells of `callerColumns`: process, thread, and the thread's priority and name. */
export function callerCells(trace: Trace, {calls}: ReportDetails, track: number): Cell[] {
  const thread = calls?.threads.get(track);
  return [processIdOf(trace, track), threadIdOf(trace, track), thread?.priority ?? null, thread?.name ?? null];
}

/**
 * Returns how a report shows a time. nsys counts from the beginning of its recording, and so do its reports. Other
 * profiles count from the epoch, which exceeds a double's precision in ns: their times are shown from the first event.
 */
export function reportTimeNs(trace: Trace): (startNs: number) => number {
  const originNs = trace.meta.countsFromRecording === true ? Number(trace.originNs) : 0;
  return startNs => startNs + originNs;
}

import type {ReportDetails} from '../figures/report-details.js';
import type {Trace} from '../trace/trace.js';
import {numberOrNull, type Cell} from './report.js';

/** The process id of a track as a number where it is one, null where the track has no process. */
export function processIdOf({tracks, processes}: Trace, track: number): Cell {
  const process = track < 0 ? -1 : tracks[track].process;
  if (process < 0) return null;
  const {pid} = processes[process];
  return /^\d{1,15}$/.test(pid) ? Number(pid) : pid;
}

/** The thread id of a track, null where it is no thread's. */
export function threadIdOf({tracks}: Trace, track: number): Cell {
  return track < 0 ? null : numberOrNull(tracks[track].thread);
}

/** Process, thread, and the thread's priority and name: the cells of `callerColumns`. */
export function callerCells(trace: Trace, {calls}: ReportDetails, track: number): Cell[] {
  const thread = calls?.threads.get(track);
  return [processIdOf(trace, track), threadIdOf(trace, track), thread?.priority ?? null, thread?.name ?? null];
}

/**
 * A time as the report shows it. nsys counts from the beginning of its recording, and so do its reports; other profiles
 * count from the epoch, which no double holds in ns: there it is the time since the first event.
 */
export function reportTimeNs(trace: Trace): (startNs: number) => number {
  const originNs = trace.meta.countsFromRecording === true ? Number(trace.originNs) : 0;
  return startNs => startNs + originNs;
}

import {doubtfulTimesNotes, needsGrids} from '../core/figures/doubtful-times.js';
import {pushAll} from '../core/table/extremes.js';
import type {Trace} from '../core/trace/trace.js';
import type {ImportOptions} from './reading/importer.js';
import {loadReportDetails} from './report-details.js';

/**
 * Returns the trace with a note on GPU operations whose times are implausible. If a kernel takes far longer than
 * others of its name, its grid is read from the file.
 */
export async function withJudgedTimes(path: string, trace: Trace, {signal}: ImportOptions): Promise<Trace> {
  if (trace.gpuOperations.length === 0) return trace;
  const grids = needsGrids(trace) ? await loadReportDetails(path, trace, new Set(['grids']), {signal}) : {grids: null};
  const notes = [...trace.notes];
  const judged = {...trace, notes};
  // Computed on the returned object, because results are memoised by object.
  pushAll(notes, doubtfulTimesNotes(judged, grids));
  return judged;
}

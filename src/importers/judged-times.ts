import {doubtfulTimesNotes, needsGrids} from '../core/figures/doubtful-times.js';
import {pushAll} from '../core/table/extremes.js';
import type {Trace} from '../core/trace/trace.js';
import type {ImportOptions} from './reading/importer.js';
import {loadReportDetails} from './report-details.js';

/**
 * The trace with a note on GPU operations whose times can hardly be right. Grids are read from the file where a kernel
 * takes far longer than others of its name.
 */
export async function withJudgedTimes(path: string, trace: Trace, {signal}: ImportOptions): Promise<Trace> {
  if (trace.gpuOperations.length === 0) return trace;
  const grids = needsGrids(trace) ? await loadReportDetails(path, trace, new Set(['grids']), {signal}) : {grids: null};
  const notes = [...trace.notes];
  const judged = {...trace, notes};
  // What is found of the trace on the way stays with the one that is returned.
  pushAll(notes, doubtfulTimesNotes(judged, grids));
  return judged;
}

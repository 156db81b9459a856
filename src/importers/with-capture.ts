import {basename} from 'node:path';
import {captureDetailKinds, replayDetailKinds, replayedTrace} from '../core/replays/replayed-trace.js';
import type {Trace} from '../core/trace/trace.js';
import type {ImportOptions} from './reading/importer.js';
import {loadReportDetails} from './report-details.js';

/** An open profile. */
interface OpenProfile {
  readonly path: string;
  readonly trace: Trace;
}

/**
 * Returns the trace of a profile whose graph replays have the capture's operators, modules, frames and ranges; the
 * capture may be the profile itself.
 *
 * @throws TraceError `capture/…`, `file/…`, `import/cancelled`
 */
export async function withCapture(
  profile: OpenProfile,
  capture: OpenProfile,
  options: ImportOptions = {},
): Promise<Trace> {
  const {path, trace} = profile;
  if (trace.capturedCalls.length > 0) throw new Error('The replays of this trace are expanded already.');
  const details = await loadReportDetails(path, trace, replayDetailKinds, options);
  const captureDetails = await loadReportDetails(capture.path, capture.trace, captureDetailKinds, options);
  return replayedTrace(trace, details, {trace: capture.trace, details: captureDetails, name: basename(capture.path)});
}

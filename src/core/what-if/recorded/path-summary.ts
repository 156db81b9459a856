import type {Trace} from '../../trace/trace.js';
import {pathAnswer, type PathAnswer} from './path-answer.js';
import {refuseLargePath} from './path-at.js';
import {recordedWindow} from './recorded-window.js';

/** What the critical path of the usual step goes to; whole ns. */
export type PathSummary = Pick<PathAnswer, 'window' | 'windowNs' | 'pathNs' | 'shares'>;

/**
 * Returns what the critical path of the usual step goes to; null where nothing was recorded that a path could go through.
 *
 * @throws TraceError `path/too-large`
 * @see docs/metrics.md#recorded-path
 */
export function pathSummary(trace: Trace): PathSummary | null {
  refuseLargePath(trace, recordedWindow(trace, null, null));
  const {window, windowNs, pathNs, shares, edges} = pathAnswer(trace, null, null);
  return edges === 0 ? null : {window, windowNs, pathNs, shares};
}

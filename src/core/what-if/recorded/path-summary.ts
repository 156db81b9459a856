import type {Trace} from '../../trace/trace.js';
import {pathAnswer, type PathAnswer} from './path-answer.js';
import {refuseLargePath} from './path-at.js';
import {recordedWindow} from './recorded-window.js';

/** How the critical path of the usual step is spent; whole ns. */
export type PathSummary = Pick<PathAnswer, 'window' | 'windowNs' | 'pathNs' | 'shares'>;

/**
 * Returns how the critical path of the usual step is spent; null if nothing was recorded that a path could pass
 * through.
 *
 * @throws TraceError `path/too-large`
 * @see docs/metrics.md#recorded-path
 */
export function pathSummary(trace: Trace): PathSummary | null {
  refuseLargePath(trace, recordedWindow(trace, null, null));
  const {window, windowNs, pathNs, shares, edges} = pathAnswer(trace, null, null);
  return edges === 0 ? null : {window, windowNs, pathNs, shares};
}

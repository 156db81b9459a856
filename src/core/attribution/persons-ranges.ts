import {parseOperatorName} from '../names/operator-name.js';
import {namesThat} from '../trace/names-that.js';
import {kindMask, taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/**
 * Returns a test that tells ranges named by the user from ranges that a profiler opens around each operator, module or
 * frame.
 *
 * @param hasOperatorNames whether NVTX ranges may be operators, as with `emit_nvtx`
 */
export function isPersonsRange(trace: Trace, hasOperatorNames: boolean): (row: number) => boolean {
  const isTagged = kindMask(taggedRangeKinds);
  const isOperator = namesThat(trace, text => hasOperatorNames && parseOperatorName(text) !== null);
  return row => isTagged[trace.slices.kind[row]] === 1 && !isOperator(row);
}

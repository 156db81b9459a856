import {parseOperatorName} from '../format/operator-name.js';
import {kindMask, taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/**
 * Tells ranges that a person named from those that a profiler opens around each operator, module or frame.
 *
 * @param hasOperatorNames whether NVTX ranges are such, too: those of `emit_nvtx`
 */
export function isPersonsRange({slices, strings}: Trace, hasOperatorNames: boolean): (row: number) => boolean {
  const isTagged = kindMask(taggedRangeKinds);
  const unknown = 2;
  const isOperator = new Uint8Array(hasOperatorNames ? strings.length : 0).fill(unknown);
  return row => {
    if (isTagged[slices.kind[row]] === 0) return false;
    if (!hasOperatorNames) return true;
    const name = slices.name[row];
    if (isOperator[name] === unknown) isOperator[name] = parseOperatorName(strings.get(name)) ? 1 : 0;
    return isOperator[name] === 0;
  };
}

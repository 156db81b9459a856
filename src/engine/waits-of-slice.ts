import type {SliceArgument} from '../core/questions/slice-details.js';
import type {SliceLink} from '../core/questions/slice-links.js';
import {synchronisationsIn, waitLinks, waitOf} from '../core/questions/wait-links.js';
import {callOfSlice} from '../core/figures/operation-of-slice.js';
import {kindIndex} from '../core/trace/slices.js';
import type {Trace} from '../core/trace/trace.js';

/**
 * Returns the flows of a synchronisation, or of the API call that waits for it; none for other slices.
 *
 * @param read reads a slice's details from the file, because the trace does not say which of two streams waits
 */
export async function waitsOfSlice(
  trace: Trace,
  slice: number,
  read: (slice: number) => Promise<readonly SliceArgument[]>,
): Promise<SliceLink[]> {
  const {slices, apiCalls} = trace;
  if (slices.kind[slice] === kindIndex.cuda_sync) return waitLinks(trace, slice, slice, waitOf(await read(slice)));
  const call = callOfSlice(trace, slice);
  if (call < 0) return [];
  for (const synchronisation of synchronisationsIn(trace, slice)) {
    const wait = waitOf(await read(synchronisation));
    if (wait.correlation !== null && wait.correlation === apiCalls.correlation[call]) {
      return waitLinks(trace, slice, synchronisation, wait);
    }
  }
  return [];
}

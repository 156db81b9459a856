import {basename} from 'node:path';
import {TraceError} from '../core/errors.js';
import type {SliceArgument} from '../core/queries/slice-details.js';
import {sliceKinds} from '../core/trace/slices.js';
import type {Trace} from '../core/trace/trace.js';
import {readFileHead} from './file-head.js';
import {readEventArguments} from './kineto/read-event.js';
import {readRowArguments} from './nsys/read-row.js';

/**
 * What the file says of a slice besides its name and times: read again from where it stands, so that memory follows the
 * number of slices and not the size of the file.
 *
 * @throws TraceError `file/…` where the file is gone, or has changed so that the slice is not there any more
 */
export async function readSliceArguments(path: string, trace: Trace, slice: number): Promise<SliceArgument[]> {
  const {slices, meta, strings} = trace;
  if (!Number.isInteger(slice) || slice < 0 || slice >= slices.length) return [];
  const file = await readFileHead(path);
  const source = slices.source[slice];
  const found =
    meta.format === 'nsys'
      ? readRowArguments(file, sliceKinds[slices.kind[slice]], source)
      : await readEventArguments(file, source, strings.get(slices.name[slice]));
  if (!found) {
    throw new TraceError('file/changed', `${basename(path)} has changed since it was opened: open it again.`);
  }
  return found;
}

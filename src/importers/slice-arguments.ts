import {basename} from 'node:path';
import {TraceError} from '../core/errors.js';
import type {SliceArgument} from '../core/queries/slice-details.js';
import {instantKinds, type InstantKind} from '../core/trace/instants.js';
import {sliceKinds, type SliceKind} from '../core/trace/slices.js';
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
  const {slices} = trace;
  if (!Number.isInteger(slice) || slice < 0 || slice >= slices.length) return [];
  return readArguments(path, trace, sliceKinds[slices.kind[slice]], slices.name[slice], slices.source[slice]);
}

/**
 * What the file says of an instant, as for slices; a CPU sample has its call chain.
 *
 * @throws TraceError `file/…` where the file is gone, or has changed so that the instant is not there any more
 */
export async function readInstantArguments(path: string, trace: Trace, instant: number): Promise<SliceArgument[]> {
  const {instants} = trace;
  if (!Number.isInteger(instant) || instant < 0 || instant >= instants.length) return [];
  const {kind, name, source} = instants;
  return readArguments(path, trace, instantKinds[kind[instant]], name[instant], source[instant]);
}

async function readArguments(
  path: string,
  {meta, strings}: Trace,
  kind: SliceKind | InstantKind,
  name: number,
  source: number,
): Promise<SliceArgument[]> {
  const file = await readFileHead(path);
  const found =
    meta.format === 'nsys'
      ? readRowArguments(file, kind, source)
      : await readEventArguments(file, source, strings.get(name));
  if (!found) {
    throw new TraceError('file/changed', `${basename(path)} has changed since it was opened: open it again.`);
  }
  return found;
}

import type {SliceArgument} from '../core/questions/slice-details.js';
import {instantKinds, type InstantKind} from '../core/trace/instants.js';
import {sliceKinds, type SliceKind} from '../core/trace/slices.js';
import type {Trace} from '../core/trace/trace.js';
import {changedSince, verifyUnchanged} from './files/file-identity.js';
import type {UnpackedFiles} from './files/unpacked-files.js';
import {readFileHead} from './reading/file-head.js';
import type {FileHead} from './reading/importer.js';
import {inflatePart, readEventArguments, readPart, type ReadPart} from './kineto/read-event.js';
import {readRowArguments} from './nsys/read-row.js';

/** The file of an open profile. */
export interface OpenedFile {
  readonly path: string;
  /** What `fileStamp` said of it when it was opened. */
  readonly stamp: string;
  /** Aborted when the profile is closed. */
  readonly life: AbortSignal;
}

export interface ArgumentOptions {
  readonly signal?: AbortSignal | undefined;
  /** Where compressed files are unpacked; without one they are unpacked anew each time. */
  readonly unpacked?: UnpackedFiles | null;
}

/**
 * What the file says of a slice besides its name and times: read again from where it stands, so that memory follows the
 * number of slices and not the size of the file.
 *
 * @throws TraceError `file/…` where the file is gone or has changed since it was opened; `import/cancelled`
 */
export async function readSliceArguments(
  file: OpenedFile,
  trace: Trace,
  slice: number,
  options: ArgumentOptions = {},
): Promise<SliceArgument[]> {
  const {slices} = trace;
  if (!Number.isInteger(slice) || slice < 0 || slice >= slices.length) return [];
  const place = {kind: sliceKinds[slices.kind[slice]], name: slices.name[slice], source: slices.source[slice]};
  return readArguments(file, trace, place, options);
}

/**
 * What the file says of an instant, as for slices; a CPU sample has its call chain.
 *
 * @throws TraceError as for slices
 */
export async function readInstantArguments(
  file: OpenedFile,
  trace: Trace,
  instant: number,
  options: ArgumentOptions = {},
): Promise<SliceArgument[]> {
  const {instants} = trace;
  if (!Number.isInteger(instant) || instant < 0 || instant >= instants.length) return [];
  const {kind, name, source} = instants;
  return readArguments(
    file,
    trace,
    {kind: instantKinds[kind[instant]], name: name[instant], source: source[instant]},
    options,
  );
}

/** What is to be read again, and where it stands. */
interface EventPlace {
  readonly kind: SliceKind | InstantKind;
  readonly name: number;
  readonly source: number;
}

async function readArguments(
  file: OpenedFile,
  trace: Trace,
  place: EventPlace,
  options: ArgumentOptions,
): Promise<SliceArgument[]> {
  await verifyUnchanged(file.path, file.stamp);
  const head = await readFileHead(file.path);
  const found =
    trace.meta.format === 'nsys'
      ? readRowArguments(head, place.kind, place.source)
      : await readEvent(file, head, place.source, trace.strings.get(place.name), options);
  if (!found) throw changedSince(file.path);
  return found;
}

async function readEvent(
  {path, stamp, life}: OpenedFile,
  head: FileHead,
  offset: number,
  name: string,
  {signal, unpacked}: ArgumentOptions,
): Promise<SliceArgument[] | null> {
  const argumentsBy = (read: ReadPart) => readEventArguments(read, offset, name);
  if (head.compression === 'none') return argumentsBy((offset, limit) => readPart(path, offset, limit));
  const stop = signal ? AbortSignal.any([signal, life]) : life;
  const inflate: ReadPart = (offset, limit) => inflatePart(head, offset, limit, stop);
  if (!unpacked) return argumentsBy(inflate);
  const file = {head, stamp, life};
  const found = await argumentsBy(
    async (offset, limit) => (await unpacked.read(file, offset, limit, signal)) ?? inflate(offset, limit),
  );
  if (found) return found;
  await unpacked.refuse(file);
  return argumentsBy(inflate);
}

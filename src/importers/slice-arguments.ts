import type {SliceArgument} from '../core/questions/slice-details.js';
import {instantKinds} from '../core/trace/instants.js';
import {sliceKinds} from '../core/trace/slices.js';
import type {Trace} from '../core/trace/trace.js';
import {changedSince, verifyUnchanged} from './files/file-identity.js';
import type {UnpackedFiles} from './files/unpacked-files.js';
import {formatOf} from './formats.js';
import {readFileHead} from './reading/file-head.js';
import {inflatePart, readPart} from './reading/file-parts.js';
import type {EventPlace} from './reading/importer.js';

/** The file of an open profile. */
export interface OpenedFile {
  readonly path: string;
  /** The result of `fileStamp` when it was opened. */
  readonly stamp: string;
  /** Aborted when the profile is closed. */
  readonly life: AbortSignal;
}

export interface ArgumentOptions {
  readonly signal?: AbortSignal | undefined;
  /** Unpacked copies of compressed files; if absent, files are unpacked on each read. */
  readonly unpacked?: UnpackedFiles | null;
}

/**
 * Returns the file's data on a slice besides its name and times. The data is reread from the slice's place in the file,
 * so that memory depends on the number of slices and not on the file's size.
 *
 * @throws TraceError `file/…` if the file is missing or has changed since it was opened; `import/cancelled`
 */
export async function readSliceArguments(
  file: OpenedFile,
  trace: Trace,
  slice: number,
  options: ArgumentOptions = {},
): Promise<SliceArgument[]> {
  const {slices} = trace;
  if (!Number.isInteger(slice) || slice < 0 || slice >= slices.length) return [];
  const {kind, name, source} = slices;
  // A captured slice is in another file.
  if (source[slice] < 0) return [];
  const place = {kind: sliceKinds[kind[slice]], name: trace.strings.get(name[slice]), source: source[slice]};
  return readArguments(file, trace, place, options);
}

/**
 * Returns the file's data on an instant, as for slices; a CPU sample has its call chain.
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
  const place = {kind: instantKinds[kind[instant]], name: trace.strings.get(name[instant]), source: source[instant]};
  return readArguments(file, trace, place, options);
}

async function readArguments(
  file: OpenedFile,
  trace: Trace,
  place: EventPlace,
  {signal, unpacked}: ArgumentOptions,
): Promise<SliceArgument[]> {
  const {path, stamp, life} = file;
  await verifyUnchanged(path, stamp);
  const head = await readFileHead(path);
  const {readArguments: readBy} = formatOf(trace);
  const found = unpacked && head.compression !== 'none' ? await readUnpacked(unpacked) : null;
  const all = found ?? (await readBy(head, place, readFile));
  if (!all) throw changedSince(path);
  return all;

  function readFile(offset: number, limit: number): Promise<Uint8Array> {
    if (head.compression === 'none') return readPart(path, offset, limit);
    return inflatePart(head, offset, limit, signal ? AbortSignal.any([signal, life]) : life);
  }

  /** Returns null if the unpacked copy lacks the slice: the copy may have been damaged, and is then discarded. */
  async function readUnpacked(copies: UnpackedFiles): Promise<SliceArgument[] | null> {
    const compressed = {head, stamp, life};
    const found = await readBy(
      head,
      place,
      async (offset, limit) => (await copies.read(compressed, offset, limit, signal)) ?? readFile(offset, limit),
    );
    if (!found) await copies.refuse(compressed);
    return found;
  }
}

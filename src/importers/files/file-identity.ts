import {createHash} from 'node:crypto';
import {constants} from 'node:fs';
import {open, realpath, stat} from 'node:fs/promises';
import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {fileError} from '../reading/file-head.js';

/** Read of a file's beginning and of its end, and at each of the places between. */
const edgeBytes = 64 << 10;
const sampleBytes = 4 << 10;
const sampleCount = 64;

/**
 * What changes whenever a program writes to the file: its size and time to the nanosecond, and those of a write-ahead
 * log beside it, in which the newest rows of an SQLite database stand.
 *
 * @throws TraceError `file/…`
 */
export async function fileStamp(path: string): Promise<string> {
  const own = await stat(path, {bigint: true}).catch((error: unknown) => {
    throw fileError(error, basename(path));
  });
  // SQLite follows a link to the database, and looks beside its target.
  const target = await realpath(path).catch(() => path);
  const log = await stat(`${target}-wal`, {bigint: true}).catch(() => null);
  const parts = [own.size, own.mtimeNs, ...(log === null ? [] : [log.size, log.mtimeNs])];
  return parts.map(String).join(' ');
}

/**
 * Refuses a file that is not the one that was opened.
 *
 * @param stamp what `fileStamp` said of it then
 * @throws TraceError `file/changed`; `file/missing` and others where it cannot be read
 */
export async function verifyUnchanged(path: string, stamp: string): Promise<void> {
  if ((await fileStamp(path)) !== stamp) throw changedSince(path);
}

export function changedSince(path: string): TraceError {
  return new TraceError('file/changed', `${basename(path)} has changed since it was opened: open it again.`);
}

/**
 * A digest of the stamp and of samples of the file: its beginning, its end and 64 places between. Two files of one size
 * and time are told apart, though a change of a few bytes that keeps both may be missed.
 *
 * @throws TraceError where it is no file; the error of the file system
 */
export async function fileDigest(path: string, stamp: string): Promise<string> {
  const hash = createHash('sha256').update(stamp);
  // A pipe must neither be waited for nor be emptied.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new TraceError('file/unreadable', `${basename(path)} is not a regular file.`);
    const {size} = stats;
    const sample = async (position: number, bytes: number) => {
      const {buffer, bytesRead} = await file.read(Buffer.alloc(bytes), 0, bytes, position);
      hash.update(buffer.subarray(0, bytesRead));
    };
    await sample(0, edgeBytes);
    if (size > edgeBytes) await sample(Math.max(edgeBytes, size - edgeBytes), edgeBytes);
    const step = Math.floor((size - 2 * edgeBytes) / (sampleCount + 1));
    if (step > 0) for (let i = 1; i <= sampleCount; i++) await sample(edgeBytes + i * step, sampleBytes);
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

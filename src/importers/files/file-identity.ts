import {createHash} from 'node:crypto';
import {constants, type BigIntStats} from 'node:fs';
import {open, realpath, stat} from 'node:fs/promises';
import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import {fileError} from '../reading/file-head.js';

/** Bytes sampled at each end of a file, and at each place between. */
const edgeBytes = 64 << 10;
const sampleBytes = 4 << 10;
const sampleCount = 64;

/**
 * Returns a stamp that changes whenever a program writes to the file: its size and time in ns, and those of a
 * write-ahead log beside it, which holds the newest rows of an SQLite database.
 *
 * @param known the file's own facts, where somebody has just asked for them
 * @throws TraceError `file/…`
 */
export async function fileStamp(path: string, known: BigIntStats | null = null): Promise<string> {
  const own =
    known ??
    (await stat(path, {bigint: true}).catch((error: unknown) => {
      throw fileError(error, basename(path));
    }));
  // SQLite follows a link to the database, and looks for the log beside its target.
  const target = await realpath(path).catch(() => path);
  const log = await stat(`${target}-wal`, {bigint: true}).catch(() => null);
  const parts = [own.size, own.mtimeNs, ...(log === null ? [] : [log.size, log.mtimeNs])];
  return parts.map(String).join(' ');
}

/**
 * Rejects a file that has changed since it was opened.
 *
 * @param stamp the result of `fileStamp` at that time
 * @throws TraceError `file/changed`; `file/missing` and others if it cannot be read
 */
export async function verifyUnchanged(path: string, stamp: string): Promise<void> {
  if ((await fileStamp(path)) !== stamp) throw changedSince(path);
}

export function changedSince(path: string): TraceError {
  return new TraceError('file/changed', say('{0} has changed since it was opened. Open it again.', basename(path)));
}

/**
 * Returns a digest of the stamp and of samples of the file: its beginning, its end and 64 places between. It
 * distinguishes files of equal size and time, but may miss a change of a few bytes that keeps both.
 *
 * @throws TraceError if it is not a file; the error of the file system
 */
export async function fileDigest(path: string, stamp: string): Promise<string> {
  const hash = createHash('sha256').update(stamp);
  // Opening a pipe must neither block nor consume its data.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new TraceError('file/unreadable', say('{0} is not a regular file.', basename(path)));
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

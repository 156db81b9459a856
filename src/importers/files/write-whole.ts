import {createWriteStream} from 'node:fs';
import {rename, rm, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {createGzip} from 'node:zlib';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import {partialPath, removeAbandonedPartials} from './partial-files.js';

/**
 * Writes texts or bytes to a file atomically, compressed if its name ends in `.gz`: a failed or cancelled write leaves
 * nothing behind. Removes files that a killed process left in the folder.
 *
 * @throws TraceError `file/unwritable`
 */
export async function writeWhole(
  path: string,
  parts: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  await removeAbandonedPartials(dirname(path));
  const partial = partialPath(path);
  try {
    const old = await stat(path).catch(() => null);
    if (old !== null && !old.isFile()) throw new Error(say('it is not a regular file'));
    const steps = path.endsWith('.gz') ? [createGzip()] : [];
    await pipeline([Readable.from(parts), ...steps, createWriteStream(partial, {flags: 'wx'})], {signal});
    await rename(partial, path);
  } catch (error) {
    await rm(partial, {force: true});
    if (error instanceof Error && error.name === 'AbortError') {
      throw new TraceError('file/unwritable', say('Writing {0} was cancelled.', path), {cause: error});
    }
    const reason = error instanceof Error ? error.message : String(error);
    throw new TraceError('file/unwritable', say('{0} cannot be written: {1}.', path, reason), {cause: error});
  }
}

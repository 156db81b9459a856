import {TraceError} from '../core/base/errors.js';
import {formats} from './formats.js';
import {readFileHead} from './reading/file-head.js';

/**
 * Returns the short name of a file's format if its beginning identifies it with certainty; null for any other file, and
 * for one that cannot be read.
 */
export async function recogniseFile(path: string): Promise<string | null> {
  try {
    const file = await readFileHead(path);
    const found = formats.find(({matches}) => matches(file));
    return found && (await found.recognises(file)) ? found.format : null;
  } catch (error) {
    if (error instanceof TraceError) return null;
    throw error;
  }
}

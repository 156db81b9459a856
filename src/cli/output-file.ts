import {writeWhole} from '../importers/files/write-whole.js';
import {untilStopped} from './until-stopped.js';

/**
 * Writes a file as `writeWhole` does, until this process is asked to end.
 *
 * @throws TraceError `file/unwritable`
 */
export async function writeOutput(path: string, parts: Parameters<typeof writeWhole>[1]): Promise<void> {
  await untilStopped(signal => writeWhole(path, parts, signal));
}

import {appendFile} from 'node:fs/promises';
import {posix} from 'node:path';

/** The protocol's version; `gpulens_runner/control.py` reads it. */
const protocolVersion = 1;

/** The file, in a run's folder, that the processes of the run look at. */
export function controlFileIn(runFolder: string): string {
  return posix.join(runFolder, 'control.jsonl');
}

/**
 * Asks the processes of a run that take no steps to record a window of time now.
 *
 * @throws the file system's error where the run's folder takes no file
 */
export async function askForWindow(runFolder: string): Promise<void> {
  await appendFile(controlFileIn(runFolder), `${JSON.stringify({v: protocolVersion, request: 'window'})}\n`);
}

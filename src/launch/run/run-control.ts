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

/** What a trigger asks an idle run to record; what is left out is as the run says. */
export interface RecordingRequest {
  readonly steps?: number;
  /** Of a distributed job; all by default. */
  readonly ranks?: readonly number[];
  /** `auto`, `train`, `infer`, or FILE:LINE of a loop. */
  readonly step?: string;
  readonly shapes?: boolean;
  readonly stack?: boolean;
  readonly memory?: boolean;
  readonly lines?: boolean;
}

/**
 * Asks the processes of an idle run to record their next steps.
 *
 * @param id names the request in what they tell
 * @throws the file system's error where the run's folder takes no file
 */
export async function askForRecording(runFolder: string, id: string, request: RecordingRequest): Promise<void> {
  const line = JSON.stringify({v: protocolVersion, request: 'record', id, ...request});
  await appendFile(controlFileIn(runFolder), `${line}\n`, {mode: 0o600});
}

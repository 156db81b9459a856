import {appendFile} from 'node:fs/promises';
import {posix} from 'node:path';

/** The protocol version; `gpulens_runner/control.py` reads it. */
const protocolVersion = 1;

/** Returns the file in a run's folder that the run's processes watch. */
export function controlFileIn(runFolder: string): string {
  return posix.join(runFolder, 'control.jsonl');
}

/**
 * Asks the processes of a run that take no steps to record a window of time now.
 *
 * @throws the file system's error if the file cannot be written
 */
export async function askForWindow(runFolder: string): Promise<void> {
  await appendFile(controlFileIn(runFolder), `${JSON.stringify({v: protocolVersion, request: 'window'})}\n`);
}

/** What a trigger asks an idle run to record; absent members use the run's own values. */
export interface RecordingRequest {
  readonly steps?: number;
  /** The ranks of a distributed job; all by default. */
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
 * @param id identifies the request in their messages
 * @throws the file system's error if the file cannot be written
 */
export async function askForRecording(runFolder: string, id: string, request: RecordingRequest): Promise<void> {
  const line = JSON.stringify({v: protocolVersion, request: 'record', id, ...request});
  await appendFile(controlFileIn(runFolder), `${line}\n`, {mode: 0o600});
}

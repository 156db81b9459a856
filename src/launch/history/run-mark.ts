import {randomUUID} from 'node:crypto';
import {renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {isFields} from '../../core/base/read-json.js';
import {readRegularFileSync} from '../programs/regular-file.js';

/** The label and pin that the user gave a run; saved in the run's folder. */
export interface RunMark {
  readonly label: string | null;
  readonly isPinned: boolean;
}

const markFileName = 'mark.json';
const mostBytes = 1 << 16;

/** Returns the mark of the run in a folder: no label and no pin if it has none. */
export function readRunMark(folder: string): RunMark {
  const {label, isPinned} = fieldsOf(readRegularFileSync(join(folder, markFileName), mostBytes) ?? '');
  return {label: typeof label === 'string' && label !== '' ? label : null, isPinned: isPinned === true};
}

/**
 * Writes a part of a run's mark into its folder, atomically, and keeps the rest of it. Reads and writes at once, so that
 * a lock of the caller keeps other processes out meanwhile.
 */
export function changeRunMark(folder: string, change: Partial<RunMark>): void {
  const path = join(folder, markFileName);
  const made = `${path}.${randomUUID()}`;
  writeFileSync(made, JSON.stringify({...readRunMark(folder), ...change}), {mode: 0o600});
  renameSync(made, path);
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text);
    return isFields(json) ? json : {};
  } catch {
    return {};
  }
}

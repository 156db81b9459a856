import {spawnSync} from 'node:child_process';
import {partialPath} from '../../src/importers/files/partial-files.js';

/** Returns the name under which an ended process of this machine was writing a file. */
export function partialOfEndedProcess(path: string): string {
  const {pid} = spawnSync(process.execPath, ['--version']);
  return partialPath(path).replace(`-${String(process.pid)}-`, `-${String(pid)}-`);
}

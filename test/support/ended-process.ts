import {spawnSync} from 'node:child_process';
import {partialPath} from '../../src/importers/files/partial-files.js';

/** What a process that has ended, on this machine, called a file that it was writing. */
export function partialOfEndedProcess(path: string): string {
  const {pid} = spawnSync(process.execPath, ['--version']);
  return partialPath(path).replace(`-${String(process.pid)}-`, `-${String(pid)}-`);
}

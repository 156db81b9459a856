import {readFile} from 'node:fs/promises';
import {isRunning} from '../programs/is-running.js';

/** The commands that keep a run. */
const commands: ReadonlySet<string> = new Set(['profile', 'cross-check', 'prove']);

/**
 * Returns whether a process of this machine runs `gpu-lens profile`, or another command that keeps a run. If the system
 * shows no command lines, any process with this id counts.
 */
export async function runsProfile(pid: number): Promise<boolean> {
  if (!isRunning(pid)) return false;
  // Ids are reused: the process that is meant may have ended long ago.
  const line = await readFile(`/proc/${String(pid)}/cmdline`, 'utf8').catch(() => null);
  return line === null || line === '' || line.split('\0').some(word => commands.has(word));
}

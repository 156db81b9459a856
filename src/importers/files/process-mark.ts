import {createHash} from 'node:crypto';
import {readlinkSync} from 'node:fs';
import {hostname} from 'node:os';

/** Returns a mark such as `8f3a01bc-4711` for this process's files, by which a later process knows their owner. */
export function processMark(): string {
  return `${machineTag()}-${String(process.pid)}`;
}

/** Returns whether a mark's process ran on this machine and has ended. */
export function isMarkOfEndedProcess(mark: string): boolean {
  const parts = /^([0-9a-f]+)-(\d+)$/.exec(mark);
  return parts !== null && parts[1] === machineTag() && !isRunning(Number(parts[2]));
}

/** Process ids are unique only within a machine or container, and others may share the folder. */
function machineTag(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has namespaces.
  }
  return createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

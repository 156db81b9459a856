import {createHash} from 'node:crypto';
import {lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, type Stats} from 'node:fs';
import {hostname, tmpdir, userInfo} from 'node:os';
import {join} from 'node:path';

const prefix = 'gpu-lens-copy-';

/** Folders of ended processes are looked for once in each temporary folder. */
const swept = new Set<string>();

/**
 * Makes a folder in the system's temporary folder that only this user can read. Its name holds the id of this process,
 * so that a later process can remove the folder if this one is killed.
 */
export function makePrivateFolder(): string {
  const parent = tmpdir();
  if (!swept.has(parent)) {
    swept.add(parent);
    removeAbandonedFolders(parent);
  }
  return mkdtempSync(join(parent, `${prefix}${machineTag()}-${String(process.pid)}-`));
}

/** Removes a folder of `makePrivateFolder` with all that it holds. */
export function removePrivateFolder(path: string): void {
  rmSync(path, {recursive: true, force: true});
}

/** Removes this user's private folders whose process, on this machine, has ended. */
export function removeAbandonedFolders(parent: string): void {
  const ownPrefix = `${prefix}${machineTag()}-`;
  for (const name of namesIn(parent)) {
    if (!name.startsWith(ownPrefix)) continue;
    const pid = Number(/^(\d+)-/.exec(name.slice(ownPrefix.length))?.[1] ?? NaN);
    const path = join(parent, name);
    if (!Number.isNaN(pid) && isOwnFolder(path) && !isRunning(pid)) removeQuietly(path);
  }
}

/** Process ids count within one machine, or container: others may share the temporary folder. */
function machineTag(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has namespaces.
  }
  return createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 8);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isOwnFolder(path: string): boolean {
  let stats: Stats;
  try {
    stats = lstatSync(path);
  } catch {
    return false;
  }
  const {uid} = userInfo();
  // Windows knows no such id: there, the temporary folder is the user's own.
  return stats.isDirectory() && (uid < 0 || stats.uid === uid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Another process may remove it at the same time. */
function removeQuietly(path: string): void {
  try {
    removePrivateFolder(path);
  } catch {
    // The next process tries again.
  }
}

import {lstatSync, mkdtempSync, readdirSync, rmSync, type Stats} from 'node:fs';
import {tmpdir, userInfo} from 'node:os';
import {join} from 'node:path';
import {isMarkOfEndedProcess, processMark} from './process-mark.js';

const prefix = 'gpu-lens-copy-';
const markedName = new RegExp(`^${prefix}([0-9a-f]{8}-\\d+)-`);

/** Temporary folders that were already searched for folders of ended processes. */
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
  return mkdtempSync(join(parent, `${prefix}${processMark()}-`));
}

/** Removes a folder of `makePrivateFolder` with all that it holds. */
export function removePrivateFolder(path: string): void {
  rmSync(path, {recursive: true, force: true});
}

/** Removes this user's private folders whose process, on this machine, has ended. */
export function removeAbandonedFolders(parent: string): void {
  for (const name of namesIn(parent)) {
    const mark = markedName.exec(name)?.[1];
    const path = join(parent, name);
    if (mark !== undefined && isMarkOfEndedProcess(mark) && isOwnFolder(path)) removeQuietly(path);
  }
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
  // Windows has no such id: its temporary folder is the user's own.
  return stats.isDirectory() && (uid < 0 || stats.uid === uid);
}

/** Another process may remove it at the same time. */
function removeQuietly(path: string): void {
  try {
    removePrivateFolder(path);
  } catch {
    // The next process tries again.
  }
}

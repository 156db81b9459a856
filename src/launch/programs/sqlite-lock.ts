import {accessSync, chmodSync, constants, lstatSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import Database from 'better-sqlite3';
import {describeError, TraceError} from '../../core/base/errors.js';

/** A lock that this process holds. */
export interface HeldLock {
  release(): void;
}

/** What everybody gets where the file system has no locks. */
export const noLock: HeldLock = {release: () => undefined};

/**
 * Takes SQLite's lock of an empty database; null if it is held, or if a lock service does not answer.
 *
 * @throws TraceError `file/unwritable` if there can be no such file, or it may not be written
 */
export function sqliteLock(path: string): HeldLock | null {
  let db: Database.Database | null = null;
  try {
    refuseOthersFile(path);
    db = new Database(path, {timeout: 0});
    // SQLite opens a file that it may not write all the same, and does not lock it.
    accessSync(path, constants.W_OK);
    // A journal on the disk would stay if the process is killed.
    db.pragma('journal_mode = memory');
    db.exec('begin immediate');
  } catch (error) {
    db?.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('SQLITE_BUSY')) return null;
    if (code.startsWith('SQLITE_IOERR')) return noLock;
    const {message} = describeError(error, 'file/unwritable');
    throw new TraceError('file/unwritable', `${path} cannot be locked: ${message}.`, {cause: error});
  }
  letOthersLock(path);
  const held = db;
  return {
    release: () => {
      held.close();
    },
  };
}

/** The folder may be from anybody: no database of theirs is opened, and nothing is made where a link of theirs leads. */
function refuseOthersFile(path: string): void {
  const found = lstatSync(path, {throwIfNoEntry: false});
  if (found && !(found.isFile() && found.size === 0)) throw new Error('it is not an empty file');
}

/** Whoever may write into the folder may hold the lock; SQLite makes files that only their owner may write. */
function letOthersLock(path: string): void {
  try {
    chmodSync(path, 0o644 | (statSync(dirname(path)).mode & 0o022));
  } catch {
    // The file is another user's, who has done so.
  }
}

import {randomUUID} from 'node:crypto';
import {accessSync, constants, rmSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import Database from 'better-sqlite3';
import {describeError, TraceError} from '../../core/base/errors.js';

const pollMs = 50;

/** A lock that this process holds. */
export interface HeldLock {
  release(): void;
}

/** What a file system without locks gives to everybody. */
const noLock: HeldLock = {release: () => undefined};

/**
 * Takes a lock, which is held once at a time: in this process, in others, and on machines that share the folder. Returns
 * null if it is held. The system releases it however a process ends.
 *
 * It is SQLite's lock of an empty database. The file stays: if it were removed, a process that has just opened it and
 * one that makes it anew would both hold a lock. Where a file system has no locks (Lustre without its option `flock`,
 * NFS without a lock service), nobody is kept out.
 *
 * @throws TraceError `file/unwritable` if there can be no such file, or it belongs to another user
 */
export function tryLock(path: string): HeldLock | null {
  return lockOnce(path) ?? (hasLocks(path) ? null : noLock);
}

/** Waits for a lock, at most this long; null if it was held all the time. @throws TraceError as `tryLock` does */
export async function lockWithin(path: string, limitMs: number): Promise<HeldLock | null> {
  const endMs = performance.now() + limitMs;
  for (let lock = tryLock(path); ; lock = lockOnce(path)) {
    if (lock || performance.now() >= endMs) return lock;
    await delay(pollMs);
  }
}

function lockOnce(path: string): HeldLock | null {
  let db: Database.Database | null = null;
  try {
    db = new Database(path, {timeout: 0});
    // SQLite opens a file that it may not write all the same, and does not lock it.
    accessSync(path, constants.W_OK);
    db.exec('begin immediate');
  } catch (error) {
    db?.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('SQLITE_BUSY')) return null;
    if (code.startsWith('SQLITE_IOERR')) return noLock;
    const {message} = describeError(error, 'file/unwritable');
    throw new TraceError('file/unwritable', `${path} cannot be locked: ${message}.`, {cause: error});
  }
  const held = db;
  return {
    release: () => {
      held.close();
    },
  };
}

/** SQLite takes a lock service that does not answer for a lock that is held. A file that only we know tells them apart. */
function hasLocks(path: string): boolean {
  const own = `${path}.${randomUUID()}`;
  try {
    const lock = lockOnce(own);
    lock?.release();
    return lock !== null && lock !== noLock;
  } finally {
    rmSync(own, {force: true});
  }
}

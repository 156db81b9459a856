import {setTimeout as delay} from 'node:timers/promises';
import Database from 'better-sqlite3';
import {TraceError} from '../../core/base/errors.js';

const pollMs = 50;

/** A lock that this process holds. */
export interface HeldLock {
  release(): void;
}

/**
 * Takes a lock that one holder at a time has, in this process, in others, and on machines that share the folder; null
 * if it is held. The system releases it however a process ends.
 *
 * It is SQLite's lock of an empty database. The file stays: if it were removed, a process that has just opened it and
 * one that makes it anew would both hold a lock. Where a file system has no locks (Lustre without its option `flock`),
 * nobody is kept out.
 *
 * @throws TraceError `file/unwritable` if there can be no such file
 */
export function tryLock(path: string): HeldLock | null {
  let db: Database.Database | null = null;
  try {
    db = new Database(path, {timeout: 0});
    db.exec('begin immediate');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (db === null || !code.startsWith('SQLITE_IOERR')) {
      db?.close();
      if (code.startsWith('SQLITE_BUSY')) return null;
      throw new TraceError('file/unwritable', `${path} cannot be locked: ${String(error)}.`, {cause: error});
    }
  }
  const held = db;
  return {
    release: () => {
      held.close();
    },
  };
}

/** Waits for a lock, at most this long; null if it was held all the time. @throws TraceError as `tryLock` does */
export async function lockWithin(path: string, limitMs: number): Promise<HeldLock | null> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock || performance.now() >= endMs) return lock;
    await delay(pollMs);
  }
}

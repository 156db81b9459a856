import {randomUUID} from 'node:crypto';
import {rmSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import type {HeldLock} from './sqlite-lock.js';

export type {HeldLock} from './sqlite-lock.js';

const pollMs = 50;

/**
 * Takes a lock, which is held once at a time, in this process and in others; null if it is held. The system releases it
 * however a process ends.
 *
 * The file stays: if it were removed, a process that has just opened it and one that makes it anew would both hold a
 * lock. File systems decide whether machines that share the folder keep each other out. Where one has no locks (Lustre
 * without its option `flock`, NFS without a lock service), nobody is kept out.
 *
 * @throws TraceError `file/unwritable` if there can be no such file, or it may not be written
 */
export async function tryLock(path: string): Promise<HeldLock | null> {
  // SQLite is a native module, loaded when the first lock is needed.
  const {noLock, sqliteLock} = await import('./sqlite-lock.js');
  const lock = sqliteLock(path);
  if (lock) return lock;
  // SQLite takes a lock service that does not answer for a lock that is held: then a file of our own is held too.
  const own = `${path}.${randomUUID()}`;
  try {
    const ownLock = sqliteLock(own);
    ownLock?.release();
    return ownLock === null || ownLock === noLock ? noLock : null;
  } finally {
    rmSync(own, {force: true});
  }
}

/** Waits for a lock, at most this long; null if it was held all the time. @throws TraceError as `tryLock` does */
export async function lockWithin(path: string, limitMs: number): Promise<HeldLock | null> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const lock = await tryLock(path);
    if (lock || performance.now() >= endMs) return lock;
    await delay(pollMs);
  }
}

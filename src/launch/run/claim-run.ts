import {existsSync, mkdirSync, rmSync} from 'node:fs';
import {dirname} from 'node:path';
import {lockWithin, type HeldLock} from '../programs/file-lock.js';

/** A window that is loaded again may find its runs followed by itself, as it was before. */
const usualWaitMs = 15_000;

/** The right to follow a run and to report its end. */
export interface RunClaim {
  /** Removes the run's messages. */
  done(): void;
}

/**
 * Claims a run by the file of its messages, since only one window may report its end; null if another window follows
 * it, or has reported its end.
 *
 * @param hasBegun whether the file was there: if it is gone, another window has removed it
 */
export async function claimRun(file: string, hasBegun: boolean, waitMs = usualWaitMs): Promise<RunClaim | null> {
  const lockPath = `${file}.lock`;
  const lock = await lockOn(lockPath, waitMs);
  if (!lock) return null;
  const done = () => {
    // Who gets the lock after that, or makes it anew, finds no messages.
    rmSync(file, {force: true});
    lock.release();
    try {
      rmSync(lockPath, {force: true});
    } catch {
      // Windows does not remove what another window has just opened.
    }
  };
  if (!hasBegun || existsSync(file)) return {done};
  done();
  return null;
}

/** Where nothing can be locked, several windows may report a run: that is better than none. */
async function lockOn(path: string, waitMs: number): Promise<HeldLock | null> {
  try {
    mkdirSync(dirname(path), {recursive: true});
    return await lockWithin(path, waitMs);
  } catch {
    return {release: () => undefined};
  }
}

import {existsSync, mkdirSync, rmSync} from 'node:fs';
import {dirname} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {tryLock, type HeldLock} from '../programs/file-lock.js';

/** The first wait for another window, which doubles up to the longest. A window that is loaded again takes seconds. */
const [firstWaitMs, longestWaitMs] = [250, 10_000];

/** The right to follow a run and to report its end. */
export interface RunClaim {
  /** Removes the run's messages, and releases the run. */
  done(): void;
  /** Leaves the run to another window. */
  release(): void;
}

/**
 * Claims a run by the file of its messages, since only one window may report its end. While another window follows it,
 * waits; returns null once that window has reported the end.
 *
 * @param hasBegun whether the file was there: if it is gone, another window has removed it
 */
export async function claimRun(file: string, hasBegun: boolean): Promise<RunClaim | null> {
  let wasThere = hasBegun;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    const lock = await lockOn(file);
    const isThere = existsSync(file);
    if (wasThere && !isThere) {
      if (lock) claimOf(file, lock).done();
      return null;
    }
    if (lock) return claimOf(file, lock);
    wasThere ||= isThere;
    await delay(waitMs);
  }
}

/** Returns the path of the lock of a file of messages. */
export function claimLock(file: string): string {
  return `${file}.lock`;
}

function claimOf(file: string, lock: HeldLock): RunClaim {
  return {
    done: () => {
      remove(file);
      lock.release();
      // Another window that has just opened this file, or makes it anew, finds no messages.
      remove(claimLock(file));
    },
    release: () => {
      lock.release();
    },
  };
}

/** Where nothing can be locked, several windows may report a run: that is better than none. */
async function lockOn(file: string): Promise<HeldLock | null> {
  try {
    mkdirSync(dirname(file), {recursive: true});
    return await tryLock(claimLock(file));
  } catch {
    return {release: () => undefined};
  }
}

/** On Windows, a file that another window has open stays. */
function remove(path: string): void {
  try {
    rmSync(path, {force: true});
  } catch {
    // Messages that stay are reported, and removed, when the workspace is opened again.
  }
}

import {randomUUID} from 'node:crypto';
import {link, readFile, rm, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {isCount, parseJsonLine} from '../../core/base/read-json.js';
import {isRunning} from '../programs/is-running.js';
import {sweepsFolder} from './sweep-files.js';

/** Who holds a lock. */
interface Holder {
  readonly host: string;
  readonly pid: number;
}

/**
 * Runs `run` as the only process that measures this sweep.
 *
 * The lock is a file, possibly on a share used by several machines. A lock left by a dead process of this machine is
 * taken over. Whether a process of another machine still runs cannot be known here.
 *
 * @throws TraceError `bench/running` if another process measures the sweep
 */
export function withLock<T>(output: string, id: string, run: () => Promise<T>): Promise<T> {
  return withLockFile(join(output, sweepsFolder, `${id}.lock`), run);
}

async function withLockFile<T>(path: string, run: () => Promise<T>): Promise<T> {
  // Distinguishes this lock from every other, also from those of the same process.
  const text = JSON.stringify({host: hostname(), pid: process.pid, id: randomUUID()});
  await takeLock(path, text);
  try {
    return await run();
  } finally {
    await removeLock(path, text);
  }
}

async function takeLock(path: string, text: string): Promise<void> {
  while (!(await makeLock(path, text))) {
    const found = await textOf(path);
    if (found === null) continue; // It was let go meanwhile.
    const holder = parseHolder(found);
    if (!holder || !isLeftBehind(holder)) throw isRunningError(holder, path);
    // Between looking and removing, another process could have taken the lock over, and its lock would be removed. So
    // only the holder of a second lock removes a lock that was left behind, and nobody can make one until it is removed.
    await withLockFile(`${path}.left`, () => removeLock(path, found));
  }
}

/** Returns whether the lock is now ours. The file appears with its text already in it, so nobody sees an empty lock. */
async function makeLock(path: string, text: string): Promise<boolean> {
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, text, {flag: 'wx'});
  try {
    await link(own, path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
      // Some file systems do not support links.
      return writeFile(path, text, {flag: 'wx'});
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(own, {force: true});
  }
}

/** Removes the lock if it has this text. */
async function removeLock(path: string, text: string): Promise<void> {
  if ((await textOf(path)) === text) await rm(path, {force: true});
}

function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
}

function parseHolder(text: string): Holder | null {
  const {host, pid} = parseJsonLine(text) ?? {};
  return typeof host === 'string' && isCount(pid, 1) ? {host, pid} : null;
}

function isLeftBehind({host, pid}: Holder): boolean {
  return host === hostname() && !isRunning(pid);
}

function isRunningError(holder: Holder | null, path: string): TraceError {
  const where = holder && holder.host !== hostname() ? ` on ${holder.host}` : '';
  const who = holder ? `process ${String(holder.pid)}${where}` : 'another process';
  return new TraceError(
    'bench/running',
    `This sweep is being measured by ${who}: wait for it, or end it; if there is none, delete ${path}.`,
  );
}

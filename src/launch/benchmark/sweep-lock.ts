import {mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {basename, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {isCount, parseJsonLine} from '../../core/base/read-json.js';
import {tryLock} from '../programs/file-lock.js';
import {makeOutputFolder} from '../run/run-folder.js';
import {sweepsFolder} from './sweep-files.js';

/**
 * Runs `run` as the only one that measures this sweep or one of its points.
 *
 * @param output the folder under which results are saved
 * @throws TraceError `bench/running` if another process measures the sweep; `file/unwritable`; the file system's error
 *   if nothing can be written
 */
export async function withLock<T>(output: string, id: string, run: () => Promise<T>): Promise<T> {
  const folder = join(output, sweepsFolder);
  await makeOutputFolder(output);
  await mkdir(folder, {recursive: true});
  const path = join(folder, basename(id));
  // Tells others who measures the sweep. If its writer was killed, the next one replaces it.
  const note = `${path}.holder.json`;
  const lock = await tryLock(`${path}.lock.sqlite`);
  if (!lock) {
    throw new TraceError(
      'bench/running',
      `This sweep is being measured by ${await holderIn(note)}: wait for it, or end it.`,
    );
  }
  try {
    await writeFile(note, JSON.stringify({host: hostname(), pid: process.pid})).catch(() => undefined);
    return await run();
  } finally {
    await rm(note, {force: true}).catch(() => undefined);
    lock.release();
  }
}

/** Returns who has written a note, in words. */
async function holderIn(note: string): Promise<string> {
  const {host, pid} = parseJsonLine(await readFile(note, 'utf8').catch(() => '')) ?? {};
  const isKnown = typeof host === 'string' && isCount(pid, 1);
  if (!isKnown) return 'another process';
  return `process ${String(pid)}${host === hostname() ? '' : ` on ${host}`}`;
}

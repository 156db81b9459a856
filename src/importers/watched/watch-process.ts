import {join} from 'node:path';
import {Worker} from 'node:worker_threads';
import type {Watched} from './watch.js';

/**
 * Has this process end with the one that started it, and with `outOfMemorySignal` beyond so many bytes of memory.
 *
 * @returns changes the limit
 */
export function watchProcess(memoryLimitBytes: number): (changedBytes: number) => void {
  const watched: Watched = {parent: process.ppid, memoryLimitBytes};
  const thread = new Worker(join(__dirname, 'watch.cjs'), {workerData: watched});
  thread.unref();
  process.on('disconnect', () => process.exit());
  return changedBytes => {
    thread.postMessage(changedBytes);
  };
}

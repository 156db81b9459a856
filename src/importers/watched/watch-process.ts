import {join} from 'node:path';
import {Worker} from 'node:worker_threads';
import type {Watched} from './watch.js';

/**
 * Ends this process when its parent ends, and with `outOfMemorySignal` when it takes more than this many bytes of
 * memory.
 *
 * @returns a function that changes the limit
 */
export function watchProcess(memoryLimitBytes: number): (changedBytes: number) => void {
  // The parent tells its id (fork-program.ts): it may have ended by now, and `ppid` be another process.
  const watched: Watched = {parent: Number(process.argv[2]), memoryLimitBytes};
  const thread = new Worker(join(__dirname, 'watch.cjs'), {workerData: watched});
  thread.unref();
  process.on('disconnect', () => process.exit());
  return changedBytes => {
    thread.postMessage(changedBytes);
  };
}

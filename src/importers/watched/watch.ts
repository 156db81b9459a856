import {parentPort, workerData} from 'node:worker_threads';
import {outOfMemorySignal} from './signals.js';

/** The data that the watching thread of a process checks. */
export interface Watched {
  /** The parent process. */
  readonly parent: number;
  readonly memoryLimitBytes: number;
}

const looksEveryMs = 250;
const {parent, ...first} = workerData as Watched;
let {memoryLimitBytes} = first;

parentPort?.on('message', (changedBytes: number) => {
  memoryLimitBytes = changedBytes;
});

// Ends the process when its parent is gone, or when it takes too much memory. While SQLite, a scan or a sort works, the
// process itself cannot react.
setInterval(() => {
  if (process.ppid !== parent || !isRunning(parent)) process.kill(process.pid, 'SIGKILL');
  if (process.memoryUsage.rss() > memoryLimitBytes) process.kill(process.pid, outOfMemorySignal);
}, looksEveryMs);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process runs, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

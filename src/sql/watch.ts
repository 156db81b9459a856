import {workerData} from 'node:worker_threads';
import {outOfMemorySignal} from './signals.js';

/** What the thread beside a process of queries looks at. */
export interface Watched {
  /** The process that asks. */
  readonly parent: number;
  readonly memoryLimitBytes: number;
}

const looksEveryMs = 250;
const {parent, memoryLimitBytes} = workerData as Watched;

// Ends the process when the one that asks is gone, or when a query takes too much memory: while SQLite works, the
// process itself hears and sees nothing.
setInterval(() => {
  if (process.ppid !== parent || !isRunning(parent)) process.kill(process.pid, 'SIGKILL');
  if (process.memoryUsage.rss() > memoryLimitBytes) process.kill(process.pid, outOfMemorySignal);
}, looksEveryMs);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

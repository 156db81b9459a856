import {parentPort, workerData} from 'node:worker_threads';
import {outOfMemorySignal} from './signals.js';

/** What the thread beside a watched process looks at. */
export interface Watched {
  /** The process that started this one. */
  readonly parent: number;
  readonly memoryLimitBytes: number;
}

const looksEveryMs = 250;
const {parent, ...first} = workerData as Watched;
let {memoryLimitBytes} = first;

parentPort?.on('message', (changedBytes: number) => {
  memoryLimitBytes = changedBytes;
});

// Ends the process when the one that started it is gone, or when it takes too much memory: while SQLite, a scan or a
// sort works, the process itself hears and sees nothing.
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

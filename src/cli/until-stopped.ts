/** The signals that ask a program to end: Ctrl+C, a supervisor, a closed terminal. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ctrl+C in a terminal reaches this process and the one that may stand before it, which passes it on: that is one. */
const sameStopMs = 500;

let runningJobs = 0;

/** Returns whether a job of `untilStopped` runs; it ends by itself when its output is no longer read. */
export function isJobRunning(): boolean {
  return runningJobs > 0;
}

/**
 * Runs a job that must end what it has started: its signal is aborted when this process is asked to end, or when what
 * reads its output is gone (`| head`, a terminal that was closed).
 *
 * @param job its second signal is aborted when this process is asked to end once more
 * @param keepsRunning whether the job goes on where its terminal is closed, or nobody reads any more
 */
export async function untilStopped<Result>(
  job: (signal: AbortSignal, abandon: AbortSignal) => Promise<Result>,
  keepsRunning = false,
): Promise<Result> {
  const [stop, abandon] = [new AbortController(), new AbortController()];
  let stoppedMs = Infinity;
  const abort = () => {
    if (!keepsRunning) stop.abort();
  };
  const ask = (signal: NodeJS.Signals) => {
    if (keepsRunning && signal === 'SIGHUP') return;
    if (performance.now() - stoppedMs > sameStopMs) abandon.abort();
    stoppedMs = Math.min(stoppedMs, performance.now());
    // The reason of the abort says which signal this process got.
    stop.abort(signal);
  };
  const streams = [process.stdout, process.stderr];
  for (const signal of stopSignals) process.on(signal, ask);
  for (const stream of streams) stream.on('error', abort);
  runningJobs++;
  try {
    return await job(stop.signal, abandon.signal);
  } finally {
    runningJobs--;
    for (const signal of stopSignals) process.off(signal, ask);
    for (const stream of streams) stream.off('error', abort);
  }
}

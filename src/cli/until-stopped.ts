/** What asks a program to end: Ctrl+C, a supervisor, a terminal that is closed. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let runningJobs = 0;

/** Whether a job of `untilStopped` runs, which ends by itself when nobody reads any more. */
export function isJobRunning(): boolean {
  return runningJobs > 0;
}

/**
 * Runs a job that must end what it has started: its signal is aborted when this process is asked to end, or when what
 * reads its output is gone (`| head`, a terminal that was closed).
 */
export async function untilStopped<Result>(job: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const stop = new AbortController();
  const abort = () => {
    stop.abort();
  };
  const streams = [process.stdout, process.stderr];
  for (const signal of stopSignals) process.on(signal, abort);
  for (const stream of streams) stream.on('error', abort);
  runningJobs++;
  try {
    return await job(stop.signal);
  } finally {
    runningJobs--;
    for (const signal of stopSignals) process.off(signal, abort);
    for (const stream of streams) stream.off('error', abort);
  }
}

/**
 * Returns the result of `work`, and how many times as long as usual work it takes, in processor time of this thread: a
 * limit in milliseconds would be wrong on a slower machine. Usual work is timed before and after, because a machine’s
 * pace changes, and the longer time counts.
 */
export async function comparedWithUsualWork<T>(work: () => T): Promise<{result: Awaited<T>; times: number}> {
  const beforeMs = usualWorkMs();
  const startMs = threadCpuMs();
  const result = await work();
  const tookMs = threadCpuMs() - startMs;
  return {result, times: tookMs / Math.max(beforeMs, usualWorkMs())};
}

/** Returns the processor time that reading and writing 6 MB of JSON takes this thread now, in ms. */
export function usualWorkMs(): number {
  const startMs = threadCpuMs();
  for (let i = 0; i < 4; i++) {
    const events = JSON.parse(usualText) as {name: string}[];
    const byName = new Map(events.map(event => [event.name, event]));
    if (JSON.stringify([...byName.values()]) !== usualText) throw new Error('JSON is not written as it was read.');
  }
  return threadCpuMs() - startMs;
}

const usualText = JSON.stringify(
  Array.from({length: 20_000}, (_, id) => ({ph: 'X', name: `op_${String(id)}`, ts: id * 1.5, dur: 7, args: {id}})),
);

/** Returns the processor time of this thread so far, in ms: unlike a clock, it stops while others use the core. */
export function threadCpuMs(): number {
  const {user, system} = process.threadCpuUsage();
  return (user + system) / 1000;
}
